package artifact

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"time"
)

const (
	// journalPrefix begins the name of the file that says which renames are under way.
	journalPrefix = ".agy-reader.commit-"
	// A pass of renames takes milliseconds; a journal older than this belongs to a process that is gone.
	journalAge = 10 * time.Second
	// A temporary file that nobody wrote to for this long belongs to a process that is gone.
	tempAge     = 24 * time.Hour
	maxJournals = 1 << 20
)

// tempPattern is what tempName makes.
var tempPattern = regexp.MustCompile(`^\.(.+)\.tmp-[0-9a-f]{16}$`)

// journal lists the renames of one commit.
type journal struct {
	Files []journalEntry `json:"files"`
}

type journalEntry struct {
	Temp   string `json:"temp"`
	Target string `json:"target"`
	Backup string `json:"backup,omitempty"`
}

// valid reports whether the entry can be one of ours: nothing else is ever renamed or removed.
func (e journalEntry) valid() bool {
	return tempPattern.MatchString(e.Temp) && checkPath(e.Target) == nil && (e.Backup == "" || tempPattern.MatchString(e.Backup))
}

// writeJournal records the renames of a set of several files. One file needs none: its rename is atomic.
func (s *Set) writeJournal(all []*staged) (name string, err error) {
	if len(all) < 2 {
		return "", nil
	}
	var j journal
	for _, st := range all {
		j.Files = append(j.Files, journalEntry{Temp: st.temp, Target: st.target, Backup: st.backup})
	}
	data, err := json.Marshal(j)
	if err != nil {
		return "", err
	}
	name = journalPrefix + random()
	f, err := s.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	n, err := f.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return name, err
	}
	return name, s.dir.Sync(".")
}

// dropJournal removes a journal that no longer has anything to say.
func (s *Set) dropJournal(name string) error {
	if name == "" {
		return nil
	}
	return s.dir.Remove(name)
}

// settle completes the commits that killed processes left behind and that concern the targets of all.
func (s *Set) settle(all []*staged) error {
	names, _, err := s.opt.Run.leftovers(s.path, s.dir.Names)
	if err != nil {
		return outputError("read folder", s.path, err)
	}
	for _, name := range names {
		if !strings.HasPrefix(name, journalPrefix) {
			continue
		}
		j, err := s.readJournal(name)
		if err == nil && j.concerns(all) {
			err = s.complete(name, j)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return outputError("complete", name, err)
		}
	}
	return nil
}

func (j *journal) concerns(all []*staged) bool {
	for _, e := range j.Files {
		for _, st := range all {
			if fold(e.Target) == fold(st.target) {
				return true
			}
		}
	}
	return false
}

// readJournal returns an empty journal for one that was cut while it was written: no rename had begun.
func (s *Set) readJournal(name string) (*journal, error) {
	f, err := s.dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxJournals))
	if err != nil {
		return nil, err
	}
	var j journal
	if json.Unmarshal(data, &j) != nil {
		return &journal{}, nil
	}
	for _, e := range j.Files {
		if !e.valid() {
			return nil, fmt.Errorf("the journal names %q and %q", e.Temp, e.Target)
		}
	}
	return &j, nil
}

// complete does the renames that are still to be done and removes the journal.
func (s *Set) complete(name string, j *journal) error {
	for _, e := range j.Files {
		if _, err := s.dir.Lstat(e.Temp); err == nil {
			if name := folderOf(e.Target); name != "" {
				if _, err := s.makeFolder(name); err != nil {
					return err
				}
			}
			if err := s.dir.Rename(e.Temp, e.Target); err != nil {
				return err
			}
		}
		if e.Backup != "" {
			if err := s.dir.Remove(e.Backup); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if err := s.dir.Sync("."); err != nil {
		return err
	}
	return s.dir.Remove(name)
}

// tidy completes old journals and removes old temporary files. It is a courtesy: what fails is tried again next time.
func (s *Set) tidy() {
	names, fresh, err := s.opt.Run.leftovers(s.path, s.dir.Names)
	if err != nil || !fresh {
		return
	}
	for _, pass := range []func(string, time.Duration){s.tidyJournal, s.tidyTemp} {
		for _, name := range names {
			if info, err := s.dir.Lstat(name); err == nil && info.Mode().IsRegular() {
				pass(name, time.Since(info.ModTime()))
			}
		}
	}
}

func (s *Set) tidyJournal(name string, age time.Duration) {
	if !strings.HasPrefix(name, journalPrefix) || age < journalAge {
		return
	}
	if j, err := s.readJournal(name); err == nil {
		_ = s.complete(name, j) // tried again next time
	}
}

func (s *Set) tidyTemp(name string, age time.Duration) {
	m := tempPattern.FindStringSubmatch(name)
	if m == nil || age < tempAge || checkName(m[1]) != nil {
		return
	}
	_ = s.dir.Remove(name) // tried again next time
}

// Settle completes every set of a folder that a killed process left half published. It waits until nobody publishes there.
func Settle(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return outputError("open folder", dir, err)
	}
	defer func() { _ = f.Close() }() // nothing is pending on it
	unlock, err := f.Lock()
	if err != nil {
		return outputError("open folder", dir, err)
	}
	defer unlock()
	names, err := f.Names()
	if err != nil {
		return outputError("read folder", dir, err)
	}
	s := &Set{path: dir, dir: f}
	for _, name := range names {
		if !strings.HasPrefix(name, journalPrefix) {
			continue
		}
		j, err := s.readJournal(name)
		if err == nil {
			err = s.complete(name, j)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return outputError("complete", name, err)
		}
	}
	return nil
}

// Sweep removes the temporary files that killed processes left in a folder, of artifacts that ours names, or of the folders
// artifacts lie in. Whoever calls it knows that no process is writing those. It comes after Settle.
func Sweep(dir string, ours func(name string) bool) error {
	f, err := openFolder(dir)
	if err != nil {
		return outputError("open folder", dir, err)
	}
	defer func() { _ = f.Close() }() // nothing is pending on it
	names, err := f.Names()
	if err != nil {
		return outputError("read folder", dir, err)
	}
	for _, name := range names {
		m := tempPattern.FindStringSubmatch(name)
		if m == nil || !ours(m[1]) {
			continue
		}
		if info, err := f.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := f.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return outputError("remove", name, err)
		}
	}
	return nil
}

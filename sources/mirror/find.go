package mirror

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// Names of the logs. The full one has arguments as they were and texts uncut; the other cuts both.
const (
	fullName     = "transcript_full"
	shortName    = "transcript"
	overviewName = "overview.txt"
	lineSuffix   = ".jsonl"
)

// logFolders are where logs lie below a conversation's own folder.
var logFolders = [...]string{".system_generated/logs", "."}

// maxSlices bounds how many slices of one log are looked at: 100 GB of them.
const maxSlices = 1 << 20

// openFolder opens the conversation's own folder, inside its store.
func openFolder(ref sources.Ref) (*os.Root, error) {
	if ref.Brain == "" && ref.Root != "" && ref.ID != "" {
		ref.Brain = filepath.Join(ref.Root, "brain", ref.ID)
	}
	if ref.Brain == "" {
		return nil, fmt.Errorf("%w: no folder with logs is known", sources.ErrNotFound)
	}
	folder, err := regular.Brain(ref)
	return folder, findError(err)
}

// findError gives the failure to open a folder its kind.
func findError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: it has no folder with transcript logs", sources.ErrNotFound)
	default:
		return fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
	}
}

// look opens every log of the folder. What stands there and is no log, or cannot be read, becomes a note.
func (l *Log) look(folder *os.Root) {
	for _, dir := range logFolders {
		for _, name := range [...]string{fullName, shortName} {
			full := name == fullName
			var whole *file
			if dir != "." {
				whole = l.openWhole(folder, path.Join(dir, name+lineSuffix), full)
			}
			sliced := l.openSlices(folder, path.Join(dir, "chunks", name), full)
			if sliced != nil && whole != nil && sliced.same(whole) {
				sliced.close()
				sliced = nil
			}
			for _, f := range [...]*file{whole, sliced} {
				if f != nil {
					l.files = append(l.files, f)
				}
			}
		}
	}
	for _, dir := range logFolders {
		if f := l.openWhole(folder, path.Join(dir, overviewName), false); f != nil {
			f.overview = true
			l.files = append(l.files, f)
		}
	}
}

// openWhole opens one file, nil when it is not there or not to be read.
func (l *Log) openWhole(folder *os.Root, name string, full bool) *file {
	h, info, err := openRegular(folder, name)
	if err != nil {
		l.refuse(name, err)
		return nil
	}
	return &file{name: path.Base(name), path: name, full: full, whole: h, size: info.Size(), mod: info.ModTime(), folder: folder}
}

// openSlices opens a log that is kept in slices, nil when there is none. A slice that is missing in the middle breaks the
// line that crosses it, nothing else.
func (l *Log) openSlices(folder *os.Root, dir string, full bool) *file {
	d, err := regular.OpenFolder(folder, dir)
	if err != nil {
		l.refuse(dir, err)
		return nil
	}
	defer d.Close()
	entries, err := d.ReadDir(maxSlices)
	if len(entries) == 0 {
		if !errors.Is(err, fs.ErrNotExist) && !isEOF(err) {
			l.refuse(dir, err)
		}
		return nil
	}
	var names []string
	for _, e := range entries {
		if number, ok := strings.CutSuffix(e.Name(), lineSuffix); ok && digits(number) {
			names = append(names, e.Name())
		}
	}
	if len(entries) == maxSlices {
		l.note(noteDamage, true, fmt.Sprintf("%s: there are more slices than the %d that are looked at", path.Base(dir), maxSlices))
	}
	slices.SortFunc(names, byNumber)
	f := &file{name: path.Join("chunks", path.Base(dir)), full: full, folder: folder}
	refused := false // the slice before
	for i, name := range names {
		full := path.Join(dir, name)
		h, info, err := openRegular(folder, full)
		if err != nil {
			l.refuse(full, err)
			refused = true
			continue
		}
		h.Close()
		s := slice{name: full, start: f.size, size: info.Size(), info: info}
		if refused || i > 0 && !follows(names[i-1], name) || i == 0 && !first(name) {
			l.missing(f, name)
			f.gaps = append(f.gaps, s.start)
		}
		refused = false
		f.slices = append(f.slices, s)
		f.size += s.size
		if info.ModTime().After(f.mod) {
			f.mod = info.ModTime()
		}
	}
	if len(f.slices) == 0 {
		return nil
	}
	if more := len(f.gaps) - maxBroken; more > 0 {
		l.note(noteDamage, true, fmt.Sprintf("%s: %d more slices are missing", f.name, more))
	}
	return f
}

// missing notes that slices before one are not there.
func (l *Log) missing(f *file, before string) {
	if len(f.gaps) < maxBroken {
		l.note(noteDamage, true, fmt.Sprintf("%s: a slice before %s is missing; a line that crossed it is lost", f.name, before))
	}
}

// byNumber orders the names of slices, which have leading zeros or not.
func byNumber(a, b string) int {
	short := func(name string) string { return strings.TrimLeft(strings.TrimSuffix(name, lineSuffix), "0") }
	return cmp.Or(cmp.Compare(len(short(a)), len(short(b))), strings.Compare(short(a), short(b)), strings.Compare(a, b))
}

// refuse notes that something with the name of a log is not read. A log that is not there needs no note.
func (l *Log) refuse(name string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	n := l.note(noteDamage, true, path.Base(name)+" was not read: "+reason(err))
	n.Severity = transcriptv1.Severity_SEVERITY_WARNING
	l.refused = true
}

// reason says why without the path, which depends on where the store lies.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return strings.TrimPrefix(err.Error(), sources.ErrUnreadable.Error()+": ")
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// first reports whether a slice is the first of its log.
func first(name string) bool { return strings.Trim(strings.TrimSuffix(name, lineSuffix), "0") == "" }

// follows reports whether the number of the second name is one more than that of the first.
func follows(before, name string) bool {
	var x, y uint64
	if _, err := fmt.Sscanf(before, "%d", &x); err != nil {
		return false
	}
	if _, err := fmt.Sscanf(name, "%d", &y); err != nil {
		return false
	}
	return y == x+1
}

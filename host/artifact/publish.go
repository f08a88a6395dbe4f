package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
	"slices"
)

// publish renames every staged file to its target, or leaves the folder as it was.
func (s *Set) publish(all []*staged) error {
	if len(all) == 0 {
		return nil
	}
	unlock, err := s.dir.Lock()
	if err != nil {
		return outputError("publish into", s.path, err)
	}
	defer unlock()
	if err := s.settle(all); err != nil {
		return err
	}
	if err := s.makeBelow(all); err != nil {
		return err
	}
	for _, st := range all {
		if err := s.prepare(st); err != nil {
			return err
		}
	}
	if all = slices.DeleteFunc(slices.Clone(all), func(st *staged) bool { return st.kept }); len(all) == 0 {
		return nil
	}
	journal, err := s.writeJournal(all)
	if err != nil {
		return outputError("publish into", s.path, errors.Join(err, s.dropJournal(journal)))
	}
	moved := 0
	for _, st := range all {
		if err = s.move(st); err != nil {
			err = outputError("publish", st.target, err)
			break
		}
		moved++
	}
	if err == nil {
		if err = s.sync(all); err == nil {
			err = s.dropJournal(journal)
		}
		if err != nil {
			err = outputError("publish into", s.path, err)
		}
	}
	if err == nil {
		return nil
	}
	// The one after the last moved may have a backup already.
	if undo := s.undo(all[:min(moved+1, len(all))], moved); undo != nil {
		// The journal stays: the next set in this folder completes the renames. Their files must stay, too.
		s.temps = nil
		return errors.Join(err, outputError("restore", s.path, undo))
	}
	return errors.Join(err, s.dropJournal(journal))
}

// prepare refuses a target that must not be replaced and names the backup of one that will be.
func (s *Set) prepare(st *staged) error {
	info, err := s.dir.Lstat(st.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil || s.opt.Exclusive:
		return existing(st.target, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file: %w", st.target, ErrExists)
	case !s.opt.Force && (s.opt.Ours == nil || !s.opt.Ours(st.target)):
		ours, err := s.ours(st.target, st.piece.mediaType, info.Size())
		if err == nil && !ours && info.Size() == st.size {
			ours, err = s.same(st.target, st.temp)
		}
		if err != nil || !ours {
			return existing(st.target, err)
		}
	}
	if s.opt.Keep && info.Size() == st.size {
		if st.kept, err = s.same(st.target, st.temp); err != nil {
			return outputError("compare", st.target, err)
		}
	}
	if !st.kept {
		st.backup = tempName(st.target)
	}
	return nil
}

// move publishes one staged file, keeping what was there as its backup.
func (s *Set) move(st *staged) error {
	if st.backup != "" {
		s.temps = append(s.temps, st.backup)
		if err := s.keep(st.target, st.backup); err != nil {
			return err
		}
	}
	if !s.opt.Exclusive {
		return s.dir.Rename(st.temp, st.target)
	}
	err := s.dir.Link(st.temp, st.target)
	switch {
	case err == nil:
		return nil // the temporary name goes with the others
	case errors.Is(err, fs.ErrExist):
		return existing(st.target, nil)
	}
	// No hard links here: claim the name first, then put the content over the claim.
	claim, err := s.dir.OpenFile(st.target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(claim.Close(), s.dir.Rename(st.temp, st.target)); err != nil {
		return errors.Join(err, s.dir.Remove(st.target))
	}
	return nil
}

// keep gives the file name the second name as well; without hard links it moves it there.
func (s *Set) keep(name, second string) error {
	if s.dir.Link(name, second) == nil {
		return nil
	}
	return s.dir.Rename(name, second)
}

// undo puts the folder back: the first moved of them were published, one more may have a backup. New content returns to
// its temporary name first, so that a kill in the middle still leaves the journal everything it needs.
func (s *Set) undo(all []*staged, moved int) error {
	for i := len(all) - 1; i >= 0; i-- {
		st := all[i]
		if i < moved {
			if err := s.withdraw(st); err != nil {
				return err
			}
		}
		if st.backup == "" {
			continue
		}
		if _, err := s.dir.Lstat(st.backup); errors.Is(err, fs.ErrNotExist) {
			continue // never made: the target is still what it was
		}
		if err := s.dir.Rename(st.backup, st.target); err != nil {
			return fmt.Errorf("the earlier %s is kept as %s: %w", st.target, st.backup, err)
		}
	}
	return s.sync(all)
}

// withdraw takes a published file back to its temporary name.
func (s *Set) withdraw(st *staged) error {
	switch _, err := s.dir.Lstat(st.temp); {
	case err == nil:
		return s.dir.Remove(st.target) // published by a link
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if st.backup != "" && s.dir.Link(st.target, st.temp) == nil {
		return nil // the backup will be renamed over the target
	}
	return s.dir.Rename(st.target, st.temp)
}

// Marks that our sinks leave in what they write, within the first headSize or the last tailSize bytes.
const (
	headSize     = 4 << 10
	tailSize     = 256
	markMarkdown = "\n\n- **Conversation:** `"
	markHTML     = `<meta name="generator" content="agy-reader`
	markJSON     = `"generator":"agy-reader`
	markEvents   = `{"begin":{`
)

// marked reports whether a file of this media type, known by its first 4 KiB and its last 256 bytes, is one this program
// wrote: Markdown begins with a title and the list of facts, HTML a generator element, JSON a generator member near its end, a
// dump of events its first event. Other media types bear no mark, so their files are never ours.
func marked(head, tail []byte, mediaType string) bool {
	base, _, err := mime.ParseMediaType(mediaType)
	if err != nil {
		return false
	}
	switch base {
	case "text/markdown":
		return bytes.HasPrefix(head, []byte("# ")) && bytes.Contains(head, []byte(markMarkdown))
	case "text/html":
		return bytes.Contains(head, []byte(markHTML))
	case "application/json":
		return bytes.Contains(tail, []byte(markJSON))
	case "application/jsonl":
		return bytes.HasPrefix(head, []byte(markEvents))
	}
	return false
}

func (s *Set) ours(name, mediaType string, size int64) (bool, error) {
	f, err := s.dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, min(size, headSize))
	tail := make([]byte, min(size, tailSize))
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return marked(head, tail, mediaType), nil
}

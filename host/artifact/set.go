package artifact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"agy-reader/sinks"
)

// Set is an Output that publishes into a folder.
type Set struct {
	path string
	dir  folder
	opt  Options
	// as is the name the only artifact is published under; empty in a set that takes many.
	as string
	// made are the folders created for this set, the outermost first.
	made []string
	// below are folders made inside dir for this set.
	below []string

	mu     sync.Mutex
	pieces []*piece
	byFold map[string]*piece
	temps  []string
	failed error
	ended  bool
}

var _ Output = (*Set)(nil)

// Open starts a set in the folder dir, which is made when it does not exist (and removed again when nothing is published).
func Open(dir string, opt Options) (*Set, error) {
	made, err := makeFolders(dir)
	if err != nil {
		return nil, outputError("open folder", dir, err)
	}
	f, err := openFolder(dir)
	if err != nil {
		removeFolders(made)
		return nil, outputError("open folder", dir, err)
	}
	return newSet(dir, f, opt, made), nil
}

// OpenFile starts a set that takes one artifact and publishes it as the file path, whatever name the sink gives it. With
// Exclusive an existing path is refused at once, and again when it is published.
func OpenFile(path string, opt Options) (*Set, error) {
	name := filepath.Base(path)
	if err := checkName(name); err != nil {
		return nil, outputError("open", path, err)
	}
	s, err := Open(filepath.Dir(path), opt)
	if err != nil {
		return nil, err
	}
	s.as = name
	if opt.Exclusive {
		if _, err := s.dir.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(existing(name, err), s.Abort())
		}
	}
	return s, nil
}

func newSet(path string, dir folder, opt Options, made []string) *Set {
	s := &Set{path: path, dir: dir, opt: opt, made: made, byFold: map[string]*piece{}}
	s.tidy()
	return s
}

// Create implements sinks.Artifacts.
func (s *Set) Create(name, mediaType string, part uint32) (io.WriteCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.create(name, mediaType, part)
	if err != nil {
		err = outputError("create", fmt.Sprintf("%.200q", name), err)
		if s.failed == nil {
			s.failed = err
		}
		return nil, err
	}
	return w, nil
}

func (s *Set) create(name, mediaType string, part uint32) (io.WriteCloser, error) {
	if s.ended {
		return nil, errState
	}
	if err := checkPath(name); err != nil {
		return nil, err
	}
	p := s.byFold[fold(name)]
	switch {
	case p == nil && s.as != "" && len(s.pieces) > 0:
		return nil, fmt.Errorf("%w (%s is the first)", ErrMany, s.pieces[0].name)
	case p == nil:
		p = &piece{name: name, mediaType: mediaType}
	case p.name != name:
		return nil, fmt.Errorf("the name differs from %q only in case", p.name)
	case p.mediaType != mediaType:
		return nil, fmt.Errorf("its parts are %s and %s", p.mediaType, mediaType)
	}
	w, err := s.part(p, part)
	if err != nil {
		return nil, err
	}
	if len(p.runs) == 1 && s.byFold[fold(name)] == nil {
		s.pieces = append(s.pieces, p)
		s.byFold[fold(name)] = p
	}
	return w, nil
}

// Single reports whether the set takes one artifact only.
func (s *Set) Single() bool { return s.as != "" }

// Commit implements Output.
func (s *Set) Commit(ctx context.Context) ([]File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil, outputError("publish into", s.path, errState)
	}
	staged, err := s.stage(ctx)
	if err == nil {
		err = s.publishOnce(staged)
	}
	if err != nil {
		return nil, errors.Join(err, s.end(true))
	}
	files := make([]File, len(staged))
	for i, st := range staged {
		files[i] = File{Name: st.piece.name, Path: filepath.Join(s.path, st.target), MediaType: st.piece.mediaType, Size: st.size}
	}
	return files, s.end(false)
}

// publishOnce publishes what no other set of the run has published.
func (s *Set) publishOnce(all []*staged) error {
	folder, err := filepath.Abs(s.path)
	if err != nil {
		return outputError("publish into", s.path, err)
	}
	paths := make([]string, len(all))
	for i, st := range all {
		paths[i] = filepath.Join(folder, st.target)
	}
	if taken, ok := s.opt.Run.take(paths); !ok {
		return fmt.Errorf("%s: %w", filepath.Base(taken), ErrTaken)
	}
	if err := s.publish(all); err != nil {
		s.opt.Run.give(paths)
		return err
	}
	return nil
}

// staged is an artifact whose bytes are complete and on disk under a temporary name.
type staged struct {
	piece  *piece
	temp   string
	target string
	size   int64
	// kept: the target holds these bytes already and stays.
	kept bool
	// backup holds the file that target was before, under a temporary name; empty when there was none.
	backup string
}

// stage completes every artifact. The lock is held.
func (s *Set) stage(ctx context.Context) ([]*staged, error) {
	if s.failed != nil {
		return nil, s.failed
	}
	var all []*staged
	for _, p := range s.pieces {
		for _, r := range p.runs {
			if r.writing {
				return nil, outputError("publish", p.name, fmt.Errorf("part %d is not closed", r.last))
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("publish %s: %w", p.name, err)
		}
		temp, size, err := s.join(p)
		if err != nil {
			return nil, outputError("write", p.name, err)
		}
		target := p.name
		if s.as != "" {
			target = s.as
		}
		all = append(all, &staged{piece: p, temp: temp, target: target, size: size})
	}
	return all, ctx.Err()
}

// Abort implements Output.
func (s *Set) Abort() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil
	}
	return s.end(true)
}

// end closes everything and removes what is left of the temporary files, and with undo the folders made for this set.
func (s *Set) end(undo bool) error {
	s.ended = true
	var errs []error
	for _, p := range s.pieces {
		for _, r := range p.runs {
			if r.file != nil {
				_ = r.file.Close() // what it says about data no longer matters
				r.file = nil
			}
		}
	}
	for _, temp := range s.temps {
		err := s.dir.Remove(temp)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			err = s.dir.Remove(temp)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && undo {
			errs = append(errs, outputError("remove", temp, err))
		}
	}
	s.temps = nil
	if undo {
		for _, name := range s.below {
			_ = s.dir.Remove(name) // stays when it is not empty
		}
	}
	_ = s.dir.Close() // nothing is pending on it
	if undo {
		removeFolders(s.made)
	}
	return errors.Join(errs...)
}

// makeFolders makes dir with the parents it lacks and returns what it made, the outermost first.
func makeFolders(dir string) (made []string, err error) {
	var missing []string
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, d)
		if filepath.Dir(d) == d {
			break
		}
	}
	for i := len(missing) - 1; i >= 0; i-- {
		err := os.Mkdir(missing[i], 0o755)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			removeFolders(made)
			return nil, err
		}
		if err == nil {
			made = append(made, missing[i])
		}
	}
	return made, nil
}

// removeFolders removes folders, the innermost first, as far as they are empty.
func removeFolders(made []string) {
	for i := len(made) - 1; i >= 0; i-- {
		if os.Remove(made[i]) != nil {
			return
		}
	}
}

// existing is the error for a path that is in the way, or could not be looked at.
func existing(name string, err error) error {
	if err != nil {
		return outputError("look at", name, err)
	}
	return fmt.Errorf("%s: %w", name, ErrExists)
}

var _ sinks.Artifacts = (*Set)(nil)

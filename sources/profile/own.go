package profile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/types/descriptorpb"

	"agy-reader/proto/antigravity"
	compiler "agy-reader/proto/antigravity/schema"
)

// Problem is one thing that is wrong with a user's own profile.
type Problem struct {
	// File is below the folder that was checked.
	File string `json:"file"`
	// Member is the member of profile.json the problem is about; empty for other files.
	Member string `json:"member,omitempty"`
	Text   string `json:"text"`
}

func (p Problem) String() string {
	if p.Member == "" {
		return p.File + ": " + p.Text
	}
	return p.File + ": " + p.Member + ": " + p.Text
}

// AddDir adds a user's own profiles for the life of the process: the folders of dir that hold a profile.json, or dir itself
// when it holds one. Their schema is compiled from `*.proto`. They may extend embedded profiles and each other, and none
// may have the name of an embedded one. After an error, which wraps antigravity.ErrBadProfile unless the folder cannot be
// read, none is added.
func AddDir(dir string) error { return embedded.addDir(dir) }

func (l *library) addDir(dir string) error {
	found, problems, err := l.readDir(dir)
	switch {
	case err != nil:
		return err
	case len(problems) == 1:
		return fmt.Errorf("profiles in %s: %w: %s", dir, antigravity.ErrBadProfile, problems[0])
	case len(problems) > 1:
		return fmt.Errorf("profiles in %s: %w: %s (and %d more, see `agy-reader profiles check`)", dir, antigravity.ErrBadProfile, problems[0], len(problems)-1)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range found {
		for _, have := range l.own {
			if have.manifest.Name == e.manifest.Name {
				return fmt.Errorf("profiles in %s: %w: there are two profiles %s", dir, antigravity.ErrBadProfile, e.manifest.Name)
			}
		}
	}
	l.own = append(l.own, found...)
	sortEntries(l.own)
	return nil
}

// CheckDir reads profiles as AddDir does and returns everything that is wrong with them, in order of files. Nothing is
// added. names are the profiles that were looked at.
func CheckDir(dir string) (names []string, problems []Problem, err error) {
	found, problems, err := embedded.readDir(dir)
	for _, e := range found {
		names = append(names, e.manifest.Name)
	}
	return names, problems, err
}

// readDir reads all profiles of a folder. With a problem the profile may still be returned.
func (l *library) readDir(dir string) ([]*listed, []Problem, error) {
	files, err := openFolder(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("read profiles: %w", err)
	}
	defer files.close()
	r := &ownReader{library: l, folders: map[string]fs.FS{}, done: map[string]*listed{}, prefix: map[string]string{}}
	names, err := r.find(files, dir)
	if err != nil {
		return nil, nil, err
	}
	var found []*listed
	for _, name := range names {
		if e := r.read(name, 0); e != nil {
			found = append(found, e)
		}
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return cmp.Compare(path.Dir(a.File), path.Dir(b.File)) })
	return found, r.problems, nil
}

// ownReader reads the profiles of one folder.
type ownReader struct {
	library  *library
	folders  map[string]fs.FS
	prefix   map[string]string
	done     map[string]*listed
	problems []Problem
}

// find returns the names of the profiles in order.
func (r *ownReader) find(files fs.FS, dir string) ([]string, error) {
	if _, err := fs.Stat(files, "profile.json"); err == nil {
		whole, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(whole)
		r.folders[name] = files
		return []string{name}, nil
	}
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, fmt.Errorf("read profiles: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if _, err := fs.Stat(files, path.Join(entry.Name(), "profile.json")); !entry.IsDir() || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		sub, err := fs.Sub(files, entry.Name())
		if err != nil {
			return nil, err
		}
		r.folders[entry.Name()], r.prefix[entry.Name()] = sub, entry.Name()+"/"
		names = append(names, entry.Name())
	}
	if len(names) == 0 {
		r.problems = append(r.problems, Problem{File: "profile.json", Text: "neither the folder nor a folder in it has one, so there is no profile"})
	}
	return names, nil
}

func (r *ownReader) problem(name, file, member string, err error) {
	r.problems = append(r.problems, Problem{File: r.prefix[name] + file, Member: member, Text: err.Error()})
}

// read returns one profile, nil when it cannot be used. Each is read once.
func (r *ownReader) read(name string, depth int) *listed {
	if e, done := r.done[name]; done {
		return e
	}
	r.done[name] = nil
	e, err := r.build(name, depth)
	if err != nil {
		file, member := "profile.json", ""
		var at *placeError
		if errors.As(err, &at) {
			file, member, err = at.file, at.member, at.err
		}
		r.problem(name, file, member, err)
		return nil
	}
	r.done[name] = e
	return e
}

// placeError is an error with its place.
type placeError struct {
	file, member string
	err          error
}

func (p *placeError) Error() string { return p.err.Error() }
func (p *placeError) Unwrap() error { return p.err }

func (r *ownReader) build(name string, depth int) (*listed, error) {
	text, err := fs.ReadFile(r.folders[name], "profile.json")
	if err != nil {
		return nil, err
	}
	m, err := antigravity.ParseManifest(text)
	if err != nil {
		return nil, err
	}
	if m.Name != name {
		return nil, &placeError{"profile.json", "name", fmt.Errorf("it is %q, but the folder is %q", m.Name, name)}
	}
	e := &listed{manifest: m, own: true}
	base := &descriptorpb.FileDescriptorSet{}
	var below []byte
	if m.Extends != "" {
		b, err := r.base(m.Extends, depth)
		if err != nil {
			return nil, &placeError{"profile.json", "extends", err}
		}
		if e.manifest, err = antigravity.Inherit(m, text, b.manifest); err != nil {
			return nil, err
		}
		below = b.set
		if base, err = compiler.Unmarshal(below); err != nil {
			return nil, err
		}
	}
	if e.set, err = r.compile(name, base, below, m); err != nil {
		return nil, err
	}
	s, err := newSchema(e.set)
	if err == nil {
		err = s.verify()
	}
	if err != nil {
		return nil, &placeError{"*.proto", "", err}
	}
	r.verify(name, e.manifest, s)
	return e, nil
}

func (r *ownReader) compile(name string, base *descriptorpb.FileDescriptorSet, below []byte, m *antigravity.Manifest) ([]byte, error) {
	var set *descriptorpb.FileDescriptorSet
	var err error
	if m.Extends == "" {
		set, err = compiler.Compile(context.Background(), r.folders[name])
	} else {
		set, err = compiler.CompileOver(context.Background(), r.folders[name], base)
	}
	if err != nil {
		return nil, &placeError{protoFile(err), "", err}
	}
	if set, err = compiler.Add(base, set, m.Adds); err != nil {
		return nil, &placeError{"profile.json", "", err}
	}
	own, err := compiler.Marshal(set)
	if err != nil {
		return nil, err
	}
	return antigravity.MergeSets(below, own)
}

// protoFile is the file that a compiler's error is about.
func protoFile(err error) string {
	var at reporter.ErrorWithPos
	if errors.As(err, &at) && at.GetPosition().Filename != "" {
		return at.GetPosition().Filename
	}
	return "*.proto"
}

// base returns the profile that another one extends, with its whole schema.
func (r *ownReader) base(name string, depth int) (*listed, error) {
	if _, own := r.folders[name]; own {
		if depth >= 8 {
			return nil, errors.New("more than 8 profiles extend each other")
		}
		if e := r.read(name, depth+1); e != nil {
			return e, nil
		}
		return nil, fmt.Errorf("profile %s cannot be used, or extends this one", name)
	}
	e, err := r.library.find(name)
	if err != nil {
		return nil, err
	}
	if e.set != nil {
		return e, nil
	}
	set, err := antigravity.ReadSchema(r.library.files, name)
	return &listed{manifest: e.manifest, set: set}, err
}

package profile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"agy-reader/proto/antigravity"
)

// library is a set of profiles: folders that come with the program and folders of the user's own. Manifests are read on the
// first question, schemas when a profile is loaded.
type library struct {
	files   fs.FS
	builtin func() ([]*listed, error)

	mu     sync.Mutex
	own    []*listed
	loaded map[string]*Profile
}

// listed is one profile of a library.
type listed struct {
	manifest *antigravity.Manifest
	// set is the compiled schema of a profile from outside; nil for one that comes with the program.
	set []byte
	own bool
}

func newLibrary(files fs.FS) *library {
	l := &library{files: files, loaded: make(map[string]*Profile)}
	l.builtin = sync.OnceValues(l.readManifests)
	return l
}

var embedded = newLibrary(antigravity.Profiles())

// List returns all profiles: those that AddDir added, then the embedded ones, each newest first. None are listed when an
// embedded manifest is broken, which tests rule out; Load and Choose then say why.
func List() []Info { return embedded.list() }

func (l *library) list() []Info {
	entries, err := l.entries()
	if err != nil {
		return nil
	}
	infos := make([]Info, len(entries))
	for i, e := range entries {
		infos[i] = infoOf(e.manifest)
	}
	return infos
}

// Load returns a profile by name. The result is cached for the life of the process.
func Load(name string) (*Profile, error) { return embedded.load(name) }

// ErrNoProfile says that no profile has the wanted name.
var ErrNoProfile = errors.New("no such profile")

// FileKeys returns the keys of all profiles, those of the newest profile first, each once. They are part of the file
// format.
func FileKeys() ([]antigravity.FileKey, error) {
	entries, err := embedded.entries()
	if err != nil {
		return nil, err
	}
	var keys []antigravity.FileKey
	for _, e := range entries {
		for _, key := range e.manifest.FileKeys {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys, nil
}

// entries returns the user's own profiles, then the embedded ones, each newest first.
func (l *library) entries() ([]*listed, error) {
	builtin, err := l.builtin()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Concat(l.own, builtin), nil
}

func (l *library) find(name string) (*listed, error) {
	entries, err := l.entries()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(entries, func(e *listed) bool { return e.manifest.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("load profile %q: %w", name, ErrNoProfile)
	}
	return entries[i], nil
}

func (l *library) load(name string) (*Profile, error) {
	e, err := l.find(name)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.loaded[name]; p != nil {
		return p, nil
	}
	set := e.set
	if set == nil {
		if set, err = antigravity.ReadSchema(l.files, name); err != nil {
			return nil, fmt.Errorf("load profile %s: %w", name, err)
		}
	}
	p, err := newProfile(e.manifest, set)
	if err != nil {
		return nil, err
	}
	l.loaded[name] = p
	return p, nil
}

// readManifests returns the entries of all folders that come with the program, newest first.
func (l *library) readManifests() ([]*listed, error) {
	paths, err := fs.Glob(l.files, "*/profile.json")
	if err != nil {
		return nil, err
	}
	var all []*listed
	for _, file := range paths {
		m, err := antigravity.ReadManifest(l.files, file[:len(file)-len("/profile.json")])
		if err != nil {
			return nil, err
		}
		all = append(all, &listed{manifest: m})
	}
	sortEntries(all)
	return all, nil
}

func sortEntries(all []*listed) {
	slices.SortFunc(all, func(a, b *listed) int {
		return cmp.Or(cmp.Compare(b.manifest.Rank, a.manifest.Rank), cmp.Compare(a.manifest.Name, b.manifest.Name))
	})
}

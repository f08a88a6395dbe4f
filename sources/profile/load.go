package profile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"agy-reader/proto/antigravity"
)

// library is a set of profile folders. Manifests are read on the first question, schemas when a profile is loaded.
type library struct {
	files     fs.FS
	manifests func() ([]*antigravity.Manifest, error)

	mu     sync.Mutex
	loaded map[string]*Profile
}

func newLibrary(files fs.FS) *library {
	l := &library{files: files, loaded: make(map[string]*Profile)}
	l.manifests = sync.OnceValues(l.readManifests)
	return l
}

var embedded = newLibrary(antigravity.Profiles())

// List returns the embedded profiles, newest first. None are listed when a manifest is broken, which tests rule out; Load
// and Choose then say why.
func List() []Info {
	manifests, err := embedded.manifests()
	if err != nil {
		return nil
	}
	infos := make([]Info, len(manifests))
	for i, m := range manifests {
		infos[i] = infoOf(m)
	}
	return infos
}

// Load returns an embedded profile by name. The result is cached for the life of the process.
func Load(name string) (*Profile, error) { return embedded.load(name) }

// ErrNoProfile says that no profile has the wanted name.
var ErrNoProfile = errors.New("no such profile")

// FileKeys returns the keys of all embedded profiles, those of the newest profile first, each once. They are part of the
// file format.
func FileKeys() ([]antigravity.FileKey, error) {
	manifests, err := embedded.manifests()
	if err != nil {
		return nil, err
	}
	var keys []antigravity.FileKey
	for _, m := range manifests {
		for _, key := range m.FileKeys {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys, nil
}

// Evidence is what a source saw before it chose a profile.
type Evidence struct {
	// SchemaFingerprint of the SQL schema, hex SHA-256; empty when the source has none.
	SchemaFingerprint string
	// FileKey is the name of the key that opened an encrypted file; empty when the source has none.
	FileKey string
}

// Choose returns the profile for the evidence and the reason in words. verified is false when nothing matched and the
// newest profile was taken.
func Choose(ev Evidence) (p *Profile, reason string, verified bool, err error) {
	return embedded.choose(ev)
}

func (l *library) choose(ev Evidence) (p *Profile, reason string, verified bool, err error) {
	manifests, err := l.manifests()
	if err != nil {
		return nil, "", false, err
	}
	if len(manifests) == 0 {
		return nil, "", false, ErrNoProfile
	}
	chosen := manifests[0]
	switch {
	case ev.SchemaFingerprint != "":
		reason = "newest profile; no profile knows database schema " + short(ev.SchemaFingerprint)
	case ev.FileKey != "":
		reason = "newest profile; no profile knows the key " + ev.FileKey
	default:
		reason = "newest profile; the source states no schema"
	}
	for _, m := range manifests {
		if ev.SchemaFingerprint == "" && hasKey(m, ev.FileKey) {
			chosen, verified = m, true
			reason = "the " + ev.FileKey + " of the file is the profile's"
			break
		}
		if hasSchema(m, ev.SchemaFingerprint) {
			chosen, verified = m, true
			reason = "database schema " + short(ev.SchemaFingerprint) + " is the profile's"
			break
		}
	}
	p, err = l.load(chosen.Name)
	return p, reason, verified, err
}

func hasSchema(m *antigravity.Manifest, fingerprint string) bool {
	return slices.ContainsFunc(m.SQLSchemas, func(s antigravity.SQLSchema) bool { return s.Fingerprint == fingerprint })
}

func hasKey(m *antigravity.Manifest, name string) bool {
	return slices.ContainsFunc(m.FileKeys, func(k antigravity.FileKey) bool { return k.Name == name })
}

// short is as much of a fingerprint as people read.
func short(fingerprint string) string { return fingerprint[:min(len(fingerprint), 12)] }

func (l *library) load(name string) (*Profile, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.loaded[name]; p != nil {
		return p, nil
	}
	manifests, err := l.manifests()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(manifests, func(m *antigravity.Manifest) bool { return m.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("load profile %q: %w", name, ErrNoProfile)
	}
	set, err := fs.ReadFile(l.files, path.Join(name, "schema.binpb"))
	if err != nil {
		return nil, fmt.Errorf("load profile %s: %w", name, err)
	}
	p, err := newProfile(manifests[i], set)
	if err != nil {
		return nil, err
	}
	l.loaded[name] = p
	return p, nil
}

// readManifests returns all manifests, newest first.
func (l *library) readManifests() ([]*antigravity.Manifest, error) {
	paths, err := fs.Glob(l.files, "*/profile.json")
	if err != nil {
		return nil, err
	}
	var all []*antigravity.Manifest
	for _, file := range paths {
		text, err := fs.ReadFile(l.files, file)
		if err != nil {
			return nil, fmt.Errorf("read profile: %w", err)
		}
		m := new(antigravity.Manifest)
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(m); err != nil {
			return nil, fmt.Errorf("read profile %s: %w", file, err)
		}
		if m.Name != path.Dir(file) {
			return nil, fmt.Errorf("read profile %s: its name is %q", file, m.Name)
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *antigravity.Manifest) int { return cmp.Compare(b.Rank, a.Rank) })
	return all, nil
}

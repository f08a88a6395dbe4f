package parents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agy-reader/host/diag"
	"agy-reader/host/replace"
	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/sinks"
	"agy-reader/sources"
)

// ManifestVersion is the version of a backup's manifest.
const ManifestVersion = 1

const (
	manifestName = "manifest.json"
	filesName    = "sidecars"
)

// Manifest lists a backup's files in order of their names. It is written last: a folder without one is no backup.
type Manifest struct {
	ManifestVersion int     `json:"manifestVersion"`
	Files           []Entry `json:"files"`
}

// Entry is one sidecar as it was.
type Entry struct {
	Name string `json:"name"`
	// SHA256 is hex, over the bytes.
	SHA256  string `json:"sha256"`
	MtimeNs int64  `json:"mtimeNs"`
}

// Backup copies all sidecars in dir, with their times, into the new folder to, and returns what it copied. It fails when one
// cannot be read or changes meanwhile, when to exists or lies inside root, and leaves an unfinished folder without a
// manifest. Nothing in the store is written.
func Backup(ctx context.Context, root, dir, to string) (*Manifest, error) {
	if store.Inside(to, root) {
		return nil, diag.Advise(fmt.Errorf("%w: the backup %s would lie inside the store", sinks.ErrOutput, to), "name a folder outside of it with --to")
	}
	names, err := list(dir)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, diag.Advise(fmt.Errorf("%w: there is no sidecar in %s to back up", sources.ErrNotFound, dir), "name another store with --root")
	}
	switch err := os.Mkdir(to, 0o700); {
	case errors.Is(err, os.ErrExist):
		return nil, diag.Advise(fmt.Errorf("%w: the backup needs a new folder, and %s is there already", sinks.ErrOutput, to), "name one with --to that does not exist yet")
	case err != nil:
		return nil, fmt.Errorf("%w: the backup needs a new folder: %w", sinks.ErrOutput, err)
	}
	if err := os.Mkdir(filepath.Join(to, filesName), 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	m := &Manifest{ManifestVersion: ManifestVersion, Files: make([]Entry, 0, len(names))}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e, err := save(filepath.Join(dir, name), filepath.Join(to, filesName, name))
		if err != nil {
			return nil, fmt.Errorf("back up %s: %w", name, err)
		}
		m.Files = append(m.Files, e)
	}
	return m, m.write(to)
}

func (m *Manifest) write(to string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	dir, err := os.OpenRoot(to)
	if err != nil {
		return fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	defer dir.Close()
	if err := replace.File(dir, manifestName, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	return nil
}

// save copies one file with its time.
func save(from, to string) (Entry, error) {
	in, err := sidecar.Open(from)
	if err != nil {
		return Entry{}, err
	}
	defer in.Close()
	before, err := in.Stat()
	if err != nil {
		return Entry{}, err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return Entry{}, fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, h), in)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return Entry{}, fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	after, err := os.Lstat(from)
	if err != nil {
		return Entry{}, err
	}
	if !os.SameFile(before, after) || n != after.Size() || !before.ModTime().Equal(after.ModTime()) {
		return Entry{}, fmt.Errorf("%w: it changed while it was copied; stop what writes sidecars first", sources.ErrBusy)
	}
	if err := os.Chtimes(to, time.Time{}, before.ModTime()); err != nil {
		return Entry{}, fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	return Entry{filepath.Base(from), hex.EncodeToString(h.Sum(nil)), before.ModTime().UnixNano()}, nil
}

// maxManifest bounds what is read of a manifest.
const maxManifest = 256 << 20

// ReadManifest reads a backup's manifest. One that is missing, damaged or of another version is sources.ErrUnreadable.
func ReadManifest(backup string) (*Manifest, error) {
	in, err := sidecar.Open(filepath.Join(backup, manifestName))
	if err != nil {
		return nil, fmt.Errorf("%w: no finished backup: %w", sources.ErrUnreadable, err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxManifest))
	if err != nil {
		return nil, err
	}
	m := new(Manifest)
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", sources.ErrUnreadable, manifestName, err)
	}
	if m.ManifestVersion != ManifestVersion {
		return nil, fmt.Errorf("%w: %s has version %d, this program knows %d", sources.ErrUnreadable, manifestName, m.ManifestVersion, ManifestVersion)
	}
	for _, e := range m.Files {
		if e.Name != filepath.Base(e.Name) || !strings.HasSuffix(e.Name, sidecar.Suffix) {
			return nil, fmt.Errorf("%w: %s names %q, which is no sidecar", sources.ErrUnreadable, manifestName, cut(e.Name))
		}
	}
	return m, nil
}

package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"agy-reader/host/replace"
	"agy-reader/host/sidecar"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// Names in the folder of a sweep.
const (
	ManifestName = "manifest.json"
	CorpusName   = "corpus"
)

// manifestVersion counts incompatible changes of Manifest.
const manifestVersion = 1

// maxManifest bounds what is read of a manifest, in bytes.
const maxManifest = 256 << 20

// Manifest says what a sweep did. It holds no token.
type Manifest struct {
	ManifestVersion int `json:"manifestVersion"`
	// Complete: every selected conversation was fetched, stored and rendered.
	Complete bool `json:"complete"`
	// Root is the store's absolute path, Endpoint the daemon's address without a password.
	Root     string `json:"root"`
	Endpoint string `json:"endpoint"`
	// InstalledAgyVersion is what the agy on PATH says of itself, «unknown» when there is none. The daemon may be another.
	InstalledAgyVersion string `json:"installedAgyVersion"`
	// Started and Finished are in UTC; Finished is nil while the sweep runs, and after it was killed.
	Started  time.Time  `json:"started"`
	Finished *time.Time `json:"finished,omitempty"`
	Selected int        `json:"selected"`
	// FailedID is the conversation at which the sweep ended.
	FailedID string `json:"failedId,omitempty"`
	// Sessions were fetched, in the order they were.
	Sessions []Session `json:"sessions"`
}

// Session is one conversation that was fetched.
type Session struct {
	// FileID is the name of its file, CascadeID the id in the answer.
	FileID    string `json:"fileId"`
	CascadeID string `json:"cascadeId"`
	Steps     int64  `json:"steps"`
	// Storage is "sqlite" or "legacy-pb".
	Storage    string     `json:"storage"`
	ReaderSync ReaderSync `json:"readerSync"`
}

// ReaderSync says whether an ordinary sync could have written the conversation's sidecar.
type ReaderSync struct {
	Verified bool `json:"verified"`
	// Class is why not: "source" (the session's file cannot be verified), "stale" (the answer is not what is stored), "answer"
	// (it cannot be compared) or "daemon" (it gave no full answer).
	Class string `json:"class,omitempty"`
	// Reason says more.
	Reason string `json:"reason,omitempty"`
	// Endpoint is the other daemon whose answer agreed, when the swept one's did not. Empty otherwise.
	Endpoint string `json:"endpoint,omitempty"`
	// Evidence is what a sidecar would have kept.
	Evidence *verify.Evidence `json:"evidence,omitempty"`
}

// CorpusFile is the name of a conversation's file in the corpus.
func CorpusFile(fileID string) string { return fileID + sidecar.Suffix }

// ReadManifest reads the manifest of a sweep. A missing one is fs.ErrNotExist, one that is no manifest of this version
// sources.ErrUnreadable.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	in, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxManifest+1))
	if err != nil {
		return nil, fmt.Errorf("%w: read %s: %w", sources.ErrUnreadable, path, err)
	}
	if len(data) > maxManifest {
		return nil, fmt.Errorf("%w: %s is larger than %d bytes", sources.ErrLimit, path, maxManifest)
	}
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%w: %s is no manifest: %w", sources.ErrUnreadable, path, err)
	}
	if m.ManifestVersion != manifestVersion {
		return nil, fmt.Errorf("%w: %s has version %d, and this program knows %d", sources.ErrUnreadable, path, m.ManifestVersion, manifestVersion)
	}
	return m, nil
}

// write replaces the manifest at once or not at all.
func (m *Manifest) write(dir *os.Root) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", ManifestName, err)
	}
	if err := replace.File(dir, ManifestName, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", ManifestName, err)
	}
	return nil
}

// create writes and flushes a private file that is not there yet.
func create(dir *os.Root, name string, data []byte) error {
	out, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	_, err = out.Write(data)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

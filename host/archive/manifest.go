package archive

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"agy-reader/host/artifact"
	"agy-reader/sinks"
)

// ManifestName is the file that makes a folder an archive.
const ManifestName = "agy-reader.manifest.json"

const (
	manifestVersion = 1
	// maxManifest is room for about half a million conversations.
	maxManifest = 1 << 30
	generator   = "agy-reader"
)

// Manifest is what an archive knows of itself.
type Manifest struct {
	Version       int      `json:"version"`
	Conversations []*Entry `json:"conversations"`
	// Generator comes last: it marks the file as ours.
	Generator string `json:"generator"`
}

// Entry is one conversation of an archive.
type Entry struct {
	ID string `json:"id"`
	// Root is the label of the store: cli, ide, ide2 or acp.
	Root   string `json:"root"`
	Bucket string `json:"bucket,omitempty"`
	// Name is the base name of its files.
	Name string `json:"name"`

	Title         string `json:"title,omitempty"`
	Project       string `json:"project,omitempty"`
	ProjectOrigin string `json:"projectOrigin,omitempty"`
	CreatedNS     *int64 `json:"createdNs,omitempty"`
	UpdatedNS     *int64 `json:"updatedNs,omitempty"`
	Parent        string `json:"parent,omitempty"`
	TrajectoryID  string `json:"trajectoryId,omitempty"`
	Profile       string `json:"profile,omitempty"`
	// Tokens is the number of input and output tokens; nil when none were recorded.
	Tokens *uint64 `json:"tokens,omitempty"`

	// Stored is what the source announces or held, Steps what the document shows.
	Stored  uint32 `json:"storedSteps"`
	Steps   uint32 `json:"steps"`
	Notes   uint32 `json:"notes,omitempty"`
	Gaps    uint32 `json:"gaps,omitempty"`
	Unknown uint32 `json:"unknownFields,omitempty"`
	// Incomplete: the document is not everything the source should hold.
	Incomplete   bool   `json:"incomplete"`
	Completeness string `json:"completeness,omitempty"`

	Sources []Source `json:"sources,omitempty"`
	Options string   `json:"options,omitempty"`
	// Family is a hash over the state of everything that the conversation started, directly or not; empty without any.
	Family string `json:"family,omitempty"`
	Files  []File `json:"files,omitempty"`
	// Earlier are documents with more steps than the sources held later, the oldest first.
	Earlier []Earlier `json:"earlier,omitempty"`

	// Gone: no store holds the conversation any more.
	Gone bool `json:"gone,omitempty"`
	// Error is why the last run could not convert it; Files are then those of an earlier run, or none.
	Error string `json:"error,omitempty"`
}

// File is one file of an archive.
type File struct {
	Name string `json:"name"`
	// Format is the name of the sink, or empty for a file that belongs to a document.
	Format    string `json:"format,omitempty"`
	MediaType string `json:"mediaType"`
	Size      int64  `json:"size"`
	SHA256    string `json:"sha256"`
	// Stale: the conversation changed since, in a run that did not make this format.
	Stale bool `json:"stale,omitempty"`
}

// Earlier is a document that was kept because a later one has fewer steps, or other ones.
type Earlier struct {
	N     int    `json:"n"`
	Steps uint32 `json:"steps"`
	// TrajectoryID is that of the document; empty when it has none, or was kept by a version that did not note it.
	TrajectoryID string `json:"trajectoryId,omitempty"`
	Files        []File `json:"files"`
}

// key is how ids are compared.
func key(id string) string { return strings.ToLower(id) }

// readManifest returns nil when the folder holds none.
func readManifest(root *os.Root) (*Manifest, error) {
	f, err := openRegular(root, ManifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w: %w", ManifestName, sinks.ErrOutput, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w: %w", ManifestName, sinks.ErrOutput, err)
	}
	m, err := parseManifest(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w; move it away to start the archive anew", ManifestName, sinks.ErrOutput, err)
	}
	return m, nil
}

func parseManifest(text []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	if m.Version != manifestVersion {
		return nil, fmt.Errorf("it has version %d, this program knows %d", m.Version, manifestVersion)
	}
	seen, taken := map[string]bool{}, names{}
	for _, e := range m.Conversations {
		if e == nil {
			return nil, errors.New("it names no conversation where one should be")
		}
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("conversation %.100q: %w", e.ID, err)
		}
		if seen[key(e.ID)] {
			return nil, fmt.Errorf("conversation %.100q is named twice", e.ID)
		}
		seen[key(e.ID)] = true
		if taken[artifact.Fold(e.Name)] {
			return nil, fmt.Errorf("the name %.100q is that of two conversations", e.Name)
		}
		taken.take(e.Name)
	}
	return &m, nil
}

// check refuses an entry whose names could lead out of the archive, or into its own files.
func (e *Entry) check() error {
	if e.ID == "" {
		return errors.New("it has no id")
	}
	if err := artifact.CheckName(e.Name); err != nil || strings.Contains(e.Name, "/") || own(e.Name) {
		return fmt.Errorf("the name %.100q cannot be", e.Name)
	}
	files := e.Files
	for _, v := range e.Earlier {
		if v.N < 1 {
			return fmt.Errorf("earlier version %d", v.N)
		}
		files = append(files[:len(files):len(files)], v.Files...)
	}
	for _, f := range files {
		if err := artifact.CheckName(f.Name); err != nil || own(f.Name) {
			return fmt.Errorf("the file name %.100q cannot be", f.Name)
		}
	}
	return nil
}

// own reports names of the archive itself.
func own(name string) bool {
	folded := artifact.Fold(name)
	for _, mine := range []string{ManifestName, indexHTML, indexJSON, indexMarkdown} {
		if artifact.Fold(mine) == folded {
			return true
		}
	}
	return false
}

// write orders the conversations and writes the manifest.
func (m *Manifest) write(w io.Writer) error {
	slices.SortFunc(m.Conversations, func(a, b *Entry) int { return cmp.Compare(key(a.ID), key(b.ID)) })
	return writeList(w, m.Conversations, func(e *Entry) any { return e })
}

// writeList writes a JSON object with conversations, one a line, so that no more than one lies in memory as text. The
// generator member comes last: it marks the file as ours.
func writeList(w io.Writer, entries []*Entry, as func(*Entry) any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if _, err := fmt.Fprintf(w, "{\"version\":%d,\"conversations\":[\n", manifestVersion); err != nil {
		return err
	}
	for i, e := range entries {
		if i > 0 {
			if _, err := io.WriteString(w, ","); err != nil {
				return err
			}
		}
		if err := encoder.Encode(as(e)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "],\"generator\":%q}\n", generator)
	return err
}

// openRegular opens a file that is no link.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: %w", name, artifact.ErrExists)
	}
	return root.Open(name)
}

// Package skill installs the instructions by which an agent runs the format audit with this program.
package skill

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"agy-reader/host/artifact"
	"agy-reader/host/replace"
	"agy-reader/sinks"
	"agy-reader/sources/regular"
)

// Text is the skill.
//
//go:embed SKILL.md
var Text []byte

// mark is in every version of the text that this program wrote.
var mark = []byte("<!-- written by `agy-reader audit install-skill`;")

// Places are where agents look for the skill, below a project's folder.
var Places = []string{".claude/skills/agy-format-audit/SKILL.md", ".agents/skills/agy-format-audit/SKILL.md"}

// maxText bounds what is read of a file that is in the way, in bytes.
const maxText = 1 << 20

// Install writes the skill below dir, which must exist, and returns the paths. What this program did not write is never
// replaced: it is artifact.ErrExists, and then nothing was written. No link is followed.
func Install(dir string) ([]string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	defer root.Close()
	for _, place := range Places {
		if err := free(root, place); err != nil {
			return nil, err
		}
	}
	var written []string
	for _, place := range Places {
		err := root.MkdirAll(path.Dir(place), 0o755)
		if err == nil {
			err = replace.File(root, place, Text, 0o644)
		}
		if err != nil {
			return written, fmt.Errorf("%w: write %s: %w", sinks.ErrOutput, filepath.Join(dir, place), err)
		}
		written = append(written, filepath.Join(dir, filepath.FromSlash(place)))
	}
	return written, nil
}

// free reports whether a place may be written.
func free(root *os.Root, place string) error {
	at := ""
	for element := range strings.SplitSeq(path.Dir(place), "/") {
		at = path.Join(at, element)
		info, err := root.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", sinks.ErrOutput, err)
		}
		if !info.IsDir() {
			return fmt.Errorf("%w: %s is no folder", artifact.ErrExists, filepath.Join(root.Name(), at))
		}
	}
	in, err := regular.OpenIn(root, place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%w: %s: %w", artifact.ErrExists, filepath.Join(root.Name(), place), err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxText))
	if err != nil {
		return fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	if !bytes.Contains(data, mark) {
		return fmt.Errorf("%w: %s is not the skill that this program writes; move it away", artifact.ErrExists, filepath.Join(root.Name(), place))
	}
	return nil
}

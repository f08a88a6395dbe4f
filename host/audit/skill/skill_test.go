package skill_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"agy-reader/host/artifact"
	"agy-reader/host/audit/skill"
)

func TestInstall(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 2 { // the second time it replaces its own
		paths, err := skill.Install(dir)
		if err != nil || len(paths) != len(skill.Places) {
			t.Fatalf("%v, %v", paths, err)
		}
		for _, path := range paths {
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, skill.Text) {
				t.Errorf("%v", err)
			}
			if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
				t.Errorf("%v, %v", entries, err)
			}
		}
	}
}

// Whatever stands in one place, nothing is written to any.
func TestInstallReplacesNothingOfOthers(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(dir, path string) error{
		"a skill of somebody": func(_, path string) error {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // as people make folders
				return err
			}
			return os.WriteFile(path, []byte("my own"), 0o600)
		},
		"a link": func(dir, path string) error {
			other := filepath.Join(dir, "other.md")
			if err := errors.Join(os.WriteFile(other, skill.Text, 0o600), os.MkdirAll(filepath.Dir(path), 0o755)); err != nil { //nolint:gosec // as people make folders
				return err
			}
			return os.Symlink(other, path)
		},
		"a folder": func(_, path string) error { return os.MkdirAll(path, 0o755) }, //nolint:gosec // as people make folders
		"a file for a folder": func(_, path string) error {
			return os.WriteFile(filepath.Dir(filepath.Dir(filepath.Dir(path))), nil, 0o600)
		},
		"a link for a folder": func(dir, path string) error {
			return os.Symlink(t.TempDir(), filepath.Dir(filepath.Dir(filepath.Dir(path))))
		},
	} {
		dir := t.TempDir()
		if err := prepare(dir, filepath.Join(dir, filepath.FromSlash(skill.Places[1]))); err != nil {
			t.Fatal(err)
		}
		if paths, err := skill.Install(dir); !errors.Is(err, artifact.ErrExists) || len(paths) > 0 {
			t.Errorf("%s: %v, %v", name, paths, err)
		}
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(skill.Places[0]))); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: half installed: %v", name, err)
		}
	}
	if _, err := skill.Install(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a folder that is not there was made")
	}
}

// Package corpus finds the real sessions that tests run on. They lie beside the checkout and are never committed; a test
// that wants them skips with a clear message when they are absent.
package corpus

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Home returns the read-only home directory with real sessions, or skips the test. AGY_CORPUS names it; otherwise it is
// looked for as ../shared/corpus/home beside any directory above the test.
func Home(t testing.TB) string {
	t.Helper()
	return find(t, "home")
}

// Payloads returns the folder of single step payloads of agy 1.1.23, or skips the test.
func Payloads(t testing.TB) string {
	t.Helper()
	return find(t, filepath.Join("payloads", "agy-1.1.23"))
}

// SidecarShape returns the canonical lines of all trajectories up to agy 1.2.11 (host/audit/shape), or skips the test.
func SidecarShape(t testing.TB) []string {
	t.Helper()
	data, err := os.ReadFile(find(t, filepath.Join("..", "format", "sidecar-shape.tsv")))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if path, types, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); found && !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.TrimPrefix(strings.ReplaceAll(path, "[]", ".[]"), "$")+"\t"+types)
		}
	}
	slices.Sort(lines)
	return lines
}

// Copy returns a private, writable copy of Home.
func Copy(t testing.TB) string {
	t.Helper()
	src, dst := Home(t), t.TempDir()
	if err := copyTree(dst, src); err != nil {
		t.Fatalf("copy the corpus: %v", err)
	}
	return dst
}

// Databases returns the eleven conversation databases below home, sorted by path.
func Databases(t testing.TB, home string) []string {
	t.Helper()
	var all []string
	for _, store := range []string{"antigravity", "antigravity-cli"} {
		found, err := filepath.Glob(filepath.Join(home, ".gemini", store, "conversations", "*.db"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

func find(t testing.TB, sub string) string {
	t.Helper()
	if home := os.Getenv("AGY_CORPUS"); home != "" {
		return mustExist(t, filepath.Join(filepath.Dir(home), sub))
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		candidate := filepath.Join(filepath.Dir(dir), "shared", "corpus", sub)
		if _, err := os.Stat(candidate); err == nil {
			return candidate
		}
		if dir == filepath.Dir(dir) {
			t.Skip("the corpus of real sessions is absent (set AGY_CORPUS, or lay it at ../shared/corpus/home)")
		}
		dir = filepath.Dir(dir)
	}
}

func mustExist(t testing.TB, path string) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Skipf("AGY_CORPUS does not lead to real sessions: %v", err)
	}
	return path
}

func copyTree(dst, src string) error {
	return filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, path)
		if err != nil {
			return err
		}
		target := filepath.Join(dst, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case d.Type().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if err := os.WriteFile(target, data, 0o644); err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			return os.Chtimes(target, info.ModTime(), info.ModTime())
		default:
			return nil
		}
	})
}

//go:build unix

package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// A link that takes the place of a database, or of its folder, leads nowhere: neither before it is looked for, nor between
// that and the opening.
func TestSwappedForALink(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]string{"the database": "conversations/x.db", "its folder": "conversations"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, outside := t.TempDir(), t.TempDir()
			for _, dir := range []string{root, outside} {
				if err := os.Mkdir(filepath.Join(dir, "conversations"), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(copyFiles(t, sample(t, newConversation(t)).path), filepath.Join(dir, "conversations", "x.db")); err != nil {
					t.Fatal(err)
				}
			}
			ref := sources.Ref{Path: filepath.Join(root, "conversations", "x.db"), Root: root}
			swap := func() {
				t.Helper()
				at := filepath.Join(root, filepath.FromSlash(part))
				if err := errors.Join(os.Rename(at, filepath.Join(root, "away")), os.Symlink(filepath.Join(outside, filepath.FromSlash(part)), at)); err != nil {
					t.Fatal(err)
				}
			}
			f, err := locate(ref)
			if err != nil {
				t.Fatal(err)
			}
			swap()
			if d, err := (opener{files: f, busy: time.Second}).open(t.Context()); !errors.Is(err, regular.ErrLink) {
				t.Errorf("after it was found: %v", err)
				if err == nil {
					d.close()
				}
			}
			if d, err := New().connect(t.Context(), ref, false); !errors.Is(err, regular.ErrLink) || !errors.Is(err, sources.ErrUnreadable) {
				t.Errorf("before it was found: %v", err)
				if err == nil {
					d.close()
				}
			}
		})
	}
}

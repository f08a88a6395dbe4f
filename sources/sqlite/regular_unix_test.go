//go:build unix

package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"agy-reader/sources"
	"agy-reader/sources/regular"
)

// A FIFO, a device or a folder in the place of any of the files is refused at once, and never waited for.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct {
		name string
		make func(path string) error
	}{
		{"fifo", func(path string) error { return unix.Mkfifo(path, 0o600) }},
		{"device", func(path string) error { return os.Symlink("/dev/zero", path) }},
		{"folder", func(path string) error { return os.Mkdir(path, 0o700) }},
	} {
		for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
			t.Run(kind.name+suffix, func(t *testing.T) {
				t.Parallel()
				path := copyFiles(t, sample(t, newConversation(t)).path, "-wal", "-shm")
				if err := os.Remove(path + suffix); err != nil && suffix != "-journal" {
					t.Fatal(err)
				}
				if err := kind.make(path + suffix); err != nil {
					t.Fatal(err)
				}
				done := make(chan error, 2)
				go func() {
					_, err := New().Open(context.Background(), sources.Ref{Path: path}, sources.Want{})
					done <- err
					_, err = regular.Open(path + suffix)
					done <- err
				}()
				for range 2 {
					select {
					case err := <-done:
						if suffix == "" && errors.Is(err, sources.ErrUnsupported) {
							continue // what was asked for is no file at all
						}
						linked := kind.name == "device" && errors.Is(err, regular.ErrLink)
						if !errors.Is(err, sources.ErrUnreadable) || !linked && !strings.Contains(err.Error(), "is not a regular file") {
							t.Errorf("error %v", err)
						}
						if kind.name != "device" && !strings.Contains(err.Error(), filepath.Base(path)+suffix) {
							t.Errorf("the error does not name the file: %v", err)
						}
					case <-time.After(20 * time.Second):
						t.Fatal("it hangs")
					}
				}
			})
		}
	}
}

// What lies beside a database is not followed out of the store, where it may be another conversation's.
func TestLinksBesideADatabase(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		path := copyFiles(t, sample(t, newConversation(t)).path, "-wal", "-shm")
		elsewhere := filepath.Join(t.TempDir(), "elsewhere")
		if err := os.Rename(path+suffix, elsewhere); err != nil && suffix != "-journal" {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, path+suffix); err != nil {
			t.Fatal(err)
		}
		r, err := New().Open(t.Context(), sources.Ref{Path: path}, sources.Want{})
		if !errors.Is(err, sources.ErrUnreadable) || !errors.Is(err, regular.ErrLink) || !strings.Contains(err.Error(), suffix) {
			t.Errorf("%s: %v", suffix, err)
		}
		if r != nil {
			_, _ = r.Close()
		}
	}
}

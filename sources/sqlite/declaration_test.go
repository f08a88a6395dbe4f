package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo"
	"agy-reader/sources"
	"agy-reader/sources/sqlite"
)

func TestDeclaration(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "demo.db")
	if err := os.WriteFile(path, demo.Database(), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := sqlite.New().Declaration(t.Context(), sources.Ref{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	want := sources.Declaration{
		Tables:      []string{"battle_mode_infos", "executor_metadata", "gen_metadata", "parent_references", "steps", "trajectory_meta", "trajectory_metadata_blob"},
		UserVersion: 1, Fingerprint: "1ca98426f561fe73223c8620a238405030fdb3014444d970e1300a6009f72f43",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(path, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.New().Declaration(t.Context(), sources.Ref{Path: path}); !errors.Is(err, sources.ErrUnreadable) {
		t.Error(err)
	}
}

package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/agytest"
	"agy-reader/host/cli"
	"agy-reader/host/corpus"
	"agy-reader/host/diag"
	"agy-reader/host/sidecar"
	"agy-reader/host/verify"
)

// pin makes the command line talk to this daemon and to no other.
func pin(t *testing.T, d *agytest.Daemon) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("ANTIGRAVITY_DAEMON_URL", d.URL())
	t.Setenv("ANTIGRAVITY_CSRF_TOKEN", d.Token())
}

// A sidecar that --sync writes keeps the contract, evidence and all; our block has no influence on its shape.
func TestReferenceN10SyncedSidecarKeepsTheContract(t *testing.T) {
	root, path := agytest.Store(t)
	pin(t, agytest.Start(t, agytest.Options{Root: root}))
	id := strings.TrimSuffix(filepath.Base(path), ".db")
	if code, _, said := cli.Command(t, "--root", root, "--sync", id); code != diag.Complete {
		t.Fatalf("exit code %d: %s", code, said)
	}
	keepsContract(t, root, 1)
	file := sidecar.Path(path)
	s, err := sidecar.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	e, err := verify.ParseEvidence(s.Block.Completeness())
	if err != nil || e.Steps == 0 {
		t.Fatalf("%+v %v", e, err)
	}
	before := strings.Join(shapeOf(t, file), "\n")
	if strings.Contains(before, "agyReader") {
		t.Errorf("our block counts:\n%s", before)
	}
	var plain map[string]json.RawMessage
	if err := json.Unmarshal(s.Trajectory, &plain); err != nil || plain["steps"] == nil || plain["agyReader"] != nil {
		t.Errorf("%v %v", plain, err)
	}
}

// So do those of every real conversation that the daemon serves as it would; nothing in their shape is ours.
func TestSyncedCorpusKeepsTheContract(t *testing.T) {
	home := corpus.Copy(t)
	known, explained := corpus.SidecarShape(t), explanations(t)
	for _, store := range []string{"antigravity-cli", "antigravity"} {
		root := filepath.Join(home, ".gemini", store)
		pin(t, agytest.Start(t, agytest.Options{Root: root}))
		var synced []string
		for _, ending := range []string{"*.db", "*.pb"} {
			paths, err := filepath.Glob(filepath.Join(root, "conversations", ending))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				id := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
				if code, _, said := cli.Command(t, "--root", root, "--sync", id); code != diag.Complete {
					t.Errorf("%s: exit code %d: %s", id, code, said)
					continue
				}
				synced = append(synced, sidecar.Path(path))
			}
		}
		if len(synced) == 0 {
			t.Fatal("nothing was synced")
		}
		keepsContract(t, filepath.Join(root, "conversations"), len(synced))
		for _, file := range synced {
			explained.check(t, known, shapeOf(t, file))
		}
	}
}

package parents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/sidecar"
)

func kinds(findings []Finding) (out []string) {
	for _, f := range findings {
		out = append(out, f.Kind)
	}
	return out
}

// Repair passes the verification; everything else that happens to a store is found.
func TestReferenceN07BackupAndVerify(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{a: trajectory(a), b: trajectory(b, child(a)), c: trajectory(c, `,"agyReader":{"parentCascadeId":"`+a+`"}`), d: `{"broken`})
	backup := filepath.Join(t.TempDir(), "backup")
	m, err := Backup(t.Context(), dir, dir, backup)
	if err != nil || len(m.Files) != 4 || m.Files[0].MtimeNs != noon.UnixNano() {
		t.Fatal(m, err)
	}
	if info, err := os.Stat(filepath.Join(backup, "sidecars", a+sidecar.Suffix)); err != nil || !info.ModTime().Equal(noon) {
		t.Error(info, err)
	}
	verify := func(unchanged bool, want ...string) {
		t.Helper()
		_, findings, err := Verify(t.Context(), dir, backup, unchanged)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, kinds(findings)); diff != "" {
			t.Errorf("%v\n%s", findings, diff)
		}
	}
	verify(true)
	if _, err := Stamp(t.Context(), dir, true); err != nil {
		t.Fatal(err)
	}
	verify(false)
	verify(true, ChangedBytes)
	at := func(id string) string { return filepath.Join(dir, id+sidecar.Suffix) }
	write := func(id, text string) {
		t.Helper()
		if err := os.WriteFile(at(id), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(at(id), noon, noon); err != nil {
			t.Fatal(err)
		}
	}
	write(a, `{ "agyReader":{"parentCascadeId":"`+b+`"}, "cascadeId":"`+a+`"}`)
	verify(false, CycleOfParents, CycleOfParents)
	write(a, trajectory(a, `,"agyReader":{"completeness":{}}`))
	verify(false, ChangedPayload)
	write(a, trajectory(a))
	write(d, `{"broken `)
	verify(false, ChangedPayload)
	write(d, `{"broken`)
	write("e", `{}`)
	verify(false, NewFile)
	os.Remove(at("e"))
	os.Remove(at(d))
	verify(false, MissingFile)
	write(d, `{"broken`)
	if err := os.Chtimes(at(b), noon, noon.Add(time.Nanosecond)); err != nil {
		t.Fatal(err)
	}
	verify(false, ChangedTime)
	write(b, trajectory(b, child(a)))
	if err := os.WriteFile(filepath.Join(backup, "sidecars", b+sidecar.Suffix), []byte(trajectory(b, child(c))), 0o600); err != nil {
		t.Fatal(err)
	}
	verify(false, DamagedBackup)
}

func TestBackupRefuses(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{a: trajectory(a)})
	for to, want := range map[string]string{filepath.Join(dir, "x", "y"): "inside the store", t.TempDir(): "new folder"} {
		if _, err := Backup(t.Context(), dir, dir, to); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", to, err)
		}
	}
	if err := os.Symlink(dir, filepath.Join(t.TempDir(), "link")); err == nil {
		link := filepath.Join(t.TempDir(), "to")
		if err := os.Symlink(dir, link); err != nil {
			t.Fatal(err)
		}
		if _, err := Backup(t.Context(), dir, dir, filepath.Join(link, "x")); err == nil || !strings.Contains(err.Error(), "inside the store") {
			t.Error(err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Error(entries, err)
	}
	for text, want := range map[string]string{`{"manifestVersion":2}`: "version 2", `{`: "manifest.json", `{"manifestVersion":1,"files":[{"name":"../a.trajectory.json"}]}`: "no sidecar"} {
		backup := t.TempDir()
		if err := os.WriteFile(filepath.Join(backup, "manifest.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Verify(t.Context(), dir, backup, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, _, err := Verify(t.Context(), dir, t.TempDir(), false); err == nil || !strings.Contains(err.Error(), "no finished backup") {
		t.Error(err)
	}
}

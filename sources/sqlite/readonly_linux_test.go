package sqlite

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/corpus"
)

// publicDir is a folder every user may enter, unlike t.TempDir.
func publicDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "agy-sqlite-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// store lays one database of every state into a folder.
func store(t *testing.T) (dir string, want map[string]report) {
	t.Helper()
	dir = publicDir(t)
	want = map[string]report{}
	add := func(name, mode string, suffixes []string, source string) {
		for _, suffix := range append([]string{""}, suffixes...) {
			if err := copyFile(filepath.Join(dir, name+suffix), source+suffix); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Join(dir, name+suffix), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want[name] = report{Name: name, Mode: mode, Rows: sampleSteps, Digest: digest(sampleRows())}
	}
	w := sample(t, newConversation(t))
	add("crashed.db", modeShared, []string{"-wal", "-shm"}, w.path)
	add("log.db", modeImage, []string{"-wal"}, w.path)
	w.close()
	add("closed.db", modeImage, nil, w.path)
	add("hot.db", modeCopy, []string{"-journal"}, hotJournal(t))
	live := newWriter(t, filepath.Join(dir, "live.db"))
	live.exec(ddl...)
	sample(t, live)
	want["live.db"] = report{Name: "live.db", Mode: modeShared, Rows: sampleSteps, Digest: digest(sampleRows())}
	return dir, want
}

// A mode test alone proves nothing for root, so the store is read from a mount that refuses every write, and by a user who
// owns nothing.
func TestCaseB02ReadOnlyMountAndForeignUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to mount a folder read-only and to become another user")
	}
	dir, want := store(t)
	binary := filepath.Join(publicDir(t), "reader")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := copyFile(binary, self); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(binary, 0o755); err != nil {
		t.Fatal(err)
	}
	private := filepath.Join(dir, "private.db")
	if err := copyFile(private, filepath.Join(dir, "closed.db")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name           string
		mount, foreign bool
	}{{"mount", true, false}, {"user", false, true}, {"both", true, true}} {
		t.Run(test.name, func(t *testing.T) {
			before := storeState(t, dir)
			got := readElsewhere(t, filepath.Join(dir, "*.db"), func(cmd *exec.Cmd) {
				cmd.Path, cmd.Args = binary, []string{binary}
				cmd.Dir = "/"
				if test.mount {
					readOnly(t, cmd, dir, test.foreign)
				} else {
					cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
				}
			})
			if refused := got["private.db"].Error; test.foreign != strings.Contains(refused, "permission denied") {
				t.Errorf("another's private file: %q", refused)
			}
			delete(got, "private.db")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("read (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, storeState(t, dir)); diff != "" {
				t.Errorf("the store changed:\n%s", diff)
			}
		})
	}
}

const nobody = 65534

// readOnly makes cmd run where dir is mounted over itself without the right to write.
func readOnly(t *testing.T, cmd *exec.Cmd, dir string, foreign bool) {
	t.Helper()
	for _, tool := range []string{"unshare", "mount", "setpriv"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	script := `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && ! touch "$1/probe" 2>/dev/null && shift && exec "$@"`
	args := []string{"unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", dir}
	if foreign {
		args = append(args, "setpriv", "--reuid", fmt.Sprint(nobody), "--regid", fmt.Sprint(nobody), "--clear-groups")
	}
	if err := exec.Command("unshare", "--mount", "true").Run(); err != nil {
		t.Skipf("mount namespaces are not allowed here: %v", err)
	}
	path, err := exec.LookPath("unshare")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path, cmd.Args = path, append(args, cmd.Args...)
}

// The same for the real sessions.
func TestCorpusOnReadOnlyMountAsForeignUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to mount a folder read-only and to become another user")
	}
	dir := publicDir(t)
	for _, path := range corpus.Databases(t, corpus.Home(t)) {
		for _, suffix := range []string{"", "-wal"} {
			target := filepath.Join(dir, filepath.Base(path)+suffix)
			if _, err := os.Stat(path + suffix); err != nil {
				continue
			}
			if err := copyFile(target, path+suffix); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(target, 0o444); err != nil {
				t.Fatal(err)
			}
		}
	}
	binary := filepath.Join(publicDir(t), "reader")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := copyFile(binary, self); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(binary, 0o755); err != nil {
		t.Fatal(err)
	}
	before := storeState(t, dir)
	got := map[string]int{}
	for name, r := range readElsewhere(t, filepath.Join(dir, "*.db"), func(cmd *exec.Cmd) {
		cmd.Path, cmd.Args, cmd.Dir = binary, []string{binary}, "/"
		readOnly(t, cmd, dir, true)
	}) {
		if r.Error != "" {
			t.Errorf("%s: %s", name, r.Error)
		}
		got[name[:8]] = r.Rows
	}
	if diff := cmp.Diff(corpusSteps, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, storeState(t, dir)); diff != "" {
		t.Errorf("the store changed:\n%s", diff)
	}
}

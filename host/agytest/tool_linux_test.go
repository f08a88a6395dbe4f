package agytest_test

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"agy-reader/host/agytest"
	"agy-reader/host/store"
)

// A tool knows what agy exports, with the changes that a test asks for, and ends when it is stopped.
func TestTool(t *testing.T) {
	t.Parallel()
	root, _ := smallStore(t)
	d := agytest.Start(t, agytest.Options{Root: root, HowToken: agytest.Exported})
	address := "ANTIGRAVITY_LS_ADDRESS=localhost:" + port(d.URL())
	for _, test := range []struct{ changes, want []string }{
		{nil, []string{address, "ANTIGRAVITY_LS_VERSION=cli-1.4.4", "ANTIGRAVITY_CSRF_TOKEN=" + d.Token()}},
		{[]string{"ANTIGRAVITY_CSRF_TOKEN", "ANTIGRAVITY_LS_VERSION=ide-2"}, []string{address, "ANTIGRAVITY_LS_VERSION=ide-2"}},
	} {
		tool := d.Tool(t, test.changes...)
		env, err := os.ReadFile("/proc/" + itoa(tool.PID()) + "/environ")
		got := slices.DeleteFunc(strings.Split(string(env), "\x00"), func(v string) bool { return !strings.HasPrefix(v, "ANTIGRAVITY_") })
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("environment %q, %v; want %q", got, err, test.want)
		}
		stat, err := os.ReadFile("/proc/" + itoa(tool.PID()) + "/stat")
		if _, after, _ := strings.Cut(string(stat), ") "); err != nil || !strings.HasPrefix(after[2:], itoa(d.PID())+" ") {
			t.Errorf("no child of %d: %s, %v", d.PID(), stat, err)
		}
		if err := tool.Stop(); err != nil {
			t.Error(err)
		}
		waitGone(t, tool.PID())
	}
}

// Two tokens for one port are none, for as long as both are to be seen.
func TestAmbiguousTools(t *testing.T) {
	t.Parallel()
	root, _ := smallStore(t)
	d := agytest.Start(t, agytest.Options{Root: root, HowToken: agytest.Exported})
	_, forged := d.Tool(t), d.Tool(t, "ANTIGRAVITY_CSRF_TOKEN=forged")
	r := store.Root{Path: root, Surface: "cli"}
	if e, err := finder(t.TempDir(), nil).Find(t.Context(), r); err != nil || e.URL != d.URL() || e.Token.Known() {
		t.Errorf("%+v, %v", e, err)
	}
	if err := forged.Stop(); err != nil {
		t.Error(err)
	}
	if e, err := finder(t.TempDir(), nil).Find(t.Context(), r); err != nil || e.Token.Reveal() != d.Token() {
		t.Errorf("%+v, %v", e, err)
	}
}

// A daemon of another user, and one in another network namespace, run, and are nobody's to talk to.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can start processes of another user")
	}
	for name, attributes := range map[string]*syscall.SysProcAttr{
		"another user":    {Credential: &syscall.Credential{Uid: 65534, Gid: 65534}},
		"another network": {Cloneflags: syscall.CLONE_NEWNET},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, err := os.MkdirTemp("", "agytest-root-")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(root) })
			if err := os.Chmod(root, 0o777); err != nil {
				t.Fatal(err)
			}
			d := agytest.Start(t, agytest.Options{Root: root, Attributes: attributes})
			if e, err := finder(t.TempDir(), nil).Find(t.Context(), store.Root{Path: root, Surface: "cli"}); err == nil {
				t.Errorf("found %+v of process %d", e, d.PID())
			}
			if got := d.Requests(); len(got) != 0 {
				t.Errorf("received %+v", got)
			}
		})
	}
}

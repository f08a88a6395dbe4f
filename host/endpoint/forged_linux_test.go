package endpoint

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A log that leads out of the store, is no file, is another user's or has been swapped does not count.
func TestForgedLog(t *testing.T) {
	t.Parallel()
	for name, forge := range map[string]func(*tree, process){
		"link out of the store": func(tr *tree, p process) {
			out := filepath.Join(filepath.Dir(tr.root.Path), "out.log")
			tr.write(out, logText(p.port))
			tr.link(out, p.log)
		},
		"FIFO": func(tr *tree, p process) {
			os.Remove(p.log)
			if err := syscall.Mkfifo(p.log, 0o600); err != nil {
				tr.t.Fatal(err)
			}
		},
		"another user's": func(tr *tree, p process) {
			if err := os.Chown(p.log, os.Geteuid()+1, -1); err != nil {
				tr.t.Skip("only root can give a file away")
			}
		},
		"deleted": func(tr *tree, p process) { tr.link(p.log+" (deleted)", filepath.Join(tr.dir, "7", "fd", "3")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr, s := newTree(t), serve(t)
			p := tr.agy(7, s.port, "--csrf_token=T")
			tr.add(p)
			forge(tr, p)
			e, err := visit(t, tr.finder(), tr.root)
			if got := s.received(); e.PID != 0 || got != "" && (got != "none" || name != "deleted") {
				t.Errorf("received %q, %+v, %v", got, e, err)
			}
		})
	}
}

// By the log alone only a port of our own user counts, and a link from cli.log into the store is followed.
func TestCLILog(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	log := filepath.Join(tr.root.Path, "log", "cli-20260616_224517.log")
	tr.write(log, logText(s.port))
	for _, link := range []string{"log/cli-20260616_224517.log", log, ""} {
		if link != "" {
			tr.link(link, filepath.Join(tr.root.Path, "cli.log"))
		} else {
			os.Remove(filepath.Join(tr.root.Path, "cli.log"))
		}
		tr.table.Reset()
		tr.socket("127.0.0.1", s.port, os.Geteuid()+1)
		tr.sync()
		if _, err := visit(t, tr.finder(), tr.root); err == nil || !strings.Contains(err.Error(), "belongs to another user") || s.received() != "" {
			t.Errorf("%q, another user's: %v", link, err)
		}
		tr.table.Reset()
		tr.socket("127.0.0.1", s.port, os.Geteuid())
		tr.sync()
		if e, err := visit(t, tr.finder(), tr.root); err != nil || s.received() != "none" {
			t.Errorf("%q: %+v, %v", link, e, err)
		}
	}
	out := filepath.Join(filepath.Dir(tr.root.Path), "out.log")
	tr.write(out, logText(s.port))
	tr.link(out, filepath.Join(tr.root.Path, "cli.log"))
	if _, err := visit(t, tr.finder(), tr.root); err == nil || s.received() != "" {
		t.Errorf("a link out of the store: %v", err)
	}
	f := New(testEnvironment("", nil))
	f.goos = "darwin"
	tr.link(log, filepath.Join(tr.root.Path, "cli.log"))
	if e, err := visit(t, f, tr.root); err != nil || s.received() != "none" {
		t.Errorf("on macOS: %+v, %v", e, err)
	}
}

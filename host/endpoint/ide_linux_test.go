package endpoint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/store"
)

// ide is a language server that a tree runs, with the logs of one layout.
func (tr *tree) ide(pid int, s *server, args ...string) store.Root {
	p := process{pid: pid, start: pid * 10, uid: os.Geteuid(), net: "net:[1]", args: append([]string{"/opt/ls/language_server_linux_x64"}, args...), port: s.port}
	tr.add(p)
	return store.Root{Path: filepath.Join(filepath.Dir(tr.root.Path), ".gemini", "antigravity"), Surface: "ide"}
}

func (tr *tree) logs(files map[string]string) {
	writeLogs(tr.t, filepath.Dir(tr.root.Path), files)
}

func portLineOf(port int) string { return strings.Replace(portLine, "5555", fmt.Sprint(port), 1) }

// The token of the IDE goes to the IDE's server only: not to a store of the CLI, and not to an agy that now has the port.
func TestReferenceN25IDETokenNotForCLI(t *testing.T) {
	t.Parallel()
	tr, s, cli := newTree(t), serve(t), serve(t)
	tr.logs(map[string]string{"20260408T210521/ls-main.log": argsLine + "--csrf_token T --app_data_dir antigravity\n" + portLineOf(s.port)})
	root := tr.ide(7, s, "--standalone", "--csrf_token", "T", "--extension_server_csrf_token", "U")
	tr.add(tr.agy(8, cli.port))
	f := tr.finder()
	if e, err := visit(t, f, root); err != nil || s.received() != "T" || e.PID != 7 || cli.received() != "" {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err := visit(t, f, tr.root); err != nil || cli.received() != "none" || s.received() != "" {
		t.Errorf("the CLI's: %+v, %v", e, err)
	}
	tr.env[urlVariable] = localURL(cli.port)
	if _, err := visit(t, f, root); err != nil || cli.received() != "none" {
		t.Errorf("pinned to the CLI's: %v", err)
	}
	if _, err := visit(t, f, tr.root); err != nil || cli.received() != "none" {
		t.Errorf("pinned to the CLI's, for its store: %v", err)
	}
	tr.env[urlVariable] = localURL(s.port)
	if _, err := visit(t, f, tr.root); err != nil || s.received() != "none" {
		t.Errorf("pinned to the IDE's, for the CLI's store: %v", err)
	}
	if _, err := visit(t, f, root); err != nil || s.received() != "T" {
		t.Errorf("pinned to the IDE's: %v", err)
	}
	delete(tr.env, urlVariable)

	// The IDE ended, and an agy has its port.
	tr = newTree(t)
	tr.logs(map[string]string{"language_server.log": portLineOf(cli.port), "main.log": spawnLine + "--csrf_token T\n"})
	tr.add(tr.agy(8, cli.port))
	if e, err := visit(t, tr.finder(), root); err == nil || cli.received() != "" {
		t.Errorf("%+v", e)
	}
}

// A port in an old log of the IDE that another user or another program has by now gets nothing.
func TestIDEPortChangedHands(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	tr.logs(map[string]string{"language_server.log": portLineOf(s.port), "main.log": spawnLine + "--csrf_token T\n"})
	root := tr.ide(7, s, "--csrf_token", "U")
	if e, err := visit(t, tr.finder(), root); err == nil || s.received() != "" || !strings.Contains(err.Error(), "another token") {
		t.Errorf("another program: %+v, %v", e, err)
	}
	tr.remove(7)
	tr.table.Reset()
	tr.socket("0.0.0.0", s.port, os.Geteuid()+1)
	tr.sync()
	if e, err := visit(t, tr.finder(), root); err == nil || s.received() != "" || !strings.Contains(err.Error(), "another user") {
		t.Errorf("another user: %+v, %v", e, err)
	}
	tr.table.Reset()
	tr.sync()
	if e, err := visit(t, tr.finder(), root); err == nil || s.received() != "" {
		t.Errorf("nobody that can be seen: %+v, %v", e, err)
	}
}

// Of both layouts the one written last counts, and one of another store does not.
func TestIDELayouts(t *testing.T) {
	t.Parallel()
	tr, flat, stamped := newTree(t), serve(t), serve(t)
	root := tr.ide(7, flat, "--csrf_token", "T")
	tr.ide(8, stamped, "--csrf_token", "U")
	tr.logs(map[string]string{
		"language_server.log": portLineOf(flat.port), "main.log": spawnLine + "--csrf_token T\n",
		"20260408T210521/ls-main.log": argsLine + "--csrf_token U\n" + portLineOf(stamped.port),
	})
	folder := filepath.Join(filepath.Dir(tr.root.Path), ".config", "Antigravity", "logs")
	older := func(name string) {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(folder, name), info.ModTime(), info.ModTime().Add(-3600e9)); err != nil {
			t.Fatal(err)
		}
	}
	f := tr.finder()
	older("language_server.log")
	e, err := visit(t, f, root)
	if err != nil || stamped.received() != "U" || flat.received() != "" {
		t.Errorf("%+v, %v", e, err)
	}
	if others, err := f.Others(t.Context(), root, e); err != nil || len(others) != 1 || others[0].URL != localURL(flat.port) || others[0].Token.Reveal() != "T" {
		t.Errorf("others %+v, %v", others, err)
	}
	older("20260408T210521/ls-main.log")
	older("20260408T210521/ls-main.log")
	if e, err := visit(t, f, root); err != nil || flat.received() != "T" || stamped.received() != "" {
		t.Errorf("%+v, %v", e, err)
	}
	second := store.Root{Path: filepath.Join(filepath.Dir(root.Path), "antigravity-ide"), Surface: "ide2"}
	tr.logs(map[string]string{"20260408T210521/ls-main.log": argsLine + "--csrf_token U --app_data_dir antigravity-ide\n" + portLineOf(stamped.port)})
	os.Remove(filepath.Join(folder, "language_server.log"))
	if e, err := visit(t, f, root); err == nil {
		t.Errorf("the server of another store: %+v", e)
	}
	if e, err := visit(t, f, second); err != nil || stamped.received() != "U" {
		t.Errorf("%+v, %v", e, err)
	}
}

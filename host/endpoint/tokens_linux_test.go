package endpoint

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/sources/daemon"
)

// Two tokens for one port: none.
func TestReferenceN21TwoTokens(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	tr.add(tr.agy(7, s.port))
	tr.add(tool(8, s.port, "T"))
	tr.add(tool(9, s.port, "T"))
	f := tr.finder()
	if _, err := visit(t, f, tr.root); err != nil || s.received() != "T" {
		t.Fatalf("the same token twice: %v", err)
	}
	tr.add(tool(10, s.port, "U"))
	if _, err := visit(t, f, tr.root); err != nil || s.received() != "none" {
		t.Errorf("not none, %v", err)
	}
	tr.remove(8)
	tr.remove(9)
	tr.remove(10)
	if _, err := visit(t, f, tr.root); err != nil || s.received() != "none" {
		t.Errorf("an ambiguous token was kept, %v", err)
	}
}

// An older daemon with a token is better than a newer one without.
func TestReferenceN22OlderWithToken(t *testing.T) {
	t.Parallel()
	tr, older, newer := newTree(t), serve(t), serve(t)
	tr.add(tr.agy(7, older.port, "--csrf_token=T"))
	tr.add(tr.agy(8, newer.port))
	f := tr.finder()
	if e, err := visit(t, f, tr.root); err != nil || e.PID != 7 || older.received() != "T" || newer.received() != "" {
		t.Errorf("%+v, %v", e, err)
	}
	tr.remove(7)
	if e, err := visit(t, f, tr.root); err != nil || e.PID != 8 || newer.received() != "none" {
		t.Errorf("%+v, %v", e, err)
	}
}

// The newer of two daemons with tokens is called, and with its own.
func TestCaseK03OwnToken(t *testing.T) {
	t.Parallel()
	tr, older, newer := newTree(t), serve(t), serve(t)
	tr.add(tr.agy(7, older.port, "--csrf_token=T"))
	tr.add(tr.agy(8, newer.port))
	tr.add(tool(9, newer.port, "U"))
	f := tr.finder()
	e, err := visit(t, f, tr.root)
	if err != nil || e.PID != 8 || newer.received() != "U" || older.received() != "" {
		t.Errorf("%+v, %v", e, err)
	}
	others, err := f.Others(t.Context(), tr.root, e)
	if err != nil || len(others) != 1 || others[0].PID != 7 || others[0].Token != daemon.NewToken("T") {
		t.Errorf("others %+v, %v", others, err)
	}
}

// Address and token are of one look: a daemon on a new port does not get the old one's token.
func TestReferenceN23OneLook(t *testing.T) {
	t.Parallel()
	tr, before, after := newTree(t), serve(t), serve(t)
	tr.add(tr.agy(7, before.port))
	tr.add(tool(8, before.port, "T"))
	f := tr.finder()
	if _, err := visit(t, f, tr.root); err != nil || before.received() != "T" {
		t.Fatal(err)
	}
	// The same number, another process: the token is forgotten, though a tool of the first one still runs.
	tr.remove(7)
	p := tr.agy(7, after.port)
	p.start, p.log = 100, filepath.Join(tr.root.Path, "log", "cli-again.log")
	tr.add(p)
	if e, err := visit(t, f, tr.root); err != nil || e.URL != localURL(after.port) || after.received() != "none" || before.received() != "" {
		t.Errorf("%+v, %v", e, err)
	}
	tr.add(tool(9, after.port, "U")) // started before its agy: it is of another one that had the port
	if _, err := visit(t, f, tr.root); err != nil || after.received() != "none" {
		t.Errorf("an older tool's token: %v", err)
	}
	tr.add(tool(11, after.port, "V"))
	if _, err := visit(t, f, tr.root); err != nil || after.received() != "V" {
		t.Errorf("a tool's token: %v", err)
	}
}

// The token outlives the tool that knew it, for the same endpoint of the same process.
func TestReferenceN24KeptToken(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	tr.add(tr.agy(7, s.port))
	tr.add(tool(8, s.port, "T"))
	f := tr.finder()
	if _, err := visit(t, f, tr.root); err != nil || s.received() != "T" {
		t.Fatal(err)
	}
	tr.remove(8)
	if _, err := visit(t, f, tr.root); err != nil || s.received() != "T" {
		t.Errorf("after the tool: %v", err)
	}
	if _, err := visit(t, tr.finder(), tr.root); err != nil || s.received() != "none" {
		t.Errorf("another Finder: %v", err)
	}
	p := tr.agy(7, s.port)
	p.start++
	tr.remove(7)
	tr.add(p)
	// The made-up table has the old process's socket too, so that the address is shared now; the log still leads there.
	if e, err := visit(t, f, tr.root); err != nil || s.received() != "none" || e.PID != 0 {
		t.Errorf("another process of that number: %+v, %v", e, err)
	}
	if len(f.kept) != 0 {
		t.Errorf("tokens of processes that ended: %d", len(f.kept))
	}
}

// In pair mode the token is in agy's own environment, and counts while the placeholder is its first argument.
func TestPairSlot(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args  []string
		token string
		want  string
	}{
		{[]string{"--pair_token_slot=1", "--continue"}, "T", "T"},
		{[]string{"--pair_token_slot=1"}, "", "none"},
		{[]string{"--pair_token_slot=2"}, "T", "none"},
		{[]string{"--pair_token_slot", "1"}, "T", "none"},
		{[]string{"--continue", "--pair_token_slot=1"}, "T", "none"},
		{nil, "T", "none"},
	} {
		tr, s := newTree(t), serve(t)
		p := tr.agy(7, s.port, test.args...)
		p.env = []string{"ANTIGRAVITY_PAIR_TOKEN=" + test.token}
		tr.add(p)
		if _, err := visit(t, tr.finder(), tr.root); err != nil || s.received() != test.want {
			t.Errorf("%q: not %s, %v", test.args, test.want, err)
		}
	}
}

// What a tool exports counts only as agy exports it.
func TestExports(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	tr.add(tr.agy(7, s.port))
	address := fmt.Sprint("127.0.0.1:", s.port)
	for i, env := range [][]string{
		{versionVariable + "=ide-2.25.0", addressVariable + "=" + address, tokenVariable + "=T"},
		{addressVariable + "=" + address, tokenVariable + "=T"},
		{versionVariable + "=cli-1.4.4", addressVariable + "=" + address, tokenVariable + "="},
		{versionVariable + "=cli-1.4.4", addressVariable + "=" + fmt.Sprint("example.com:", s.port), tokenVariable + "=T"},
		{versionVariable + "=cli-1.4.4", addressVariable + "=127.0.0.1:0", tokenVariable + "=T"},
		{versionVariable + "=cli-1.4.4", addressVariable + "=127.0.0.1", tokenVariable + "=T"},
	} {
		p := tool(20+i, s.port, "")
		p.env = env
		tr.add(p)
		if _, err := visit(t, tr.finder(), tr.root); err != nil || s.received() != "none" {
			t.Errorf("%q: %v", env, err)
		}
	}
	for i, change := range []func(*process){func(p *process) { p.uid++ }, func(p *process) { p.net = "net:[2]" }} {
		p := tool(40+i, s.port, "T")
		change(&p)
		tr.add(p)
		if _, err := visit(t, tr.finder(), tr.root); err != nil || s.received() != "none" {
			t.Errorf("tool %d: %v", i, err)
		}
	}
	p := tool(50, s.port, "T")
	p.env = append([]string{"BIG=" + strings.Repeat("x", 1<<20)}, p.env...) // what lies behind a mebibyte is not read
	tr.add(p)
	if _, err := visit(t, tr.finder(), tr.root); err != nil || s.received() != "none" {
		t.Errorf("behind a mebibyte: %v", err)
	}
	p = tool(51, s.port, "T")
	p.env[1] = addressVariable + "=localhost:" + fmt.Sprint(s.port)
	tr.add(p)
	if _, err := visit(t, tr.finder(), tr.root); err != nil || s.received() != "T" {
		t.Errorf("localhost: %v", err)
	}
}

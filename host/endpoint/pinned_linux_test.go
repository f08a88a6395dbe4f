package endpoint

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"agy-reader/sources/daemon"
)

// An address that is more than this machine's port, or another host's, gets no token that was found.
func TestReferenceN28PinnedAddress(t *testing.T) {
	t.Parallel()
	tr, s := newTree(t), serve(t)
	tr.add(tr.agy(7, s.port, "--csrf_token=T"))
	f := tr.finder()
	for text, want := range map[string]string{
		"http://127.0.0.1:%d": "T", " http://127.0.0.1:%d/ ": "T", "http://localhost:%d": "T", "http://127.0.0.1:%d/path": "none", "http://u@127.0.0.1:%d": "none", "http://127.0.0.2:%d": "",
	} {
		tr.env[urlVariable] = fmt.Sprintf(text, s.port)
		e, err := visit(t, f, tr.root)
		if got := s.received(); got != want || !e.Pinned || (err != nil) != (want == "") {
			t.Errorf("%s: received %q, %+v, %v", text, got, e, err)
		}
		if others, err := f.Others(t.Context(), tr.root); len(others) != 0 || err != nil {
			t.Errorf("others of a pinned address: %+v, %v", others, err)
		}
	}
	other := serve(t)
	tr.env[urlVariable] = localURL(other.port)
	if _, err := visit(t, f, tr.root); err != nil || other.received() != "none" {
		t.Errorf("another port: %v", err)
	}
	tr.env[tokenVariable] = " mine\n"
	if _, err := visit(t, f, tr.root); err != nil || other.received() != "mine" {
		t.Errorf("with the user's token: %v", err)
	}
	tr.env[urlVariable] = fmt.Sprintf("http://u:secret@127.0.0.1:%d", deadPort(t))
	var pinned *PinnedError
	if e, err := f.Find(t.Context(), tr.root); !errors.As(err, &pinned) || !errors.Is(err, syscall.ECONNREFUSED) || !errors.Is(err, daemon.ErrUnavailable) || strings.Contains(err.Error(), "secret") || !e.Pinned {
		t.Errorf("nobody listens: %+v, %v", e, err)
	}
	tr.env[urlVariable] = "127.0.0.1"
	if _, err := f.Find(t.Context(), tr.root); !errors.Is(err, daemon.ErrEndpoint) {
		t.Errorf("no address: %v", err)
	}
}

// The user's token goes to what is found; inside a tool that agy runs it is that agy's, and goes to its port alone.
func TestTokenVariable(t *testing.T) {
	t.Parallel()
	tr, one, two := newTree(t), serve(t), serve(t)
	tr.add(tr.agy(7, one.port, "--csrf_token=T"))
	tr.add(tr.agy(8, two.port, "--csrf_token=U"))
	tr.env[tokenVariable] = "T"
	if _, err := visit(t, tr.finder(), tr.root); err != nil || one.received() != "T" || two.received() != "" {
		t.Errorf("the token of one of them: %v", err)
	}
	tr.env[tokenVariable] = "mine"
	if _, err := visit(t, tr.finder(), tr.root); err != nil || two.received() != "mine" {
		t.Errorf("another token: %v", err)
	}
	tr.env[tokenVariable], tr.env[addressVariable] = "V", fmt.Sprint("127.0.0.1:", deadPort(t))
	if _, err := visit(t, tr.finder(), tr.root); err != nil || two.received() != "U" || one.received() != "" {
		t.Errorf("the token of a third: %v", err)
	}
	tr.env[addressVariable] = fmt.Sprint("127.0.0.1:", one.port)
	if _, err := visit(t, tr.finder(), tr.root); err != nil || one.received() != "V" || two.received() != "" {
		t.Errorf("inside a tool: %v", err)
	}
}

package cli

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

func TestInertWriterIsInertHoweverItIsCut(t *testing.T) {
	t.Parallel()
	const text = "plain\n\x1b]0;title\x07\tré日本👩‍💻\u202e end\n"
	var whole bytes.Buffer
	w := &inertWriter{out: &whole}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsAny(whole.Bytes(), "\x1b\x07\u202e") || !utf8.Valid(whole.Bytes()) || !bytes.Contains(whole.Bytes(), []byte("日本")) {
		t.Fatalf("not inert, or not the text: %q", whole.String())
	}
	for size := 1; size < 9; size++ {
		var got bytes.Buffer
		w := &inertWriter{out: &got}
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			if written, err := w.Write(rest[:n]); err != nil || written != n {
				t.Fatal(written, err)
			}
			rest = rest[n:]
		}
		if got.String() != whole.String() {
			t.Errorf("in pieces of %d: %q, want %q", size, got.String(), whole.String())
		}
	}
}

// Errors of the reference's commands may quote arguments, files and what a daemon says.
func TestReferenceErrorsAreInert(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	var errs bytes.Buffer
	code := Run(t.Context(), []string{"agy-reader", "--sync", "\x1b]0;x\x07\u009b\u202e"}, Streams{Out: &errs, Err: &errs}, "")
	if code == 0 || bytes.ContainsAny(errs.Bytes(), "\x1b\x07\u009b\u202e") || !bytes.HasSuffix(errs.Bytes(), []byte("\n")) {
		t.Errorf("exit code %d: %q", code, errs.String())
	}
}

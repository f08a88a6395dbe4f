package sqlite

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources"
)

// wrapperPayload is a wrapper with an empty step inside.
func wrapperPayload() []byte {
	raw := []byte{}
	for _, number := range []protowire.Number{6, 2, 140} {
		raw = protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), raw)
	}
	return append([]byte{0x08, 0x84, 0x01, 0x20, 0x03}, raw...)
}

func TestProfileIsChosenByTheLastSteps(t *testing.T) {
	t.Parallel()
	addWrapper := func(w *writer, index int, more ...byte) {
		w.t.Helper()
		payload := append(wrapperPayload(), more...)
		if _, err := w.db.Exec("INSERT INTO steps(idx, step_type, status, step_payload) VALUES (?, 132, 3, ?)", index, payload); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name, want string
		unverified bool
		fill       func(w *writer)
	}{
		{"typed steps", "agy-1.0.4", false, func(w *writer) { sample(w.t, w) }},
		{"no step", "agy-1.0.4", false, func(*writer) {}},
		{"a wrapper long before the end", "agy-1.1.14", false, func(w *writer) {
			addWrapper(w, -1)
			sample(w.t, w)
		}},
		{"a wrapper too big to look at", "agy-1.0.4", false, func(w *writer) {
			sample(w.t, w)
			addWrapper(w, 100, append([]byte{0xaa, 0x01, 0x80, 0x80, 0x08}, make([]byte, 128<<10)...)...) // field 21
		}},
		{"a last step that nobody knows", "agy-1.1.14", true, func(w *writer) {
			sample(w.t, w)
			w.exec("INSERT INTO steps(idx, step_type, status, step_payload) VALUES (100, 999, 3, x'08e707')")
		}},
		{"payloads of other types", "agy-1.0.4", false, func(w *writer) {
			w.exec("INSERT INTO steps(idx, step_type, step_payload) VALUES (0, 132, 'text'), (1, 132, 5), (2, 132, NULL), (3, 132, 1.5)")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newConversation(t)
			test.fill(w)
			path := copyFiles(t, w.path, "-wal")
			r, err := New().Open(t.Context(), sources.Ref{Path: path}, sources.Want{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			p := r.Header().GetProvenance()
			if p.GetProfile() != test.want || p.GetUnverified() != test.unverified {
				t.Errorf("profile %s, unverified %v (%s); want %s, %v", p.GetProfile(), p.GetUnverified(), p.GetProfileReason(), test.want, test.unverified)
			}
			ev, err := New().Evidence(t.Context(), sources.Ref{Path: path})
			if err != nil || ev.SchemaFingerprint != knownFingerprint || ev.Storage != "db" || ev.Version != "" || len(ev.Samples) > 2*evidenceRows {
				t.Errorf("evidence %s %s, %d samples, %v", ev.Storage, ev.SchemaFingerprint, len(ev.Samples), err)
			}
			for _, raw := range ev.Samples {
				if len(raw) > evidenceBytes {
					t.Errorf("a sample has %d bytes", len(raw))
				}
			}
		})
	}
}

// A list looks at no step to choose a profile.
func TestPeekSamplesNothing(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	w.exec("INSERT INTO steps(idx, step_type, status, step_payload) VALUES (0, 999, 3, x'08e707')")
	r, err := New().Open(t.Context(), sources.Ref{Path: copyFiles(t, w.path, "-wal")}, sources.Want{Peek: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if p := r.Header().GetProvenance(); p.GetProfile() != "agy-1.0.4" || p.GetUnverified() || strings.Contains(p.GetProfileReason(), "everything") {
		t.Errorf("profile %s, unverified %v: %s", p.GetProfile(), p.GetUnverified(), p.GetProfileReason())
	}
}

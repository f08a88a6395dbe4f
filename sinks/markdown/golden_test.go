package markdown_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/events/stored"
	"agy-reader/sinks/markdown"
)

var update = flag.Bool("update", false, "write the golden files")

// parts collects the parts of the one artifact.
type parts [2]struct{ bytes.Buffer }

type part struct{ *bytes.Buffer }

func (part) Close() error { return nil }

func (p *parts) Create(_, _ string, number uint32) (io.WriteCloser, error) {
	return part{&p[number].Buffer}, nil
}

func (p *parts) text() string { return p[0].String() + p[1].String() }

// write feeds a session; ahead renders all events before the first is delivered.
func write(t testing.TB, req *sinks.Request, all []*tv1.Event, ahead bool) string {
	t.Helper()
	var out parts
	session, err := markdown.New().Open(t.Context(), req, &out)
	if err != nil {
		t.Fatal(err)
	}
	renderer := session.(sinks.Renderer)
	rendered := make([][]byte, len(all))
	for i, ev := range all {
		if rendered[i], err = renderer.Render(nil, ev); err != nil {
			t.Fatal(err)
		}
	}
	for i, ev := range all {
		if ahead {
			err = renderer.Rendered(ev, rendered[i])
		} else {
			err = session.Event(ev)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	return out.text()
}

func sample(t testing.TB) []*tv1.Event { return stored.Events(t, "sample") }

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		req  sinks.Request
	}{
		{name: "whole", req: sinks.Request{BaseName: "x"}},
		{name: "sample", req: sinks.Request{BaseName: "x"}},
		{name: "tokyo", req: sinks.Request{BaseName: "x", TimeZone: "Asia/Tokyo", Notice: "Read offline; *not* attested."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			all := sample(t)
			if tt.name == "whole" {
				all = stored.Events(t, tt.name)
			}
			got := write(t, &tt.req, all, false)
			path := filepath.Join("testdata", tt.name+".md")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if ahead := write(t, &tt.req, all, true); ahead != got {
				t.Error("rendering ahead gives other bytes")
			}
		})
	}
}

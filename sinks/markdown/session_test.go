package markdown_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/markdown"
)

func TestDescribe(t *testing.T) {
	t.Parallel()
	want := sinks.Info{
		Name: "markdown", Summary: "one CommonMark file for reading, searching and reviewing", MediaType: "text/markdown; charset=utf-8",
		Suffix: ".md", Needs: sinks.Needs{Blocks: true, Nested: true},
	}
	if diff := cmp.Diff(want, markdown.New().Describe()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	full := errors.New("full")
	for _, tt := range []struct {
		name string
		ctx  context.Context
		req  sinks.Request
		out  sinks.Artifacts
		want error
	}{
		{"options", t.Context(), sinks.Request{Options: []byte(`{"a":1}`)}, new(parts), sinks.ErrOptions},
		{"zone", t.Context(), sinks.Request{TimeZone: "Nowhere/City"}, new(parts), sinks.ErrOptions},
		{"canceled", canceled, sinks.Request{}, new(parts), context.Canceled},
		{"no artifact", t.Context(), sinks.Request{}, &faulty{failure: full, creates: 0}, full},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := markdown.New().Open(tt.ctx, &tt.req, tt.out); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

// faulty fails from a call on: creates, writes or closes of that number and later.
type faulty struct {
	failure                 error
	creates, writes, closes int
}

func (f *faulty) Create(string, string, uint32) (io.WriteCloser, error) {
	if f.creates--; f.creates < 0 {
		return nil, f.failure
	}
	return f, nil
}

func (f *faulty) Write(p []byte) (int, error) {
	if f.writes--; f.writes < 0 {
		return 0, f.failure
	}
	return len(p), nil
}

func (f *faulty) Close() error {
	if f.closes--; f.closes < 0 {
		return f.failure
	}
	return nil
}

func TestWriteErrorsArriveOnce(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	for _, out := range []*faulty{
		{creates: 2, writes: 0, closes: 2},
		{creates: 2, writes: 1, closes: 2},
		{creates: 1, writes: 9, closes: 2},
		{creates: 2, writes: 9, closes: 0},
		{creates: 2, writes: 9, closes: 1},
	} {
		out.failure = full
		session, err := markdown.New().Open(t.Context(), &sinks.Request{BaseName: "x"}, out)
		if err != nil {
			t.Fatal(err)
		}
		for _, ev := range sample(t) {
			if err = session.Event(ev); err != nil {
				break
			}
		}
		if err == nil {
			err = session.Close()
		} else {
			session.Abort()
		}
		if !errors.Is(err, full) {
			t.Errorf("%+v: got %v", out, err)
		}
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	begin := &tv1.Event{Body: &tv1.Event_Begin{Begin: &tv1.Header{}}}
	end := &tv1.Event{Body: &tv1.Event_End{End: &tv1.Footer{}}}
	step := &tv1.Event{Body: &tv1.Event_Step{Step: &tv1.Step{}}}
	for _, tt := range []struct {
		name   string
		events []*tv1.Event
	}{
		{"step first", []*tv1.Event{step}},
		{"end first", []*tv1.Event{end}},
		{"step after the end", []*tv1.Event{begin, end, step}},
		{"begin after the end", []*tv1.Event{begin, end, begin}},
		{"no end", []*tv1.Event{begin, step}},
		{"nested without end", []*tv1.Event{begin, begin, end}},
	} {
		for _, ahead := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				session, err := markdown.New().Open(t.Context(), &sinks.Request{}, new(parts))
				if err != nil {
					t.Fatal(err)
				}
				for _, ev := range tt.events {
					if ahead {
						err = session.(sinks.Renderer).Rendered(ev, nil)
					} else {
						err = session.Event(ev)
					}
					if err != nil {
						return
					}
				}
				if session.Close() == nil {
					t.Error("accepted")
				}
			})
		}
	}
}

// TestDeepNesting: heading levels stop at six, and every begin has its end.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	var all []*tv1.Event
	for range 9 {
		all = append(all, &tv1.Event{Body: &tv1.Event_Begin{Begin: &tv1.Header{ConversationId: "c"}}}, &tv1.Event{Body: &tv1.Event_Step{Step: &tv1.Step{Kind: "X"}}})
	}
	for range 9 {
		all = append(all, &tv1.Event{Body: &tv1.Event_End{End: &tv1.Footer{}}})
	}
	text := write(t, &sinks.Request{}, all, false)
	if strings.Contains(text, "#######") || strings.Count(text, "# Subagent\n") != 8 || strings.Count(text, "**End of the subagent (not recorded)**") != 8 {
		t.Error(text)
	}
	if found := read(t, dialects["CommonMark"], text); len(found.headings) != 1+8+9+1 {
		t.Errorf("headings %q", found.headings)
	}
}

// TestLocalZoneDoesNotMatter is not parallel: it changes the zone of the process.
func TestLocalZoneDoesNotMatter(t *testing.T) {
	want := write(t, &sinks.Request{}, sample(t), false)
	saved := time.Local
	t.Cleanup(func() { time.Local = saved })
	time.Local = time.FixedZone("far", 14*3600)
	t.Setenv("LC_ALL", "tr_TR.UTF-8")
	if got := write(t, &sinks.Request{}, sample(t), false); got != want {
		t.Error("the output depends on where it is made")
	}
}

// TestBigStepsPassThrough: a step larger than the buffer is written at once and whole.
func TestBigStepsPassThrough(t *testing.T) {
	t.Parallel()
	all := []*tv1.Event{{Body: &tv1.Event_Begin{Begin: &tv1.Header{}}}}
	for range 3 {
		all = append(all, &tv1.Event{Body: &tv1.Event_Step{Step: &tv1.Step{Blocks: []*tv1.Block{{Text: prose}}}}})
	}
	all = append(all, &tv1.Event{Body: &tv1.Event_End{End: &tv1.Footer{}}})
	plain := write(t, &sinks.Request{}, all, false)
	if ahead := write(t, &sinks.Request{}, all, true); ahead != plain || strings.Count(plain, prose) != 3 {
		t.Error("big steps differ")
	}
}

// TestRenderInManyGoroutines means something under the race detector.
func TestRenderInManyGoroutines(t *testing.T) {
	t.Parallel()
	r, all := rendering(t), sample(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for _, ev := range all {
				if _, err := r.Render(nil, ev); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

// TestLongBodiesFold: a long output stands in details, between blank lines, and is read back from there.
func TestLongBodiesFold(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("</details> <b>\n", 60)
	all := []*tv1.Event{
		{Body: &tv1.Event_Begin{Begin: &tv1.Header{}}},
		{Body: &tv1.Event_Step{Step: &tv1.Step{Role: tv1.Role_ROLE_TOOL, Blocks: []*tv1.Block{
			{Text: body, Label: "Output <i>", Detail: &tv1.Block_Code{Code: &tv1.Code{}}},
		}}}},
		{Body: &tv1.Event_End{End: &tv1.Footer{}}},
	}
	text := write(t, &sinks.Request{}, all, false)
	want := "\n\n<details>\n<summary>Output &lt;i&gt; · 60 lines · 900 B</summary>\n\n```\n" + body + "``` \n\n</details>\n\n"
	if !strings.Contains(text, want) {
		t.Error(text)
	}
	for name, dialect := range dialects {
		if diff := cmp.Diff([]string{body}, read(t, dialect, text).bodies); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

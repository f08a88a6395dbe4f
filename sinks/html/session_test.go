package html_test

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/html"
)

// Pages whose steps were rendered ahead, in any order and at once, are the same pages.
func TestRenderedAheadIsEqual(t *testing.T) {
	t.Parallel()
	events := append(sample()[:len(sample())-1:len(sample())-1], end(sampleFooter()))
	want := render(t, events)
	var out parts
	session := open(t, &out)
	texts := make([][]byte, len(events))
	var wg sync.WaitGroup
	for i := range events {
		wg.Go(func() {
			prefix := []byte("kept")
			text, err := session.Render(prefix, events[i])
			if err != nil || string(text[:4]) != "kept" {
				t.Errorf("event %d: %v", i, err)
			}
			texts[i] = text[4:]
		})
	}
	wg.Wait()
	for i, ev := range events {
		if err := session.Rendered(ev, texts[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.joined(t)); diff != "" {
		t.Error(diff)
	}
}

// What the overview needs must be copied: the memory of an event is used again after the call.
func TestEventMemoryIsNotKept(t *testing.T) {
	t.Parallel()
	var out parts
	session := open(t, &out)
	text := []byte("a title")
	events := []*transcriptv1.Event{
		begin(&transcriptv1.Header{
			Title:         &transcriptv1.Sourced{Value: "x"},
			WorkspaceUris: []string{unsafe.String(&text[0], len(text))},
		}),
		end(&transcriptv1.Footer{Completeness: unsafe.String(&text[0], len(text))}),
	}
	for _, ev := range events {
		copy(text, "a title")
		if err := session.Event(ev); err != nil {
			t.Fatal(err)
		}
		copy(text, "changed")
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if page := out.joined(t); strings.Contains(page, "changed") || strings.Count(page, "a title") != 2 {
		t.Error("the page holds what the memory was changed to")
	}
}

func TestStreamsOutOfOrder(t *testing.T) {
	t.Parallel()
	first, last := begin(&transcriptv1.Header{}), end(&transcriptv1.Footer{})
	for _, test := range []struct {
		name   string
		events []*transcriptv1.Event
		want   string
	}{
		{"step first", []*transcriptv1.Event{step(&transcriptv1.Step{})}, "outside of a trajectory"},
		{"end first", []*transcriptv1.Event{last}, "never started"},
		{"no end", []*transcriptv1.Event{first}, "ended before"},
		{"open inside", []*transcriptv1.Event{first, first, last}, "ended before"},
		{"nothing", nil, "ended before"},
		{"two conversations", []*transcriptv1.Event{first, last, first}, "after the conversation ended"},
		{"step behind the end", []*transcriptv1.Event{first, last, step(&transcriptv1.Step{})}, "outside of a trajectory"},
		{"end twice", []*transcriptv1.Event{first, last, last}, "never started"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			session := open(t, &parts{})
			err := feed(session, test.events)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			session.Abort()
		})
	}
}

func feed(session sinks.Session, events []*transcriptv1.Event) error {
	for _, ev := range events {
		if err := session.Event(ev); err != nil {
			return err
		}
	}
	return session.Close()
}

// fullDisk fails at the n-th call.
type fullDisk struct {
	calls int
	open  int
}

var errFull = errors.New("disk full")

func (d *fullDisk) step() error {
	if d.calls--; d.calls < 0 {
		return errFull
	}
	return nil
}

func (d *fullDisk) Create(_, _ string, _ uint32) (io.WriteCloser, error) {
	if err := d.step(); err != nil {
		return nil, err
	}
	d.open++
	return d, nil
}

func (d *fullDisk) Write(p []byte) (int, error) { return len(p), d.step() }

func (d *fullDisk) Close() error {
	d.open--
	return d.step()
}

func TestOutputErrors(t *testing.T) {
	t.Parallel()
	failures := 0
	for n := 0; ; n++ {
		disk := &fullDisk{calls: n}
		session := open(t, disk)
		err := feed(session, sample())
		if err == nil {
			break
		}
		failures++
		if !errors.Is(err, sinks.ErrOutput) || !errors.Is(err, errFull) || !strings.Contains(err.Error(), "c.html") {
			t.Errorf("call %d: %v", n, err)
		}
		session.Abort()
		if disk.open > 0 {
			t.Errorf("call %d: %d parts left open", n, disk.open)
		}
	}
	if failures < 8 {
		t.Errorf("only %d calls could fail", failures)
	}
}

func TestRequest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		req        sinks.Request
		want       string
		err        string
		errOptions bool
	}{
		{name: "defaults", want: "2026-09-21 14:13:20 UTC"},
		{name: "empty options", req: sinks.Request{Options: []byte(" {} ")}, want: "</html>"},
		{name: "options", req: sinks.Request{Options: []byte(`{"a":1}`)}, err: "takes none", errOptions: true},
		{name: "zone", req: sinks.Request{TimeZone: "Asia/Tokyo"}, want: "2026-09-21 23:13:20 JST"},
		{name: "no zone of that name", req: sinks.Request{TimeZone: "Nowhere/At-all"}, err: "Nowhere/At-all"},
		{name: "notice", req: sinks.Request{Notice: "Exported <offline>."}, want: "Exported &lt;offline&gt;."},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var out parts
			session, err := html.Sink{}.Open(t.Context(), &test.req, &out)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) || errors.Is(err, sinks.ErrOptions) != test.errOptions {
					t.Errorf("error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := feed(session, sample()); err != nil {
				t.Fatal(err)
			}
			page := out.joined(t)
			if !strings.Contains(page, test.want) {
				t.Errorf("the page lacks %q", test.want)
			}
		})
	}
}

func BenchmarkPage(b *testing.B) {
	events := sample()
	size := len(render(b, events))
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		render(b, events)
	}
}

func BenchmarkLargeOutput(b *testing.B) {
	text := strings.Repeat("ok  \tparser/wire\t0.21s coverage: 81.2% of statements [a < b]\n", 20_000)
	s := step(&transcriptv1.Step{Blocks: []*transcriptv1.Block{code("Output", "", text)}})
	session := open(b, &parts{})
	var dst []byte
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = session.Render(dst[:0], s)
	}
}

// TestGapsShareABox: what is missing in many places does not push the conversation off the screen.
func TestGapsShareABox(t *testing.T) {
	t.Parallel()
	gap := func(text, anchor string) *transcriptv1.Note {
		return &transcriptv1.Note{Kind: "gap", Severity: transcriptv1.Severity_SEVERITY_WARNING, Text: text, Anchor: anchor}
	}
	page := render(t, []*transcriptv1.Event{
		{Body: &transcriptv1.Event_Begin{Begin: &transcriptv1.Header{ConversationId: "c"}}},
		{Body: &transcriptv1.Event_End{End: &transcriptv1.Footer{Incomplete: true, Missing: true, Gaps: []*transcriptv1.Note{
			gap("step 4 is not on disk", ""), gap("step 9 is not on disk", ""), gap("rows 7 to 8", "step-7"), gap("step 12 is <not> on disk", ""),
		}}}},
	})
	if n := strings.Count(page, `<p class="lab">Warning, gap</p>`); n != 3 {
		t.Errorf("%d boxes, want one for steps 4 and 9, one for step 7, one for step 12", n)
	}
	for _, text := range []string{"step 4 is not on disk", "step 9 is not on disk", "rows 7 to 8", "step 12 is &lt;not&gt; on disk"} {
		if !strings.Contains(page, text) {
			t.Errorf("%q is missing", text)
		}
	}
}

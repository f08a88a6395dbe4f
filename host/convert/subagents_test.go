package convert_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"agy-reader/host/convert"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sources"
)

// fakeFamily has conversations by id.
type fakeFamily struct {
	sources  map[string]*fakeSource
	children map[string][]convert.OffspringOf
	findErr  map[string]error
	finds    atomic.Int32
}

func (f *fakeFamily) Find(_ context.Context, id string) (*convert.Relative, error) {
	f.finds.Add(1)
	if err := f.findErr[id]; err != nil {
		return nil, err
	}
	source := f.sources[id]
	if source == nil {
		return nil, fmt.Errorf("%w: %s", sources.ErrNotFound, id)
	}
	return &convert.Relative{Source: source, Ref: sources.Ref{ID: id}, Title: "title of " + id}, nil
}

func (f *fakeFamily) Children(_ context.Context, id string, _ sources.Ref) (*convert.Offspring, error) {
	return &convert.Offspring{Children: f.children[id]}, nil
}

// released checks that everything opened was closed and everything read released.
func (f *fakeFamily) released(t *testing.T) {
	t.Helper()
	for id, s := range f.sources {
		if s.opened.Load() != s.closed.Load() || s.live.Load() != 0 {
			t.Errorf("%s: opened %d times, closed %d, %d batches live", id, s.opened.Load(), s.closed.Load(), s.live.Load())
		}
	}
}

func starting(ids ...string) func(*transcriptv1.Step) {
	return func(st *transcriptv1.Step) { st.ChildConversationIds = ids }
}

// talk is a conversation of n steps, cut into batches of 3, whose step 1 starts the children.
func talk(n int, children ...string) *fakeSource {
	var events []*transcriptv1.Event
	for i := range n {
		switch {
		case i == 0:
			events = append(events, stepEvent(i, user))
		case i == 1 && len(children) > 0:
			events = append(events, stepEvent(i, tool, starting(children...)))
		default:
			events = append(events, stepEvent(i, assistant, using(fmt.Sprintf("r%d", i), 10)))
		}
	}
	return &fakeSource{batches: split(events, 3)}
}

func named(id string, s *fakeSource) *fakeSource {
	s.header = &transcriptv1.Header{ConversationId: id}
	return s
}

// TestSubagentsSameBytes nests the same conversations with many sizes of batches and numbers of workers.
func TestSubagentsSameBytes(t *testing.T) {
	t.Parallel()
	var want string
	for _, size := range []int{1, 3, 1000} {
		for _, workers := range []int{1, 2, 5} {
			family := &fakeFamily{sources: map[string]*fakeSource{
				"a": {batches: split(session(), size), header: &transcriptv1.Header{ConversationId: "a", ParentConversationId: "conv"}},
				"b": named("b", talk(40, "c")), "c": named("c", talk(7)),
			}}
			ahead, plain := &fakeSink{name: "ahead", needs: all, ahead: true}, &fakeSink{name: "plain", needs: all}
			files, result, err := run(t, convert.Job{
				Source: talk(50, "a", "b"), Targets: targets(ahead, plain), Workers: workers, Family: family, Subagents: convert.SubagentsInline,
			})
			if err != nil {
				t.Fatal(err)
			}
			family.released(t)
			if want == "" {
				want = files["conv.plain"]
			}
			if files["conv.plain"] != want || files["conv.ahead"] != want {
				t.Errorf("batches of %d, %d workers: other bytes", size, workers)
			}
			if result.Steps != 50 || strings.Contains(want, "poison") {
				t.Errorf("%d steps", result.Steps)
			}
			for _, anchor := range []string{`"step-1-1-199"`, `"step-1-2-39"`, `"step-1-2-1-1-6"`, `"continuesAnchor":"step-1-1-2"`, `"parentAnchor":"step-1-2-1"`} {
				if !strings.Contains(want, anchor) {
					t.Errorf("anchor %s is nowhere", anchor)
				}
			}
		}
	}
}

// TestSubagentUnreadable: the document says which subagent it lacks, shows what was read of it, and is incomplete; a strict
// one is refused.
func TestSubagentUnreadable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		child func(*fakeSource)
		shown int
	}{
		{"cannot be opened", func(s *fakeSource) { s.openErr = sources.ErrUnreadable }, 0},
		{"breaks at once", func(s *fakeSource) { s.nextErr = map[int]error{0: sources.ErrUnreadable} }, 0},
		{"breaks in between", func(s *fakeSource) { s.nextErr = map[int]error{4: sources.ErrUnreadable} }, 12},
		{"cannot be closed", func(s *fakeSource) { s.closeErr = sources.ErrUnreadable }, 30},
		{"cannot be decoded", func(s *fakeSource) { s.decodeErr = sources.ErrUnreadable }, 0},
		{"ends too early", func(s *fakeSource) { s.batches = append(s.batches, []*transcriptv1.Event{end()}) }, 30},
		{"never ends", func(s *fakeSource) {
			s.batches = append(s.batches, []*transcriptv1.Event{begin(&transcriptv1.Header{}), stepEvent(99, tool)})
		}, 31},
		{"small and ends too early", func(s *fakeSource) { s.batches = [][]*transcriptv1.Event{{stepEvent(0, user), end()}} }, 1},
	} {
		for _, strict := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, strict %v", tc.name, strict), func(t *testing.T) {
				t.Parallel()
				child := named("a", talk(30))
				tc.child(child)
				family := &fakeFamily{sources: map[string]*fakeSource{"a": child}}
				sink := &fakeSink{name: "plain", needs: all, ahead: true}
				files, result, err := run(t, convert.Job{
					Source: talk(10, "a"), Targets: targets(sink), Family: family, Subagents: convert.SubagentsInline, Strict: strict,
				})
				family.released(t)
				if strict {
					if !errors.Is(err, sources.ErrUnreadable) && !errors.Is(err, sources.ErrPartial) {
						t.Errorf("got %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				text := files["conv.plain"]
				if !result.Incomplete || !result.Footer.Missing || result.Steps != 10 || !strings.Contains(text, "couldnotbereadtoitsend") {
					t.Errorf("incomplete %v, %d steps: %s", result.Incomplete, result.Steps, text)
				}
				state := `"state":"inline"`
				if tc.name == "cannot be opened" {
					state = `"state":"unreadable"`
				}
				if strings.Count(text, state) != 2 || strings.Count(text, `"state":`) != 2 { // of the step and in the overview
					t.Errorf("the link does not say %s: %s", state, text)
				}
				if got := strings.Count(text, `{"step":`); got != 10+tc.shown {
					t.Errorf("%d steps of the subagent are shown, want %d", got-10, tc.shown)
				}
				if begins, ends := strings.Count(text, `{"begin":`), strings.Count(text, `{"end":`); begins != ends {
					t.Errorf("%d begin, %d end", begins, ends)
				}
			})
		}
	}
}

// TestSubagentSinkFails: a sink's error is no reading error, whoever was read.
func TestSubagentSinkFails(t *testing.T) {
	t.Parallel()
	for at := 1; at < 45; at++ {
		family := &fakeFamily{sources: map[string]*fakeSource{"a": named("a", talk(30)), "a2": named("a2", talk(9))}}
		sink := &fakeSink{name: "plain", needs: all, failAt: at}
		_, _, err := run(t, convert.Job{Source: talk(10, "a", "a2"), Targets: targets(sink), Family: family, Subagents: convert.SubagentsInline})
		if !errors.Is(err, errSink) {
			t.Errorf("at event %d: got %v", at, err)
		}
		family.released(t)
	}
}

// TestSubagentCancelled: nothing is published, everything is given back, no goroutine stays (see TestMain).
func TestSubagentCancelled(t *testing.T) {
	t.Parallel()
	for at := range 10 {
		ctx, cancel := context.WithCancel(t.Context())
		deep := named("b", talk(30))
		deep.onNext = func(n int) {
			if n == at {
				cancel()
			}
		}
		family := &fakeFamily{sources: map[string]*fakeSource{"a": named("a", talk(30, "b")), "b": deep}}
		sink := &fakeSink{name: "plain", needs: all, ahead: true}
		_, _, err := runContext(ctx, t, convert.Job{
			Source: talk(30, "a"), Targets: targets(sink), Family: family, Subagents: convert.SubagentsInline, Workers: 2,
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at batch %d: got %v", at, err)
		}
		family.released(t)
		cancel()
	}
}

// TestSubagentLimits: depth is bounded and said, a conversation stands in a document once, a failed look-up is no absence.
func TestSubagentLimits(t *testing.T) {
	t.Parallel()
	family := &fakeFamily{sources: map[string]*fakeSource{}, findErr: map[string]error{"locked": errors.New("the disk is on fire")}}
	for i := range 40 {
		id := fmt.Sprintf("c%d", i)
		family.sources[id] = named(id, talk(3, fmt.Sprintf("c%d", i+1)))
	}
	sink := &fakeSink{name: "plain", needs: all}
	files, result, err := run(t, convert.Job{Source: talk(3, "c0"), Targets: targets(sink), Family: family, Subagents: convert.SubagentsInline})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(files["conv.plain"], `{"begin":`); n != convert.MaxSubagentDepth {
		t.Errorf("%d conversations", n)
	}
	if !strings.Contains(files["conv.plain"], `"state":"toodeep"`) || !strings.Contains(files["conv.plain"], "nesteddeeperthan16conversations") {
		t.Error("the limit is not stated")
	}
	if result.Incomplete {
		t.Error("the limit makes nothing incomplete")
	}

	events := []*transcriptv1.Event{stepEvent(0, tool, starting("c39", "locked")), stepEvent(1, tool, starting("c39", "conv"))}
	family.sources["c39"] = named("c39", talk(3))
	files, result, err = run(t, convert.Job{
		Source: &fakeSource{batches: split(events, 1)}, Targets: targets(sink), Family: family, Subagents: convert.SubagentsInline,
	})
	if err != nil {
		t.Fatal(err)
	}
	text := files["conv.plain"]
	if strings.Count(text, `{"begin":`) != 2 || strings.Count(text, `"title":"titleofc39","state":"inline"`) < 2 || !strings.Contains(text, `"state":"cycle"`) {
		t.Error(text)
	}
	if !result.Incomplete || !strings.Contains(text, "thediskisonfire") {
		t.Error("a failed look-up is not said")
	}
}

// TestHostileNumberOfSubagents: what one step names is bounded, and that is said.
func TestHostileNumberOfSubagents(t *testing.T) {
	t.Parallel()
	ids := make([]string, 5000)
	for i := range ids {
		ids[i] = fmt.Sprintf("none-%d", i)
	}
	family := &fakeFamily{}
	files, result, err := run(t, convert.Job{
		Source: talk(3, ids...), Targets: targets(&fakeSink{name: "plain", needs: all}), Family: family, Subagents: convert.SubagentsInline,
	})
	if err != nil {
		t.Fatal(err)
	}
	if family.finds.Load() != 1000 || len(result.Footer.Overview.Children) != 1000 ||
		!strings.Contains(files["conv.plain"], "thisstepnames5000subagents;thelast4000werenotlookedfor") {
		t.Errorf("%d were looked for", family.finds.Load())
	}
}

// TestSubagentsGoWithTheirStep: a step that was not selected takes its subagents with it, and they are not unplaced.
func TestSubagentsGoWithTheirStep(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		selection string
		begins    int
	}{{"", 2}, {"0", 1}, {"1", 2}, {"no-tools", 1}} {
		family := &fakeFamily{
			sources:  map[string]*fakeSource{"a": named("a", talk(3))},
			children: map[string][]convert.OffspringOf{"conv": {{ID: "a", Evidence: "test"}}},
		}
		sink := &fakeSink{name: "plain", needs: all, ahead: true}
		files, result, err := run(t, convert.Job{
			Source: talk(4, "a"), Targets: targets(sink), Family: family, Subagents: convert.SubagentsInline, Select: tc.selection,
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(files["conv.plain"], `{"begin":`); got != tc.begins || strings.Contains(files["conv.plain"], "unplaced_child") {
			t.Errorf("select %q: %d conversations: %s", tc.selection, got, files["conv.plain"])
		}
		if tc.selection == "" && (result.Footer.UsageWithChildren == nil || result.Footer.UsageWithChildren.GetCalls() != 3 || result.Footer.Usage.GetCalls() != 2) {
			t.Errorf("usage %v, with subagents %v", result.Footer.Usage, result.Footer.UsageWithChildren)
		}
	}
}

// TestManySubagentsInBoundedMemory: what is kept does not grow with what the subagents hold.
func TestManySubagentsInBoundedMemory(t *testing.T) {
	const children, size = 300, 1 << 20
	family := &fakeFamily{sources: map[string]*fakeSource{}}
	var ids []string
	big := strings.Repeat("x", size)
	var most uint64
	for i := range children {
		id := fmt.Sprintf("c%d", i)
		ids = append(ids, id)
		events := []*transcriptv1.Event{stepEvent(0, user, func(st *transcriptv1.Step) { st.Blocks[0].Text = big })}
		family.sources[id] = named(id, &fakeSource{batches: split(events, 1), onNext: func(int) {
			if i%50 == 49 {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}})
	}
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	sink := &discardSink{}
	_, result, err := run(t, convert.Job{
		Source: talk(3, ids...), Targets: []convert.Target{{Sink: sink}}, Family: family, Subagents: convert.SubagentsInline,
	})
	if err != nil {
		t.Fatal(err)
	}
	if sink.steps != children+3 || len(result.Footer.Overview.Children) != children {
		t.Errorf("%d steps", sink.steps)
	}
	if grown := int64(most) - int64(before.HeapAlloc); grown > 24*size {
		t.Errorf("%d subagents of 1 MiB took %d bytes more", children, grown)
	}
	family.released(t)
}

// discardSink counts steps.
type discardSink struct{ steps int }

func (s *discardSink) Describe() sinks.Info {
	return sinks.Info{Name: "discard", Suffix: ".discard", MediaType: "text/plain", Needs: sinks.Needs{Blocks: true, Nested: true}}
}

func (s *discardSink) Open(_ context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	w, err := out.Create(req.BaseName+".discard", "text/plain", 0)
	if err != nil {
		return nil, err
	}
	return s, w.Close()
}

func (s *discardSink) Event(ev *transcriptv1.Event) error {
	if ev.GetStep() != nil {
		s.steps++
	}
	return nil
}
func (s *discardSink) Close() error { return nil }
func (s *discardSink) Abort()       {}

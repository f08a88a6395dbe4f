package convert_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"agy-reader/host/convert"
	"agy-reader/host/diag"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sources"
)

var all = sinks.Needs{Blocks: true, Native: true, Display: true, Records: true, Nested: true}

// TestSameBytesHoweverItRuns converts one conversation cut into batches of many sizes, with many numbers of workers, and
// with sinks that render ahead and sinks that do not.
func TestSameBytesHoweverItRuns(t *testing.T) {
	t.Parallel()
	events := session()
	var want string
	for _, size := range []int{len(events), 1, 2, 3, 7, 64} {
		for _, workers := range []int{1, 2, 5} {
			ahead, plain := &fakeSink{name: "ahead", needs: all, ahead: true}, &fakeSink{name: "plain", needs: all}
			files, result, err := run(t, convert.Job{
				Source: &fakeSource{batches: split(events, size)}, Targets: targets(ahead, plain), Workers: workers,
			})
			if err != nil {
				t.Fatal(err)
			}
			if want == "" {
				want = files["conv.plain"]
			}
			if files["conv.plain"] != want || files["conv.ahead"] != want {
				t.Errorf("batches of %d, %d workers: other bytes", size, workers)
			}
			if result.Steps != 200 || result.Footer.Usage.Calls != 60 || *result.Footer.Usage.InputTokens != 510 {
				t.Errorf("batches of %d: %d steps, usage %v", size, result.Steps, result.Footer.Usage)
			}
			if ahead.rendered.Load() != 210 {
				t.Errorf("batches of %d: %d events were rendered ahead", size, ahead.rendered.Load())
			}
		}
	}
	if n := strings.Count(want, "continuesAnchor"); n != 50 {
		t.Errorf("%d cards continue", n)
	}
	if strings.Contains(want, "poison") {
		t.Error("an event outlived its batch")
	}
}

func TestSinksSeeWhatTheyAskFor(t *testing.T) {
	t.Parallel()
	events := []*transcriptv1.Event{
		stepEvent(0, user, using("r", 1), answering("c"), func(st *transcriptv1.Step) {
			st.SourceOnly = []*transcriptv1.SourceOnly{{Path: "x"}}
			st.Summary = "sum"
			st.ExtraUsage = []*transcriptv1.Usage{{ResponseId: "extra"}}
		}),
		record("generatorMetadata", 0),
	}
	header := &transcriptv1.Header{ConversationId: "conv", MembersJson: []byte(`{"m":1}`)}
	for _, tc := range []struct {
		name string
		sink sinks.Needs
		keep bool
		none bool
		want []string
	}{
		{"nothing", sinks.Needs{}, false, false, nil},
		{"blocks", sinks.Needs{Blocks: true}, false, false, []string{"blocks", "summary", "usage", "extraUsage", "call"}},
		{"native", sinks.Needs{Native: true}, false, false, []string{"nativeJson", "membersJson"}},
		{"display", sinks.Needs{Display: true}, false, false, []string{"displayJson", "sourceOnly", "membersJson"}},
		{"display, wrappers kept", sinks.Needs{Display: true}, true, false, []string{"nativeJson", "membersJson"}},
		{"records", sinks.Needs{Records: true}, false, false, []string{"record"}},
		{"no records", sinks.Needs{Records: true}, false, true, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, ahead := range []bool{false, true} {
				greedy := &fakeSink{name: "greedy", needs: all, ahead: ahead}
				modest := &fakeSink{name: "modest", needs: tc.sink, ahead: ahead}
				last := &fakeSink{name: "last", needs: all, ahead: ahead}
				files, _, err := run(t, convert.Job{
					Source: &fakeSource{header: header, batches: split(events, 1)}, Targets: targets(greedy, modest, last),
					KeepWrappers: tc.keep, NoRecords: tc.none,
				})
				if err != nil {
					t.Fatal(err)
				}
				for _, member := range []string{"blocks", "summary", "usage", "extraUsage", "call", "nativeJson", "displayJson", "sourceOnly", "membersJson", "record"} {
					has := strings.Contains(steps(files["conv.modest"]), `"`+member+`":`)
					wants := false
					for _, w := range tc.want {
						wants = wants || w == member
					}
					if has != wants {
						t.Errorf("ahead %v: %s: has %v, want %v", ahead, member, has, wants)
					}
				}
				if files["conv.greedy"] != files["conv.last"] {
					t.Error("a modest sink changes what the next one sees")
				}
			}
		})
	}
}

// steps leaves out the footer, which every sink gets.
func steps(text string) string {
	before, _, _ := strings.Cut(text, `{"end":`)
	return before
}

func TestWant(t *testing.T) {
	t.Parallel()
	source := &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user)}}}
	_, _, err := run(t, convert.Job{
		Source: source, Profile: "p", Strict: true, NoRecords: true,
		Targets: targets(&fakeSink{name: "a", needs: sinks.Needs{Display: true, Records: true}}, &fakeSink{name: "b", needs: sinks.Needs{Blocks: true}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sources.Want{Blocks: true, Display: true, Profile: "p", Strict: true}, source.want); diff != "" {
		t.Error(diff)
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	source := &fakeSource{batches: split([]*transcriptv1.Event{
		stepEvent(0, assistant, calling("a", "b", "a", "lost")),
		stepEvent(1, tool, answering("a")),
		stepEvent(2, tool, answering("b")),
		stepEvent(3, tool, answering("a")), // the second call with this id
		stepEvent(4, tool, answering("a")), // more of the first card
		stepEvent(5, tool, answering("never announced")),
		stepEvent(6, assistant, calling("later")),
	}, 2)}
	sink := &fakeSink{name: "x", needs: all}
	files, result, err := run(t, convert.Job{Source: source, Targets: targets(sink)})
	if err != nil {
		t.Fatal(err)
	}
	text := files["conv.x"]
	if n := strings.Count(text, "continuesAnchor"); n != 1 || !strings.Contains(text, `"anchor":"step-4"`) {
		t.Errorf("%d cards continue", n)
	}
	if !strings.Contains(text, `"continuesAnchor":"step-3"`) {
		t.Error("step 4 continues the wrong card")
	}
	lost, later := strings.Index(text, `"call_without_result"`), strings.LastIndex(text, `"call_without_result"`)
	if lost < 0 || lost == later || result.Notes != 2 || result.Incomplete {
		t.Fatalf("%d notes, incomplete %v", result.Notes, result.Incomplete)
	}
	if !strings.Contains(text[lost:later], `"id":"lost"`) || !strings.Contains(text[later:], `"argumentsJson":"{\"id\":\"later\"}"`) {
		t.Errorf("notes: %s", text[lost:])
	}
}

func TestNestedTrajectories(t *testing.T) {
	t.Parallel()
	events := []*transcriptv1.Event{
		stepEvent(0, user), stepEvent(1, tool),
		begin(&transcriptv1.Header{TrajectoryId: "child"}),
		stepEvent(0, assistant, func(st *transcriptv1.Step) { st.Anchor = "step-1-0" }),
		begin(&transcriptv1.Header{TrajectoryId: "grandchild"}),
		stepEvent(0, assistant, func(st *transcriptv1.Step) {
			st.Anchor, st.Unknown = "step-1-0-0", []*transcriptv1.UnknownField{{Path: "x"}}
		}),
		end(), end(),
		begin(&transcriptv1.Header{TrajectoryId: "second child"}), stepEvent(0, assistant), end(),
		stepEvent(2, assistant),
	}
	for _, ahead := range []bool{false, true} {
		flat, deep := &fakeSink{name: "flat", needs: sinks.Needs{Blocks: true}, ahead: ahead}, &fakeSink{name: "deep", needs: all, ahead: ahead}
		files, result, err := run(t, convert.Job{Source: &fakeSource{batches: split(events, 3)}, Targets: targets(flat, deep)})
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		for name, text := range files {
			counts[name] = strings.Count(text, `{"step":`)
		}
		want := map[string]int{"conv.flat": 3, "conv-step-1.flat": 1, "conv-step-1-0.flat": 1, "conv-step-1-2.flat": 1, "conv.deep": 6}
		if diff := cmp.Diff(want, counts); diff != "" {
			t.Error(diff)
		}
		if !strings.Contains(files["conv.deep"], `"depth":2,"parentAnchor":"step-1-0"`) {
			t.Error("depth or parent of the grandchild is not filled in")
		}
		if result.Steps != 3 || !result.Incomplete || result.Footer.UnknownFields != 1 {
			t.Errorf("%d steps, footer %v", result.Steps, result.Footer)
		}
		if want := "incomplete: 3 steps, 3 nested steps, 1 unknown field"; result.Footer.Completeness != want {
			t.Errorf("want %q, got %q", want, result.Footer.Completeness)
		}
		if opened, closed, aborted := flat.state(); opened != 4 || closed != 4 || aborted != 0 {
			t.Errorf("opened %d, closed %d, aborted %d", opened, closed, aborted)
		}
	}
}

func TestUnbalancedNesting(t *testing.T) {
	t.Parallel()
	deep := []*transcriptv1.Event{stepEvent(0, user)}
	for range 100 {
		deep = append(deep, begin(&transcriptv1.Header{}))
	}
	for _, tc := range []struct {
		name   string
		events []*transcriptv1.Event
		kind   error
	}{
		{"an end too many", []*transcriptv1.Event{stepEvent(0, user), end()}, sources.ErrUnreadable},
		{"an end too few", []*transcriptv1.Event{stepEvent(0, user), begin(&transcriptv1.Header{})}, sources.ErrUnreadable},
		{"too deep", deep, sources.ErrLimit},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			sink := &fakeSink{name: "x"}
			if _, _, err := run(t, convert.Job{Source: &fakeSource{batches: split(tc.events, 5)}, Targets: targets(sink)}); !errors.Is(err, tc.kind) {
				t.Errorf("got %v", err)
			}
			if opened, closed, aborted := sink.state(); opened != closed+aborted {
				t.Errorf("opened %d, closed %d, aborted %d", opened, closed, aborted)
			}
		})
	}
}

func TestFooter(t *testing.T) {
	t.Parallel()
	file := func(uri string, changed bool) func(*transcriptv1.Step) {
		return func(st *transcriptv1.Step) {
			b := &transcriptv1.Block{Kind: "file_view", Text: "x", Detail: &transcriptv1.Block_FileView{FileView: &transcriptv1.FileView{Uri: uri}}}
			if changed {
				b = &transcriptv1.Block{Kind: "diff", Text: "x", Detail: &transcriptv1.Block_Diff{Diff: &transcriptv1.Diff{Uri: uri}}}
			}
			st.Blocks = append(st.Blocks, b, b)
		}
	}
	events := []*transcriptv1.Event{
		stepEvent(0, user),
		stepEvent(1, assistant, using("r1", 100), func(st *transcriptv1.Step) {
			st.ExtraUsage = []*transcriptv1.Usage{{ResponseId: "r1", InputTokens: proto.Uint64(7)}, {ResponseId: "retry", InputTokens: proto.Uint64(5), OutputTokens: proto.Uint64(0)}}
		}),
		stepEvent(2, tool, file("file:///a", false)),
		stepEvent(3, tool, file("file:///a", true), func(st *transcriptv1.Step) { st.Status, st.Summary = "ERROR", "went wrong" }),
		stepEvent(4, user),
		stepEvent(5, assistant, using("inherited", 1000), func(st *transcriptv1.Step) { st.Inherited = true }),
		stepEvent(6, tool, func(st *transcriptv1.Step) { st.ChildConversationIds = []string{"child"} }),
		stepEvent(7, assistant, func(st *transcriptv1.Step) {
			st.Usage = &transcriptv1.Usage{MessageId: "m", InputTokens: proto.Uint64(1)}
		}),
		stepEvent(8, assistant, func(st *transcriptv1.Step) {
			st.Usage = &transcriptv1.Usage{MessageId: "m", InputTokens: proto.Uint64(1)}
		}),
		note(&transcriptv1.Note{Kind: "damage", Severity: transcriptv1.Severity_SEVERITY_WARNING, Text: "a page is gone", Incomplete: true}),
		note(&transcriptv1.Note{Kind: "rewind", Severity: transcriptv1.Severity_SEVERITY_INFO, Text: "rewound"}),
	}
	source := &fakeSource{batches: split(events, 4), footer: &transcriptv1.Footer{
		SourceDigest: "abc", Completeness: "said by the source",
		Generations: []*transcriptv1.Usage{{ResponseId: "r1", InputTokens: proto.Uint64(9)}, {ResponseId: "title", InputTokens: proto.Uint64(20), Model: "small"}, {ResponseId: "inherited", InputTokens: proto.Uint64(1000)}},
		Gaps:        []*transcriptv1.Note{{Kind: "gap", Text: "9 to 11", Incomplete: true}, {Kind: "gap", Text: "4, by design"}},
	}}
	_, result, err := run(t, convert.Job{Source: source, Targets: targets(&fakeSink{name: "x", needs: all})})
	if err != nil {
		t.Fatal(err)
	}
	want := &transcriptv1.Footer{
		Steps: 9, StoredSteps: 9, Notes: 2, SourceDigest: "abc", Incomplete: true, Missing: true, Completeness: "incomplete: 9 steps, 1 gap, 1 damaged place; said by the source",
		Generations: source.footer.Generations, Gaps: source.footer.Gaps,
		UsageOrigin: "3 in steps, 1 in generatorMetadata",
		Usage:       &transcriptv1.Usage{Calls: 4, InputTokens: proto.Uint64(100 + 5 + 1 + 20), OutputTokens: proto.Uint64(0)},
		Overview: &transcriptv1.Overview{
			Prompts: []*transcriptv1.Prompt{
				{Anchor: "step-0", Text: "text 0", StepsAfter: 3, ToolStepsAfter: 2, Usage: &transcriptv1.Usage{Calls: 2, InputTokens: proto.Uint64(105), OutputTokens: proto.Uint64(0)}},
				{Anchor: "step-4", Text: "text 4", StepsAfter: 4, ToolStepsAfter: 1, Usage: &transcriptv1.Usage{Calls: 1, InputTokens: proto.Uint64(1)}},
			},
			Files:    []*transcriptv1.TouchedFile{{Uri: "file:///a", ReadAnchors: []string{"step-2"}, ChangedAnchors: []string{"step-3"}}},
			Problems: []*transcriptv1.Problem{{Anchor: "step-3", Text: "went wrong"}, {Text: "a page is gone"}},
			Children: []*transcriptv1.Child{{ConversationId: "child", Anchor: "step-6", State: "left out"}},
			Models:   []string{"model of r1", "model of inherited", "small"},
		},
	}
	if diff := cmp.Diff(want, result.Footer, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		selection string
		want      []string
		usage     bool
	}{
		{"", []string{"0", "1", "2", "2-0", "3", "4"}, false},
		{"2", []string{"2", "2-0"}, false},
		{"0,3-", []string{"0", "3", "4"}, false},
		{"1-2", []string{"1", "2", "2-0"}, false},
		{"prompts", []string{"0"}, false},
		{"prompts,4", []string{"0", "4"}, false},
		{"no-tools", []string{"0", "1", "4"}, false},
		{"1-3,no-tools", []string{"1"}, false},
		{"900-", nil, true},
		{"3,no-tools", nil, true},
		{"2-1", nil, true},
		{"-3", nil, true},
		{"1,,2", nil, true},
		{"tools", nil, true},
		{"+1", nil, true},
		{"4294967296", nil, true},
	} {
		t.Run(tc.selection, func(t *testing.T) {
			t.Parallel()
			for _, ahead := range []bool{false, true} {
				events := []*transcriptv1.Event{
					stepEvent(0, user), stepEvent(1, assistant, calling("a")), stepEvent(2, tool, answering("a")),
					begin(&transcriptv1.Header{}), stepEvent(7, user, func(st *transcriptv1.Step) { st.Anchor = "step-2-0" }), end(),
					note(&transcriptv1.Note{Kind: "about", Anchor: "step-2"}),
					stepEvent(3, assistant, func(st *transcriptv1.Step) { st.Blocks = nil }, calling("b")),
					stepEvent(4, assistant), note(&transcriptv1.Note{Kind: "gap", Incomplete: true}),
				}
				files, result, err := run(t, convert.Job{
					Source: &fakeSource{batches: split(events, 3)}, Select: tc.selection,
					Targets: targets(&fakeSink{name: "x", needs: all, ahead: ahead}),
				})
				if tc.usage {
					if !errors.Is(err, diag.ErrUsage) {
						t.Errorf("got %v", err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for line := range strings.Lines(files["conv.x"]) {
					if _, rest, isStep := strings.Cut(line, `{"step":`); isStep {
						_, anchor, _ := strings.Cut(rest, `"anchor":"step-`)
						anchor, _, _ = strings.Cut(anchor, `"`)
						got = append(got, anchor)
					}
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Error(diff)
				}
				if about := strings.Contains(files["conv.x"], `"about"`); about != strings.Contains(strings.Join(tc.want, " "), "2-0") {
					t.Errorf("note about step 2: %v", about)
				}
				if !strings.Contains(files["conv.x"], `"kind":"gap"`) || !result.Incomplete {
					t.Error("the gap is not told")
				}
				if tc.selection == "no-tools" && strings.Contains(files["conv.x"], `"toolCall"`) {
					t.Error("a call is left")
				}
			}
		})
	}
}

// TestCaseA10NothingToShow: a conversation with steps of which nothing can be shown is a failure.
func TestCaseA10NothingToShow(t *testing.T) {
	t.Parallel()
	empty := func(st *transcriptv1.Step) { st.Blocks = []*transcriptv1.Block{{Kind: "text", Text: "\n"}} }
	for _, tc := range []struct {
		name   string
		source *fakeSource
		needs  sinks.Needs
		bad    bool
	}{
		{"empty session", &fakeSource{}, all, false},
		{"announced, none read", &fakeSource{header: &transcriptv1.Header{ConversationId: "conv", AnnouncedSteps: 3}}, all, true},
		{"announced, only notes", &fakeSource{
			header:  &transcriptv1.Header{ConversationId: "conv", AnnouncedSteps: 3},
			batches: [][]*transcriptv1.Event{{note(&transcriptv1.Note{Kind: "damage", Incomplete: true})}},
		}, all, true},
		{"steps without text", &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user, empty), stepEvent(1, user, empty)}}}, all, true},
		{"one step with text", &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user, empty), stepEvent(1, user)}}}, all, false},
		{"JSON has no text", &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user, empty)}}}, sinks.Needs{Display: true}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			files, _, err := run(t, convert.Job{Source: tc.source, Targets: targets(&fakeSink{name: "x", needs: tc.needs})})
			if tc.bad != errors.Is(err, sources.ErrUnreadable) || tc.bad == (len(files) == 1) {
				t.Errorf("error %v, files %v", err, files)
			}
		})
	}
}

func TestGapByDesignIsComplete(t *testing.T) {
	t.Parallel()
	gap := &transcriptv1.Note{Kind: "gap", Severity: transcriptv1.Severity_SEVERITY_INFO, Text: "step 4 is missing"}
	source := &fakeSource{
		batches: [][]*transcriptv1.Event{{stepEvent(3, user), note(gap), stepEvent(5, user)}},
		footer:  &transcriptv1.Footer{Gaps: []*transcriptv1.Note{gap}},
	}
	_, result, err := run(t, convert.Job{Source: source, Targets: targets(&fakeSink{name: "x", needs: all})})
	if err != nil {
		t.Fatal(err)
	}
	if result.Incomplete || result.Notes != 1 || result.Footer.Completeness != "complete: 2 steps" {
		t.Errorf("footer %v", result.Footer)
	}
}

// TestFewBatchesAtOnce bounds the memory: a slow sink holds up the source.
func TestFewBatchesAtOnce(t *testing.T) {
	t.Parallel()
	const workers = 2
	most := int32(0)
	source := &fakeSource{batches: split(session(), 2)}
	source.onNext = func(int) { most = max(most, source.live.Load()) }
	if _, _, err := run(t, convert.Job{Source: source, Targets: targets(&fakeSink{name: "x", needs: all, ahead: true}), Workers: workers}); err != nil {
		t.Fatal(err)
	}
	if most > workers+3 || most < 2 {
		t.Errorf("%d batches at once", most)
	}
}

// TestBigStep has one step that is rendered when it is its turn.
func TestBigStep(t *testing.T) {
	t.Parallel()
	big := func(st *transcriptv1.Step) { st.Blocks[0].Text = strings.Repeat("big", 1<<20) }
	source := &fakeSource{batches: split([]*transcriptv1.Event{stepEvent(0, user), stepEvent(1, tool, big), stepEvent(2, user)}, 3)}
	ahead, plain := &fakeSink{name: "ahead", needs: all, ahead: true}, &fakeSink{name: "plain", needs: all}
	files, _, err := run(t, convert.Job{Source: source, Targets: targets(ahead, plain)})
	if err != nil {
		t.Fatal(err)
	}
	if files["conv.ahead"] != files["conv.plain"] || !strings.Contains(files["conv.ahead"], "bigbig") || ahead.rendered.Load() != 3 || ahead.aloneWith < 3<<20 {
		t.Errorf("the big step is not rendered like the others, or not on its own (%d, %d)", ahead.rendered.Load(), ahead.aloneWith)
	}
}

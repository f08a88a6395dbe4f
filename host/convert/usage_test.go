package convert_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"agy-reader/host/convert"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

func tokens(response, message string, in, out uint64) *transcriptv1.Usage {
	return &transcriptv1.Usage{ResponseId: response, MessageId: message, InputTokens: proto.Uint64(in), OutputTokens: proto.Uint64(out)}
}

func spending(u *transcriptv1.Usage, more ...*transcriptv1.Usage) func(*transcriptv1.Step) {
	return func(st *transcriptv1.Step) { st.Usage, st.ExtraUsage = u, more }
}

func total(calls uint32, in, out uint64) *transcriptv1.Usage {
	return &transcriptv1.Usage{Calls: calls, InputTokens: proto.Uint64(in), OutputTokens: proto.Uint64(out)}
}

func usageOf(t *testing.T, source *fakeSource, change ...func(*convert.Job)) (*transcriptv1.Footer, string) {
	t.Helper()
	job := convert.Job{Source: source, Targets: targets(&fakeSink{name: "plain", needs: all})}
	for _, f := range change {
		f(&job)
	}
	files, result, err := run(t, job)
	if err != nil {
		t.Fatal(err)
	}
	return result.Footer, files["conv.plain"]
}

func same(t *testing.T, what string, want, got *transcriptv1.Usage) {
	t.Helper()
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestCaseP01: tokens of each turn and in total.
func TestCaseP01(t *testing.T) {
	t.Parallel()
	inner := stepEvent(0, assistant, spending(tokens("inner", "", 7, 1)))
	inner.GetStep().Anchor = "step-4-0"
	footer, _ := usageOf(t, &fakeSource{
		batches: split([]*transcriptv1.Event{
			stepEvent(0, assistant, spending(tokens("early", "", 1, 1))),
			stepEvent(1, user), stepEvent(2, assistant, spending(tokens("a", "", 10, 2), tokens("a-retry", "", 5, 0))),
			stepEvent(3, user), stepEvent(4, tool), begin(&transcriptv1.Header{}), inner, end(),
			stepEvent(5, assistant, spending(tokens("b", "", 20, 3))), stepEvent(6, assistant, spending(tokens("a", "", 10, 2))),
			stepEvent(7, user),
		}, 2),
		footer: &transcriptv1.Footer{Generations: []*transcriptv1.Usage{tokens("a", "", 10, 2), tokens("title", "", 100, 4)}},
	})
	same(t, "total", total(6, 1+10+5+7+20+100, 1+2+1+3+4), footer.Usage)
	if footer.UsageOrigin != "5 in steps, 1 in generatorMetadata" {
		t.Errorf("found %s", footer.UsageOrigin)
	}
	prompts := footer.Overview.Prompts
	same(t, "first turn", total(2, 15, 2), prompts[0].Usage)
	same(t, "second turn", total(2, 27, 4), prompts[1].Usage)
	same(t, "third turn, not recorded", nil, prompts[2].Usage)
	same(t, "with subagents, of which there are none", nil, footer.UsageWithChildren)
}

// TestCaseP01ApartFromSteps: a call that no step names counts for the turn of the step it made.
func TestCaseP01ApartFromSteps(t *testing.T) {
	t.Parallel()
	made := func(u *transcriptv1.Usage, index uint32) *transcriptv1.Usage {
		u.StepIndex = &index
		return u
	}
	footer, _ := usageOf(t, &fakeSource{
		batches: split([]*transcriptv1.Event{
			stepEvent(0, user), stepEvent(1, assistant),
			stepEvent(2, user), stepEvent(3, assistant), stepEvent(4, assistant, spending(tokens("own", "", 1, 1))),
		}, 2),
		footer: &transcriptv1.Footer{Generations: []*transcriptv1.Usage{
			made(tokens("a", "", 10, 2), 1), made(tokens("b", "", 20, 3), 3), made(tokens("b-retry", "", 4, 0), 3),
			made(tokens("rewound", "", 50, 5), 4), made(tokens("gone", "", 100, 6), 9), tokens("nowhere", "", 200, 7),
		}},
	})
	same(t, "total", total(7, 10+20+4+1+50+100+200, 2+3+1+5+6+7), footer.Usage)
	prompts := footer.Overview.Prompts
	same(t, "first turn", total(1, 10, 2), prompts[0].Usage)
	same(t, "second turn", total(3, 25, 4), prompts[1].Usage)
}

// TestCaseP04: a call that step and generator metadata record, by whatever id, counts once. One that only a log line
// records counts unless a recorded call has its numbers.
func TestCaseP04(t *testing.T) {
	t.Parallel()
	bare := func(in, cached, out uint64) *transcriptv1.Usage {
		return &transcriptv1.Usage{InputTokens: proto.Uint64(in), CacheReadTokens: proto.Uint64(cached), OutputTokens: proto.Uint64(out)}
	}
	for _, tc := range []struct {
		name        string
		steps, gens []*transcriptv1.Usage
		calls       uint32
		input       uint64
	}{
		{"response id", []*transcriptv1.Usage{tokens("r", "m", 5, 1)}, []*transcriptv1.Usage{tokens("r", "other", 5, 1)}, 1, 5},
		{"one record lacks the response id", []*transcriptv1.Usage{tokens("r", "m", 5, 1)}, []*transcriptv1.Usage{tokens("", "m", 5, 1)}, 1, 5},
		{"the other lacks it", []*transcriptv1.Usage{tokens("", "m", 5, 1)}, []*transcriptv1.Usage{tokens("r", "m", 5, 1)}, 1, 5},
		{"two responses to one message", []*transcriptv1.Usage{tokens("r", "m", 5, 1)}, []*transcriptv1.Usage{tokens("s", "m", 5, 1)}, 2, 10},
		{"message id", []*transcriptv1.Usage{tokens("", "m", 5, 1)}, []*transcriptv1.Usage{tokens("", "m", 5, 1), tokens("", "n", 6, 1)}, 2, 11},
		{"log line and recorded call", []*transcriptv1.Usage{bare(5, 3, 1)}, []*transcriptv1.Usage{{ResponseId: "r", InputTokens: proto.Uint64(5), CacheReadTokens: proto.Uint64(3), OutputTokens: proto.Uint64(1)}}, 1, 5},
		{"log line that counts what was cached", []*transcriptv1.Usage{bare(8, 3, 1)}, []*transcriptv1.Usage{{ResponseId: "r", InputTokens: proto.Uint64(5), CacheReadTokens: proto.Uint64(3), OutputTokens: proto.Uint64(1)}}, 1, 8},
		{"log lines alone", []*transcriptv1.Usage{bare(5, 0, 1), bare(5, 0, 1)}, nil, 2, 10},
		{"log line and another call", []*transcriptv1.Usage{bare(5, 0, 1)}, []*transcriptv1.Usage{tokens("r", "", 5, 2)}, 2, 10},
		{"one log line, two equal calls", []*transcriptv1.Usage{bare(5, 0, 1)}, []*transcriptv1.Usage{tokens("r", "", 5, 1), tokens("s", "", 5, 1)}, 2, 10},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			events := []*transcriptv1.Event{stepEvent(0, user)}
			for i, u := range tc.steps {
				events = append(events, stepEvent(i+1, assistant, spending(u)))
			}
			footer, _ := usageOf(t, &fakeSource{batches: split(events, 2), footer: &transcriptv1.Footer{Generations: tc.gens}})
			if got := footer.Usage; got.GetCalls() != tc.calls || got.GetInputTokens() != tc.input {
				t.Errorf("%d calls, input %d; want %d, %d", got.GetCalls(), got.GetInputTokens(), tc.calls, tc.input)
			}
		})
	}
}

// TestCaseP05: what a fork copied was paid for in the conversation it was copied from, also where the copied model calls
// are recorded apart from steps.
func TestCaseP05(t *testing.T) {
	t.Parallel()
	inherited := func(st *transcriptv1.Step) { st.Inherited = true }
	footer, _ := usageOf(t, &fakeSource{
		batches: split([]*transcriptv1.Event{
			stepEvent(0, user, inherited), stepEvent(1, assistant, spending(tokens("old", "", 1000, 10), tokens("old-retry", "", 500, 0)), inherited),
			stepEvent(2, assistant, spending(&transcriptv1.Usage{InputTokens: proto.Uint64(300), OutputTokens: proto.Uint64(3)}), inherited),
			stepEvent(3, user), stepEvent(4, assistant, spending(tokens("new", "", 7, 2))),
		}, 2),
		footer: &transcriptv1.Footer{Generations: []*transcriptv1.Usage{
			tokens("old", "", 1000, 10), tokens("old-retry", "", 500, 0), tokens("", "", 300, 3), tokens("new", "", 7, 2),
		}},
	})
	same(t, "total", total(1, 7, 2), footer.Usage)
	same(t, "copied turn", nil, footer.Overview.Prompts[0].Usage)
}

// TestUsageWithSubagents counts each call once across the tree.
func TestUsageWithSubagents(t *testing.T) {
	t.Parallel()
	child := named("a", &fakeSource{
		batches: split([]*transcriptv1.Event{
			stepEvent(0, user), stepEvent(1, assistant, spending(tokens("child", "", 10, 1))), stepEvent(2, tool, starting("b")),
			stepEvent(3, assistant, spending(tokens("shared", "", 50, 5))),
			stepEvent(4, assistant, spending(tokens("copied", "", 900, 9)), func(st *transcriptv1.Step) { st.Inherited = true }),
		}, 2),
		footer: &transcriptv1.Footer{Generations: []*transcriptv1.Usage{tokens("child", "", 10, 1), tokens("copied", "", 900, 9), tokens("title", "", 2, 2)}},
	})
	grandchild := named("b", &fakeSource{batches: split([]*transcriptv1.Event{stepEvent(0, user), stepEvent(1, assistant, spending(tokens("grandchild", "", 100, 1)))}, 1)})
	family := &fakeFamily{sources: map[string]*fakeSource{"a": child, "b": grandchild}}
	footer, text := usageOf(t, &fakeSource{batches: split([]*transcriptv1.Event{
		stepEvent(0, user), stepEvent(1, assistant, spending(tokens("shared", "", 50, 5))), stepEvent(2, tool, starting("a")),
		stepEvent(3, assistant, spending(tokens("after", "", 1, 1))),
	}, 3)}, func(job *convert.Job) { job.Family, job.Subagents = family, convert.SubagentsInline })
	same(t, "alone", total(2, 51, 6), footer.Usage)
	same(t, "turn", total(2, 51, 6), footer.Overview.Prompts[0].Usage)
	same(t, "with subagents", total(5, 51+10+2+100, 6+1+2+1), footer.UsageWithChildren)
	if !strings.Contains(text, `"usage":{"inputTokens":"62","outputTokens":"8","calls":3}`) ||
		!strings.Contains(text, `"usageWithChildren":{"inputTokens":"162","outputTokens":"9","calls":4}`) {
		t.Error("totals of the subagent: " + text)
	}
	if strings.Contains(strings.Join(footer.Overview.Models, ","), "child") {
		t.Error("models of subagents are their own")
	}
}

// Tokens of log lines are named as such: in a conversation with logs only, and in steps filled from logs.
func TestUsageOfLogs(t *testing.T) {
	t.Parallel()
	line := func() *transcriptv1.Usage {
		return &transcriptv1.Usage{InputTokens: proto.Uint64(5), OutputTokens: proto.Uint64(1)}
	}
	logs := &fakeSource{
		header:  &transcriptv1.Header{ConversationId: "conv", Provenance: &transcriptv1.Provenance{Source: "mirror"}},
		batches: [][]*transcriptv1.Event{{stepEvent(0, user), stepEvent(1, assistant, spending(line()))}},
	}
	if footer, _ := usageOf(t, logs); footer.UsageOrigin != "1 in transcript logs" {
		t.Errorf("found %s", footer.UsageOrigin)
	}
	filled := &fakeSource{batches: [][]*transcriptv1.Event{{
		stepEvent(0, user), stepEvent(1, assistant, spending(tokens("r", "", 5, 1))),
		stepEvent(2, assistant, spending(line()), func(st *transcriptv1.Step) { st.Origin = "transcript_full.jsonl" }),
	}}}
	if footer, _ := usageOf(t, filled); footer.UsageOrigin != "1 in steps, 1 in transcript logs" || footer.Usage.GetCalls() != 2 {
		t.Errorf("found %s", footer.UsageOrigin)
	}
}

// TestCaseC03: a record whose parts do not add up is counted and said to be unverified.
func TestCaseC03(t *testing.T) {
	t.Parallel()
	split3 := func(response string, out, thinking, answer uint64) *transcriptv1.Usage {
		u := tokens(response, "", 1, out)
		u.ThinkingTokens, u.ResponseTokens = proto.Uint64(thinking), proto.Uint64(answer)
		return u
	}
	good := &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, assistant, spending(split3("a", 7, 3, 4))), stepEvent(1, assistant, spending(tokens("b", "", 1, 9)))}}}
	if _, text := usageOf(t, good); strings.Contains(text, "notverified") {
		t.Error(text)
	}
	bad := &fakeSource{batches: [][]*transcriptv1.Event{{
		stepEvent(0, assistant, spending(split3("a", 7, 3, 4))), stepEvent(1, assistant, spending(split3("b", 8, 3, 4))), stepEvent(2, assistant, spending(split3("c", 3, 3, 4))),
	}}}
	footer, text := usageOf(t, bad)
	if footer.Usage.GetOutputTokens() != 18 || footer.Incomplete {
		t.Errorf("%v", footer)
	}
	want := `{"kind":"usage","severity":"SEVERITY_INFO","text":"usagenotverified:theoutputtokensof2modelcallsarenotthoseofthinkingandresponsetogether,firstinthisstep","anchor":"step-1"}`
	if !strings.Contains(text, want) {
		t.Error(text)
	}
}

// TestCaseP07: calls without tokens are calls, with nothing recorded.
func TestCaseP07(t *testing.T) {
	t.Parallel()
	footer, _ := usageOf(t, &fakeSource{batches: [][]*transcriptv1.Event{{
		stepEvent(0, user), stepEvent(1, assistant, spending(&transcriptv1.Usage{ResponseId: "a"})), stepEvent(2, assistant, spending(&transcriptv1.Usage{ResponseId: "b"})),
	}}})
	same(t, "total", &transcriptv1.Usage{Calls: 2}, footer.Usage)
}

package html_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// mostGrowth is how many times larger than a hostile step its page may be.
const mostGrowth = 10

// Texts made to need as much markup as possible must not blow the page up, and every page stays ours.
func TestPageStaysInProportion(t *testing.T) {
	t.Parallel()
	const n = 100_000
	many := func(s string) string { return strings.Repeat(s, n) }
	one := func(b *transcriptv1.Block) []*transcriptv1.Event {
		return conversation(&transcriptv1.Step{Anchor: "step-0", Role: assistant, Blocks: []*transcriptv1.Block{b}})
	}
	diff := func(text string) *transcriptv1.Block {
		return &transcriptv1.Block{Text: text, Detail: &transcriptv1.Block_Diff{Diff: &transcriptv1.Diff{}}}
	}
	for _, test := range []struct {
		name   string
		events []*transcriptv1.Event
	}{
		{"backspaces", one(code("", "", many("abc")+many("\b")+"y"))},
		{"two controls in turn", one(code("", "", many("\a\b\x01\x02\x03\x04")))},
		{"open sequences", one(code("", "", many("\x1b[0")+many("\x1b]")))},
		{"links of a terminal", one(code("", "", many("\x1b]8;;http://a\a")))},
		{"colours", one(code("", "", "\x1b[1;2;3;4;9;31;41m"+strings.Repeat("\x1b[7mx\x1b[27my", 20_000)))},
		{"returns in a message", one(markdown(many("<a\r")))},
		{"controls in a message that is read", one(markdown(strings.Repeat("a\b \n", 20_000)))},
		{"controls in code of a message", one(markdown("```\n" + many("\a\b")))},
		{"controls as typed", one(plain(many("a\r\v")))},
		{"controls of two bytes", one(plain(many("\u0080\u0081")))},
		{"overrides", one(plain(many("\u202e\u202d")))},
		{"diff of empty lines", one(diff("@@ -0,0 +1,100000 @@\n" + many("\n")))},
		{"diff of short lines", one(diff("@@ -1,100000 +1,100000 @@\n" + many("+\n-\n")))},
		{"controls in short lines of a diff", one(diff(strings.Repeat("+\a\b\n", 19_000) + many("x")))},
		{"calls without an answer", manyCalls(20_000)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			in := 0
			for _, ev := range test.events {
				in += proto.Size(ev)
			}
			page := render(t, test.events)
			if empty := len(render(t, conversation())); len(page)-empty > mostGrowth*in {
				t.Errorf("%d bytes became %d, %.1f times as many", in, len(page), float64(len(page)-empty)/float64(in))
			}
			if steps := checkPage(t, page); steps != 1 {
				t.Errorf("%d steps in the page", steps)
			}
		})
	}
}

// manyCalls is a step that asks for n calls which nothing answers.
func manyCalls(n int) []*transcriptv1.Event {
	planner := &transcriptv1.Step{Anchor: "step-0", Role: assistant}
	events := []*transcriptv1.Event{begin(&transcriptv1.Header{ConversationId: "c"}), step(planner)}
	for i := range n {
		c := &transcriptv1.ToolCall{Id: fmt.Sprintf("id<%d>", i), Name: "run_command", ArgumentsJson: fmt.Sprintf(`{"CommandLine":"do<%d>"}`, i)}
		planner.Blocks = append(planner.Blocks, &transcriptv1.Block{
			Kind: "tool_call", Detail: &transcriptv1.Block_ToolCall{ToolCall: &transcriptv1.ToolCallRef{Call: c}},
		})
		events = append(events, note(&transcriptv1.Note{Kind: "call_without_result", Anchor: "step-0", Text: "The call has no result.", Call: c}))
	}
	return append(events, end(&transcriptv1.Footer{Steps: 1}))
}

// However many calls there are, each is named on its step, and each that nothing answers stands in full behind it.
func TestEveryCallStays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		n             int
		stubs, folded int
	}{{1, 1, 0}, {500, 500, 0}, {501, 0, 1}, {1100, 0, 600}} {
		t.Run(fmt.Sprint(test.n), func(t *testing.T) {
			t.Parallel()
			events := manyCalls(test.n)
			last := len(events) - 1
			events = append(events[:last:last], note(&transcriptv1.Note{Text: "another note"}), events[last])
			page := render(t, events)
			checkPage(t, page)
			if got := strings.Count(page, `<p class="stub">`); got != test.stubs {
				t.Errorf("%d stubs, want %d", got, test.stubs)
			}
			if got := strings.Count(page, "step 0 · The call has no result. · run_command · id&lt;"); got != test.folded {
				t.Errorf("%d notes are lines, want %d", got, test.folded)
			}
			for i := range test.n {
				if got := strings.Count(page, fmt.Sprintf("id&lt;%d&gt;", i)); got != 1 {
					t.Errorf("id %d is shown %d times", i, got)
				}
				if got := strings.Count(page, fmt.Sprintf("do&lt;%d&gt;", i)); got != 2 {
					t.Errorf("call %d is shown %d times, want on the step and behind it", i, got)
				}
			}
			if !strings.Contains(page, "another note") || strings.Count(page, "<pre") != strings.Count(page, "</pre>") {
				t.Error("the list does not end before the next note")
			}
		})
	}
}

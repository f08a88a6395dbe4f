package markdown_test

import (
	"strings"
	"testing"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// Lists of the overview that end at a bound say how much is beyond.
func TestListsSayWhatIsBeyond(t *testing.T) {
	t.Parallel()
	footer := &tv1.Footer{Overview: &tv1.Overview{
		Prompts:  []*tv1.Prompt{{Anchor: "step-0", Text: "first"}, {Anchor: "step-1", Text: "second"}},
		Files:    []*tv1.TouchedFile{{Uri: "file:///a", ReadAnchors: []string{"step-1"}, MoreRead: 1234, MoreChanged: 5}},
		Children: []*tv1.Child{{ConversationId: "c"}}, MorePrompts: 20, MoreFiles: 30, MoreChildren: 40,
	}}
	file := write(t, &sinks.Request{}, []*tv1.Event{{Body: &tv1.Event_Begin{Begin: &tv1.Header{}}}, {Body: &tv1.Event_End{End: footer}}}, false)
	for _, want := range []string{"\nand 20 more, each in its place below\n", "\n- and 30 more\n", "\n- and 40 more\n", "changed in and 5 more", "and 1,234 more\n"} {
		if !strings.Contains(file, want) {
			t.Errorf("no %q in\n%s", want, file)
		}
	}
}

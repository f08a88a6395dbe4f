package html_test

import (
	"strings"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Lists of the overview that end at a bound say how much is beyond, and their totals count it.
func TestListsSayWhatIsBeyond(t *testing.T) {
	t.Parallel()
	footer := &transcriptv1.Footer{Overview: &transcriptv1.Overview{
		Prompts:  []*transcriptv1.Prompt{{Anchor: "step-0", Text: "first"}},
		Files:    []*transcriptv1.TouchedFile{{Uri: "file:///a", ReadAnchors: []string{"step-1"}, MoreRead: 1234, MoreChanged: 5}},
		Children: []*transcriptv1.Child{{ConversationId: "c"}}, MorePrompts: 20, MoreFiles: 30, MoreChildren: 40,
	}}
	page := render(t, append(sample()[:1:1], end(footer)))
	for _, want := range []string{
		"<p class=\"hint\">and 20 more, each in its place below</p>", "<li>and 30 more</li>", "<li>and 40 more</li>", "and 5 more</span>", " and 1,234 more</span>",
		"<dt>Prompts</dt><dd>21</dd>", "<dt>Files touched</dt><dd>31</dd>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
}

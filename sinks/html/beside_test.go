package html_test

import (
	"strings"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Names and links of attachments and pictures are data: whatever they are, the page links nowhere but beside it, and only a
// page with pictures beside it may load any.
func TestHostileFilesBeside(t *testing.T) {
	t.Parallel()
	for _, s := range append([]string{
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "vbscript:x", "data:text/html,<script>", "//evil.example/x",
		`\\evil.example\x`, "https://evil.example/x", "/etc/passwd", "file:///etc/passwd", "", " ", "#x", "?x", `x" onmouseover="alert(1)`, "a b(1)#2%25é.png",
	}, hostile...) {
		page := render(t, conversation(&transcriptv1.Step{
			Anchor: "step-0", Role: assistant,
			Blocks: []*transcriptv1.Block{
				{Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: s, MimeType: "image/png", Href: s}}},
				{Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: "x.png", Href: "x.assets/" + s}}},
			},
			Children: []*transcriptv1.ChildLink{{ConversationId: s, Title: s, State: "separate", Href: s}},
		}))
		checkPage(t, page)
		for _, attribute := range []string{`href="//`, `src="//`, `src="/`, `src="http`, `src="file`, `src="java`} {
			if !strings.ContainsAny(s, `"<`) && strings.Contains(strings.ToLower(page), attribute) {
				t.Errorf("%q leads to %s", s, attribute)
			}
		}
	}
}

// The headings of what an artifact holds are no headings of the page.
func TestOutlineOfTheWhole(t *testing.T) {
	t.Parallel()
	page := render(t, whole(t))
	for _, want := range []string{`<p class="h4">Plan</p>`, `<p class="h5">Step one</p>`, `<p class="h4">Notes of the subagent</p>`, "Beside the steps</h2>", "<h3>Artifacts</h3>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	picture := func(href string) string {
		return render(t, conversation(&transcriptv1.Step{Anchor: "step-0", Blocks: []*transcriptv1.Block{
			{Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: "x.png", Href: href}}},
		}}))
	}
	for href, want := range map[string]string{
		"": "img-src data:;", "x.assets/x.png": "img-src data: 'self';", "https://evil.example/x.png": "img-src data:;",
	} {
		if page := picture(href); !strings.Contains(page, want) {
			t.Errorf("%q: no %s", href, want)
		}
	}
}

// D04, D05: colours are elements, redrawn lines are as they were seen, and nothing moves a cursor or turns text around.
func TestCaseD05(t *testing.T) {
	t.Parallel()
	page := render(t, conversation(&transcriptv1.Step{Anchor: "step-0", Blocks: []*transcriptv1.Block{
		{Text: "make", Detail: &transcriptv1.Block_Command{Command: &transcriptv1.Command{}}},
		{Text: "\x1b[31mred\x1b[0m\n10%\r20%\rdone\n\x1b[2J\x1b]0;t\a\u202e", Detail: &transcriptv1.Block_Code{Code: &transcriptv1.Code{}}},
	}}))
	if !strings.Contains(page, `<span class="f1">red</span>`) || strings.Contains(page, "20%") || !strings.Contains(page, "done") {
		t.Error("colours or redrawn lines are not as a terminal shows them")
	}
	if strings.ContainsAny(page, "\x1b\a\u202e") {
		t.Error("a control character is in the page")
	}
}

// P03, P07: a model without a name is shown as it is stored, and tokens that nobody recorded are not zero.
func TestCaseP07(t *testing.T) {
	t.Parallel()
	page := render(t, whole(t))
	for _, want := range []string{"12 requests, tokens not recorded", ">MODEL_PLACEHOLDER_M318<", "Tokens</span> not recorded"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, ">0 in") || strings.Contains(page, "<dd>0</dd></div>\n<div><dt>Tokens") {
		t.Error("the page says 0 tokens")
	}
}

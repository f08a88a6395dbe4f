package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/events/stored"
)

func wholeFile(t *testing.T) string {
	t.Helper()
	return write(t, &sinks.Request{BaseName: "x"}, stored.Events(t, "whole"), false)
}

// The headings of what an artifact holds are no headings of the file.
func TestOutlineOfTheWhole(t *testing.T) {
	t.Parallel()
	for name, dialect := range dialects {
		found := read(t, dialect, wholeFile(t)).headings
		for _, not := range []string{"Plan", "Step one", "Notes of the subagent", "Not a heading of the file"} {
			if slices.Contains(found, not) {
				t.Errorf("%s: %q is a heading", name, not)
			}
		}
		for _, want := range []string{"Beside the steps", "Artifacts", "Queued prompts", "Artifact · plan.md"} {
			if !slices.Contains(found, want) {
				t.Errorf("%s: %q is no heading of %q", name, want, found)
			}
		}
	}
}

// M02: a file whose bytes are not there is named, and said not to be stored.
func TestCaseM02(t *testing.T) {
	t.Parallel()
	page := wholeFile(t)
	for _, want := range []string{
		"[gone (1)#2%.png](<file:///home/jo/gone%20(1)%232%25.png>) · image/png · not stored",
		"- gone (1)#2%.png: not stored · [step 0](#step-0)",
		"notes.pdf · application/pdf · in the store as brain/",
		"[media__1.png](<x.assets/0123456789abcdef-media__1.png>) · image/png · 70 B · copied beside this document",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the file lacks %q", want)
		}
	}
}

// M07: a picture that lies beside the file is shown, and the generated one is linked.
func TestCaseM07(t *testing.T) {
	t.Parallel()
	page := wholeFile(t)
	for _, want := range []string{
		"![media__1.png](<x.assets/0123456789abcdef-media__1.png>)\n",
		"#### Generated image · logo (1) #2.png\n\nUpdated 2026-02-03 04:06:06 UTC · [copied beside this document](<x.assets/00-logo%20%281%29%20%232.png>)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the file lacks %q", want)
		}
	}
}

// D07: blank lines inside a block stay as many as they are. D05: colours are left out, redrawn lines are as they were seen.
func TestCaseD07AndD05(t *testing.T) {
	t.Parallel()
	body := "a\n\n\n\n\nb\n"
	step := &tv1.Step{Anchor: "step-0", Blocks: []*tv1.Block{
		{Text: "make", Detail: &tv1.Block_Command{Command: &tv1.Command{}}},
		{Text: "\x1b[31mred\x1b[0m\n10%\r20%\rdone\n", Detail: &tv1.Block_Code{Code: &tv1.Code{}}},
		{Text: body, Detail: &tv1.Block_FileView{FileView: &tv1.FileView{}}},
	}}
	page := write(t, &sinks.Request{BaseName: "x"}, []*tv1.Event{
		{Body: &tv1.Event_Begin{Begin: &tv1.Header{}}}, {Body: &tv1.Event_Step{Step: step}}, {Body: &tv1.Event_End{End: &tv1.Footer{}}},
	}, false)
	for _, want := range []string{body, "\nred\ndone\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the file lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "\x1b") || strings.Contains(page, "20%") {
		t.Errorf("the file holds what a terminal does not show:\n%s", page)
	}
}

// M06: artifacts and generated images are sections with time and type.
func TestCaseM06(t *testing.T) {
	t.Parallel()
	page := wholeFile(t)
	for _, want := range []string{
		"#### Artifact · plan.md\n\nUpdated 2026-02-03 04:06:06 UTC · [copied beside this document]", "· text/markdown ·",
		"#### Generated image · logo (1) #2.png", "![media__1.png](<x.assets/0123456789abcdef-media__1.png>)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the file lacks %q", want)
		}
	}
}

// P03: a model that has no name is shown as it is stored.
func TestCaseP03(t *testing.T) {
	t.Parallel()
	if page := wholeFile(t); strings.Count(page, "MODEL_PLACEHOLDER_M318") != 3 {
		t.Error("the stored name is not shown as it is")
	}
}

// P07: calls without tokens are counted, and what nobody recorded is not zero.
func TestCaseP07(t *testing.T) {
	t.Parallel()
	page := wholeFile(t)
	if strings.Count(page, "12 requests, tokens not recorded") != 2 || strings.Contains(page, " 0 in") {
		t.Error("calls without tokens are not said to be")
	}
}

// Links to files and documents are data and lead nowhere but beside the file.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	for _, href := range []string{
		"javascript:alert(1)", "java\tscript:alert(1)", "//evil.example/x", `\\evil.example`, "https://evil.example/x", "/etc/passwd", "data:text/html,x", "",
	} {
		step := &tv1.Step{
			Anchor: "step-0", Children: []*tv1.ChildLink{{ConversationId: "c", Title: "t", State: "separate", Href: href}},
			Blocks: []*tv1.Block{{Detail: &tv1.Block_Media{Media: &tv1.Media{Uri: "x.png", Href: href}}}},
		}
		page := write(t, &sinks.Request{BaseName: "x"}, []*tv1.Event{
			{Body: &tv1.Event_Begin{Begin: &tv1.Header{ParentConversationId: "p", ParentHref: href}}},
			{Body: &tv1.Event_Step{Step: step}},
			{Body: &tv1.Event_Attachment{Attachment: &tv1.Attachment{Name: "n", Href: href, Size: proto.Uint64(1)}}},
			{Body: &tv1.Event_End{End: &tv1.Footer{Assets: []*tv1.Asset{{Name: "n", Href: href}}}}},
		}, false)
		if strings.Contains(page, "](") {
			t.Errorf("%q is linked:\n%s", href, page)
		}
	}
}

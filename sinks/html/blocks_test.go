package html

import (
	"strings"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

func TestDiffLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{
			"signs and headers", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ f()\n a\n-<b>\n+c\n",
			"<span class=\"head\">--- a/x\n</span><span class=\"head\">+++ b/x\n</span><span class=\"hunk\">@@ -1,2 +1,2 @@ f()\n</span>" +
				"<span> a\n</span><del>-&lt;b&gt;\n</del><ins>+c\n</ins>",
		},
		{
			"removed line that looks like a header", "@@ -1,2 +1 @@\n--- x\n-- y\n+++ z\n",
			"<span class=\"hunk\">@@ -1,2 +1 @@\n</span><del>--- x\n</del><del>-- y\n</del><ins>+++ z\n</ins>",
		},
		{
			"second file", "@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d",
			"<span class=\"hunk\">@@ -1 +1 @@\n</span><del>-a\n</del><ins>+b\n</ins><span class=\"head\">--- a/y\n</span><span class=\"head\">+++ b/y\n</span>" +
				"<span class=\"hunk\">@@ -1 +1 @@\n</span><del>-c\n</del><ins>+d</ins>",
		},
		{
			"no end of line", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b",
			"<span class=\"hunk\">@@ -1 +1 @@\n</span><del>-a\n</del><span class=\"head\">\\ No newline at end of file\n</span><ins>+b</ins>",
		},
		{"added @@", "@@ -0,0 +1,2 @@\n+@@ x\n+y", "<span class=\"hunk\">@@ -0,0 +1,2 @@\n</span><ins>+@@ x\n</ins><ins>+y</ins>"},
		{"not a diff", "+a\n-b\n", "<span class=\"head\">+a\n</span><span class=\"head\">-b\n</span>"},
		{"CRLF", "@@ -0,0 +1 @@\r\n+a\r\n", "<span class=\"hunk\">@@ -0,0 +1 @@&#13;\n</span><ins>+a&#13;\n</ins>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			want := "<pre class=\"diff\"><code>" + test.want + "</code></pre>\n"
			if got := string(appendDiffLines(nil, test.in)); got != want {
				t.Errorf("%q\n got %s\nwant %s", test.in, got, want)
			}
		})
	}
}

func TestImageType(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, data, want string }{
		{"png", "\x89PNG\r\n\x1a\nrest", "image/png"},
		{"jpeg", "\xff\xd8\xff\xe0", "image/jpeg"},
		{"gif", "GIF89a..", "image/gif"},
		{"webp", "RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"},
		{"wave", "RIFF\x00\x00\x00\x00WAVEfmt ", ""},
		{"svg", "<svg onload=alert(1)>", ""},
		{"html", "<!DOCTYPE html>", ""},
		{"short", "\x89PNG", ""},
		{"empty", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := imageType([]byte(test.data)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestLargeImageIsNamed(t *testing.T) {
	t.Parallel()
	data := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, maxImage)...)
	got := string(appendMedia(nil, &transcriptv1.Block{}, &transcriptv1.Media{Uri: "file:///a.png", Data: data}))
	if strings.Contains(got, "<img") || !strings.Contains(got, "5.0 MiB · stored in the conversation · not inlined: larger than 5.0 MiB") {
		t.Error(got)
	}
}

// A structured form must never hide text that only the plain form has.
func TestStructureHidesNothing(t *testing.T) {
	t.Parallel()
	const extra = "This sentence stands in the text alone and must be seen."
	for _, b := range []*transcriptv1.Block{
		{Text: "a\n" + extra, Detail: &transcriptv1.Block_Listing{Listing: &transcriptv1.Listing{Entries: []*transcriptv1.ListingEntry{{Name: "a"}}}}},
		{Text: "a:1:b\n" + extra, Detail: &transcriptv1.Block_SearchHits{SearchHits: &transcriptv1.SearchHits{Hits: []*transcriptv1.SearchHit{{Path: "a", Text: "b"}}}}},
		{Text: "T\nhttps://u\n" + extra, Detail: &transcriptv1.Block_WebResults{WebResults: &transcriptv1.WebResults{Results: []*transcriptv1.WebResult{{Title: "T", Url: "https://u"}}}}},
		{Text: "Q?\n" + extra, Detail: &transcriptv1.Block_Question{Question: &transcriptv1.Question{Text: "Q?"}}},
		{Text: "k: v\n" + extra, Detail: &transcriptv1.Block_KeyValues{KeyValues: &transcriptv1.KeyValues{Items: []*transcriptv1.KeyValue{{Key: "k", Value: "v"}}}}},
		{Text: extra, Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{}}},
		{Text: extra, Detail: &transcriptv1.Block_ToolCall{ToolCall: &transcriptv1.ToolCallRef{}}},
		{Text: extra, Kind: "hologram"},
		{Text: extra},
	} {
		if got := string(appendBlock(nil, b, 0, false)); !strings.Contains(got, extra) {
			t.Errorf("%T hides text:\n%s", b.GetDetail(), got)
		}
	}
}

func TestCovers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		parts      []string
		want       bool
	}{
		{"in order", "1. A title\nhttps://u\nText here", []string{"A title", "https://u", "Text here"}, true},
		{"labels", "Question: Q?\n[x] yes\nAnswer: Z", []string{"Q?", "yes", "Z"}, true},
		{"a sentence before", "A sentence that nobody shows. Q?", []string{"Q?"}, false},
		{"a sentence behind", "Q? And a sentence that nobody shows", []string{"Q?"}, false},
		{"nothing found", "A sentence that nobody shows at all", []string{"Q?"}, false},
		{"empty", "", nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := covers(test.text, test.parts); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestIndentedJSON(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{"numbers and escapes stay", `{"a":12345678901234567890,"b":"\u003c\/"}`, "{\n  \"a\": 12345678901234567890,\n  \"b\": \"\\u003c\\/\"\n}"},
		{"same name twice", `{"a":1,"a":2}`, "{\n  \"a\": 1,\n  \"a\": 2\n}"},
		{"broken", `{"a":`, `{"a":`},
		{"deep", strings.Repeat("[", 100) + strings.Repeat("]", 100), strings.Repeat("[", 100) + strings.Repeat("]", 100)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			want := "<pre><code>" + test.want + "</code></pre>\n"
			if got := string(appendIndented(nil, test.in)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestValueIsLinked(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{"file", "file:///a/b.go", `<a class="path" href="file:///a/b.go" rel="noreferrer noopener">/a/b.go</a>`},
		{"scheme that is not allowed", "vscode://x", `<span class="path">vscode://x</span>`},
		{"text with an address", "see https://a.b", "see https://a.b"},
		{"text", "a://\nb", "a://\nb"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := string(appendValue(nil, test.in)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	for anchor, want := range map[string]int{"step-7": 3, "step-7-0": 5, "step-7-0-1": 5, "step-7-0-1-2": 6, "branch-1-4": 5, "step-1-2-3-4-5-6": 6, "msg-a-b-c": 3, "": 3} {
		if got := stepLevel(anchor); got != want {
			t.Errorf("%q: level %d, want %d", anchor, got, want)
		}
	}
	for depth, want := range map[uint32]int{0: 4, 1: 4, 2: 6, 1 << 31: 6} {
		if got := nestedLevel(depth); got != want {
			t.Errorf("depth %d: level %d, want %d", depth, got, want)
		}
	}
}

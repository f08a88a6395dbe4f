package html_test

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// hostile are texts that broke other viewers, and their relatives.
var hostile = []string{
	"<script>document.title='owned';top.location='https://example.org/'</script>",
	"</code></pre></details></article></main></body></html><script>alert(1)</script>",
	"<style>*{display:none}</style>", "<head>", "<!--", "<!-- a -- b", "--><script>alert(1)</script>", "<![CDATA[", "]]>",
	"<plaintext>", "<textarea>", "<title>", "<noscript>", "<xmp>", "<iframe srcdoc='<script>alert(1)</script>'>", "<select><option>",
	"<svg onload=alert(1)>", "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>", "<base href='https://example.org/'>",
	"<meta http-equiv=refresh content='0;url=https://example.org/'>", "<link rel=stylesheet href=https://example.org/a.css>",
	`x" onmouseover="alert(1)`, `x' onmouseover='alert(1)`, "x` onmouseover=`alert(1)", `"><img src=x onerror=alert(1)>`,
	"<img src=x onerror=alert(1)>", `{"q":"<img src=x onerror=alert(1)>"}`, "<a href=\"javascript:alert(1)\">x</a>",
	"[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](java\tscript:alert(1))", "[x](<java\nscript:alert(1)>)",
	"[x](&#106;avascript:alert(1))", "[x](&#x6A;avascript&colon;alert(1))", "[x](\\javascript:alert(1))", "[x](vbscript:msgbox(1))",
	"[x](data:text/html,<script>alert(1)</script>)", "[x](data:text/html;base64,PHNjcmlwdD4=)", "[x]( javascript:alert(1))",
	"[x](//example.org/a)", "[x](https://example.org/\"onclick=\"alert(1))", "[x](https://example.org 'a\" onclick=\"alert(1)')",
	"<javascript:alert(1)>", "<data:text/html,x>", "<https://example.org/\"onclick=alert(1)>", "<a@b.c\" onclick=alert(1)>",
	"![x](javascript:alert(1))", "![x](https://example.org/p.png)", "![x\" onerror=\"alert(1)](https://example.org/p.png)",
	"[![i](https://example.org/p.png)](javascript:alert(1))", "[a [b](https://b.example) <https://c.example>](https://a.example)",
	"[x]: javascript:alert(1)\n\n[x] [x][] [y][x]", "[x]: <javascript:alert(1)> \"t\"\n\n![x]", "[`x`]: https://example.org '`\n<script>'\n\n[`x`]",
	"`<script>` ``a`<b>`` ```\n<script>\n```\n", "```\"><script>alert(1)</script>\n<b>\n```\n", "~~~ {onclick=alert(1)}\nx\n~~~",
	"````markdown\n```go\nx\n```\n<script>\n````\n", "```ty\npescript", "<iframe src=\"https://example.org", "<iframe <script>alert(1)</script>",
	"<ifr<script>ame src=x>", "<<script>script>alert(1)<</script>/script>", "<a\x00b>", "\x00<script>\x00", "<scr\x00ipt>",
	"| a | b |\n|:-:|--:|\n| <b> | [x](javascript:a) |\n", "| a\" style=\"x | b |\n|---|---|\n", "# <script>\n## x {#id onclick=alert(1)}\n",
	"1. a\n   - > # <b>\n     ```\n     <script>\n", "&lt;script&gt; &#60;b&#62; &#0; &#x202E; &#xD800; &amp;lt;", "&#x1b;[31m",
	"\u202e\u2066<b>\u2069\u202c", "\u200e\u061c\ufeff\u2028\u2029", "\x1b[31m<b>\x1b[0m\x1b[38;5;\"onclick=m\x1b]8;;javascript:alert(1)\x07x\x1b]8;;\x07",
	"\x1b[1;31;44;7m\x1b[<b>m", "a\rb\r<b>\r\n", "\u009b31m \u009bm", "\ufffd\ufffe<b>\u00c3", "\U000e0041\U000e0042", "<\u200bscript>",
	"***a **b*** <b>*c*</b>", "- [x] <input onfocus=alert(1) autofocus>", "www.example.org\"onclick=alert(1)", "https://example.org/<b>",
	"mailto:a@b.c?<script>", "a@b.c", "file:///etc/passwd", "http://", "https://[::1", "https://example.org/%0d%0aX: y",
	"@@ -1 +1 @@\n-<b>\n+<script>\n", "--- a\n+++ b\n@@ -1,9999999999999999999 +1 @@ <b>\n x\n", "@@", "@@ -a +b @@\n+x",
	"| a | b |\n|---|---|\n| c | d | secret <b> |\n", "[//]: # (secret <b>)", "[a]: b 'secret'\n[a]: c \"second\"",
	"\n<b>", "\n\n\n\n", " ", "\t", "",
}

// hostileStep puts one text into every place of a step.
func hostileStep(i int, s string) *transcriptv1.Step {
	blocks := []*transcriptv1.Block{
		markdown(s), plain(s), code(s, "", s), code(s, s, s),
		{Kind: s, Label: s, Text: s},
		{Kind: "thinking", Text: s, Detail: &transcriptv1.Block_Thinking{Thinking: &transcriptv1.Thinking{}}},
		{Text: s, Detail: &transcriptv1.Block_Diff{Diff: &transcriptv1.Diff{Uri: s, Change: s}}},
		{Text: s, Detail: &transcriptv1.Block_Command{Command: &transcriptv1.Command{Cwd: s, Shell: s}}},
		{Text: s, Detail: &transcriptv1.Block_FileView{FileView: &transcriptv1.FileView{Uri: s, FirstLine: proto.Uint32(1)}}},
		{Text: "1\n", Detail: &transcriptv1.Block_Listing{Listing: &transcriptv1.Listing{Uri: s, Entries: []*transcriptv1.ListingEntry{{Name: s}}}}},
		{Text: "1\n", Detail: &transcriptv1.Block_SearchHits{SearchHits: &transcriptv1.SearchHits{Query: s, Uri: s, Hits: []*transcriptv1.SearchHit{{Path: s, Text: s}}}}},
		{Text: s, Detail: &transcriptv1.Block_WebResults{WebResults: &transcriptv1.WebResults{Query: s, Results: []*transcriptv1.WebResult{{Title: s, Url: s, Text: s}}}}},
		{Text: s, Detail: &transcriptv1.Block_Question{Question: &transcriptv1.Question{Text: s, Options: []*transcriptv1.QuestionOption{{Id: s, Text: s}}, WrittenAnswer: s}}},
		{Text: s, Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: s, MimeType: s, Description: s, Data: append(png[:len(png):len(png)], s...), Sha256: s}}},
		{Text: s, Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: s, MimeType: "image/png", Data: []byte(s)}}},
		{Text: s, Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: s, MimeType: "text/plain", Href: s, StorePath: s}}},
		{Text: s, Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: s, MimeType: "text/plain", Href: "x.assets/" + s, StorePath: s}}},
		{Text: s, Detail: &transcriptv1.Block_ToolCall{ToolCall: &transcriptv1.ToolCallRef{Call: &transcriptv1.ToolCall{Name: s, ArgumentsJson: s}}}},
		{Text: s, Detail: &transcriptv1.Block_Notice{Notice: &transcriptv1.Notice{}}},
		{Text: s, Detail: &transcriptv1.Block_KeyValues{KeyValues: &transcriptv1.KeyValues{Items: []*transcriptv1.KeyValue{{Key: s, Value: s}}}}},
		{Text: s, Label: s, Detail: &transcriptv1.Block_Json{Json: &transcriptv1.Json{}}},
	}
	return &transcriptv1.Step{
		Index: uint32(i), Anchor: fmt.Sprintf("step-%d", i), Kind: s, Status: s, Model: s, Summary: s, TaskId: s, ContinuesAnchor: s,
		Role: transcriptv1.Role(i % 5), ChildConversationIds: []string{s}, Blocks: blocks,
		Usage: &transcriptv1.Usage{Model: s}, Origin: s,
		Children: []*transcriptv1.ChildLink{{ConversationId: s, Title: s, State: s, Href: s}, {ConversationId: s, State: "inline"}, {Href: s + "#" + s}},
		Call:     &transcriptv1.ToolCall{Id: s, Name: s, ArgumentsJson: s, InvalidJson: s, Summary: s, Action: s},
		Unknown:  []*transcriptv1.UnknownField{{Path: s, Value: []byte(s)}},
	}
}

// hostileConversation puts every hostile text into every place of a stream.
func hostileConversation() []*transcriptv1.Event {
	return hostileStream(hostile)
}

func hostileStream(texts []string) []*transcriptv1.Event {
	var events []*transcriptv1.Event
	var overview transcriptv1.Overview
	var assets []*transcriptv1.Asset
	var missing []*transcriptv1.MissingFile
	for i, s := range texts {
		if i == 0 {
			events = append(events, begin(hostileHeader(s, 0)))
		}
		events = append(events, step(hostileStep(i, s)), begin(hostileHeader(s, 1)), end(&transcriptv1.Footer{Completeness: s}),
			note(&transcriptv1.Note{Kind: s, Text: s, Anchor: s, Call: &transcriptv1.ToolCall{Name: s, ArgumentsJson: s}}),
			&transcriptv1.Event{Body: &transcriptv1.Event_Attachment{Attachment: &transcriptv1.Attachment{
				Kind: s, Name: s, Uri: s, MimeType: s, Sha256: s, Href: s, Blocks: []*transcriptv1.Block{markdown(s)},
			}}}, &transcriptv1.Event{Body: &transcriptv1.Event_Attachment{Attachment: &transcriptv1.Attachment{
				Kind: "task_log", Name: s, Anchor: "x" + s, Href: "x.assets/" + s,
			}}})
		assets = append(assets, &transcriptv1.Asset{Href: s, Name: s, Anchor: s}, &transcriptv1.Asset{Href: "x/" + s, Name: s})
		missing = append(missing, &transcriptv1.MissingFile{Name: s, Anchor: s, Reason: s})
		overview.Prompts = append(overview.Prompts, &transcriptv1.Prompt{Anchor: s, Text: s})
		overview.Files = append(overview.Files, &transcriptv1.TouchedFile{Uri: s, ReadAnchors: []string{s}})
		overview.Problems = append(overview.Problems, &transcriptv1.Problem{Anchor: s, Text: s})
		overview.Children = append(overview.Children, &transcriptv1.Child{ConversationId: s, Anchor: s, Title: s, State: s, Href: s})
		overview.Models = append(overview.Models, s)
	}
	last := texts[len(texts)-1]
	return append(events, end(&transcriptv1.Footer{
		Steps: uint32(len(texts)), Overview: &overview, Completeness: last, Incomplete: true, SourceDigest: last, SkippedSections: texts,
		Assets: assets, MissingFiles: missing, Media: 1, Parts: []*transcriptv1.SourcePart{{Source: last, Location: last}},
	}))
}

func hostileHeader(s string, depth uint32) *transcriptv1.Header {
	return &transcriptv1.Header{
		ConversationId: s, TrajectoryId: s, Title: &transcriptv1.Sourced{Value: s, Origin: s}, Project: &transcriptv1.Sourced{Value: s, Origin: s},
		Surface: s, Depth: depth, CreatedNs: proto.Int64(1e18), CreatedOrigin: s, UpdatedNs: proto.Int64(1e18), UpdatedOrigin: s, ResumeCommand: s, ParentHref: s, ParentAnchor: s, ParentConversationId: s, TrajectoryType: s, TrajectorySource: s, WorkspaceUris: []string{s},
		References: []*transcriptv1.Reference{{Kind: s, ConversationId: s, TrajectoryId: s}},
		Provenance: &transcriptv1.Provenance{Source: s, Location: s, Profile: s, ProfileReason: s},
		Unknown:    []*transcriptv1.UnknownField{{Path: s}},
	}
}

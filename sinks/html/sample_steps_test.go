package html_test

import (
	"strings"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

const (
	user      = transcriptv1.Role_ROLE_USER
	assistant = transcriptv1.Role_ROLE_ASSISTANT
	tool      = transcriptv1.Role_ROLE_TOOL
	system    = transcriptv1.Role_ROLE_SYSTEM
)

const sampleMessage = `## What I found

The reader drops fields it does not know. Three places matter:

1. ` + "`wire.go`" + ` skips **unknown** numbers
2. [the issue](https://example.org/issues/7 "Issue 7") says why
3. see https://example.org/raw and ![a picture](https://example.org/p.png)

| place | lines | kept |
|:------|------:|:----:|
| wire.go | 120 | no |
| text.go | 44 | ~~no~~ yes |

` + "```go\nfunc keep(b []byte) int {\n\treturn len(b) // a < b && c > d\n}\n```" + `

> Nothing may be lost.

<details><summary>raw</summary>html</details>

- [x] read it
- [ ] fix it

# Heading of the message
`

const sampleDiff = `--- a/wire.go
+++ b/wire.go
@@ -10,6 +10,7 @@ func skip(b []byte) int {
 	n := length(b)
-	return n
--- not a header
+	keep(b[:n])
++++ neither
 	// done
 	return n
 }
`

func sampleSteps() []*transcriptv1.Step {
	return append(sampleTools(), sampleRest()...)
}

func sampleTools() []*transcriptv1.Step {
	call := &transcriptv1.ToolCall{Id: "call-1", Name: "run_command", ArgumentsJson: `{"CommandLine":"go test ./...","n":12345678901234567890}`, Summary: "Run the tests"}
	return []*transcriptv1.Step{
		{
			Kind: "USER_INPUT", Role: user,
			Blocks: []*transcriptv1.Block{markdown("Make the parser keep unknown fields.\n  * exactly as typed <b>\n\tTests too.")},
		},
		{
			Kind: "PLANNER_RESPONSE", Role: assistant, Model: "Gemini 3 Pro",
			Usage:      &transcriptv1.Usage{InputTokens: proto.Uint64(12345), OutputTokens: proto.Uint64(678), CacheReadTokens: proto.Uint64(9000)},
			ExtraUsage: []*transcriptv1.Usage{{InputTokens: proto.Uint64(5)}},
			Blocks: []*transcriptv1.Block{
				{Kind: "thinking", Text: "The user wants **nothing lost**.", Detail: &transcriptv1.Block_Thinking{Thinking: &transcriptv1.Thinking{DurationNs: proto.Int64(3200e6)}}},
				{Kind: "thinking", Detail: &transcriptv1.Block_Thinking{Thinking: &transcriptv1.Thinking{Redacted: true}}},
				markdown(sampleMessage),
				{Kind: "tool_call", Text: "run_command", Detail: &transcriptv1.Block_ToolCall{ToolCall: &transcriptv1.ToolCallRef{Call: call}}},
			},
		},
		{
			Kind: "RUN_COMMAND", Role: tool, Summary: "go test ./...", Call: call,
			Blocks: []*transcriptv1.Block{
				{Kind: "command", Text: "go test ./...", Detail: &transcriptv1.Block_Command{Command: &transcriptv1.Command{Cwd: "/home/ada/parser", Shell: "bash", ExitCode: proto.Int32(1)}}},
				code("Output", "", "ok  \tparser/text\t0.2s\n\x1b[31mFAIL\x1b[0m\tparser/wire \x1b[1;38;5;208mwarm\x1b[m\nload 10%\rload 50%\rload 100%\n\x1b]0;owned\x07 \x1b[2J back\bspace\n"+strings.Repeat("=== RUN TestWire\n", 30)),
			},
		},
		{
			Kind: "VIEW_FILE", Role: tool, Summary: "wire.go lines 118-121",
			Blocks: []*transcriptv1.Block{{
				Kind: "file_view", Text: "func skip(b []byte) int {\n\tn := length(b)\n\treturn n\n}\n",
				Detail: &transcriptv1.Block_FileView{FileView: &transcriptv1.FileView{
					Uri: "file:///home/ada/parser/wire.go", FirstLine: proto.Uint32(118), LastLine: proto.Uint32(121), TotalLines: proto.Uint32(400), TotalBytes: proto.Uint64(9000), Language: "go",
				}},
			}},
		},
		{
			Kind: "CODE_ACTION", Role: tool, Summary: "wire.go",
			Blocks: []*transcriptv1.Block{{
				Kind: "diff", Text: sampleDiff,
				Detail: &transcriptv1.Block_Diff{Diff: &transcriptv1.Diff{Uri: "file:///home/ada/parser/wire.go", Change: "edit", Additions: 2, Deletions: 2, Language: "go"}},
			}},
		},
		{
			Kind: "GREP_SEARCH", Role: tool, Summary: "skip(",
			Blocks: []*transcriptv1.Block{{
				Kind: "search_hits", Text: "wire.go:118:func skip(\nwire.go:140:\tskip(b)\ntext.go:9:skip(x)\n",
				Detail: &transcriptv1.Block_SearchHits{SearchHits: &transcriptv1.SearchHits{Query: "skip(", Uri: "file:///home/ada/parser", Total: proto.Uint64(3), Hits: []*transcriptv1.SearchHit{
					{Path: "wire.go", Line: proto.Uint32(118), Text: "func skip("},
					{Path: "wire.go", Line: proto.Uint32(140), Text: "\tskip(b)"},
					{Path: "text.go", Line: proto.Uint32(9), Text: "skip(x)"},
				}}},
			}},
		},
		{
			Kind: "LIST_DIRECTORY", Role: tool,
			Blocks: []*transcriptv1.Block{{
				Kind: "listing", Text: "docs/\nwire.go\n",
				Detail: &transcriptv1.Block_Listing{Listing: &transcriptv1.Listing{Uri: "file:///home/ada/parser", Entries: []*transcriptv1.ListingEntry{
					{Name: "docs", Directory: true, Children: proto.Uint32(3)}, {Name: "wire.go", Size: proto.Uint64(9000)},
				}}},
			}},
		},
		{
			Kind: "SEARCH_WEB", Role: tool,
			Blocks: []*transcriptv1.Block{{
				Kind: "web_results", Text: "protobuf unknown fields\n1. Encoding\nhttps://example.org/enc\nWire types explained\n",
				Detail: &transcriptv1.Block_WebResults{WebResults: &transcriptv1.WebResults{Query: "protobuf unknown fields", Results: []*transcriptv1.WebResult{
					{Title: "Encoding", Url: "https://example.org/enc", Text: "Wire types explained"},
				}}},
			}},
		},
	}
}

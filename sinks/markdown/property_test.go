package markdown_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sinks/present"
)

// blocksOf puts one body where every kind of body can stand.
func blocksOf(body string) (blocks []*tv1.Block, bodies []string) {
	add := func(b *tv1.Block, want string) {
		if want = strings.ReplaceAll(want, "\x00", "\uFFFD"); want != "" {
			bodies = append(bodies, want)
		}
		blocks = append(blocks, b)
	}
	add(&tv1.Block{Text: body, Detail: &tv1.Block_Thinking{Thinking: &tv1.Thinking{}}}, body)
	add(&tv1.Block{Text: body, Label: body, Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}}}, body)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_Plain{Plain: &tv1.Text{}}}, body)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_Command{Command: &tv1.Command{Shell: body, Cwd: body}}}, body)
	shown, _ := present.Terminal(body)
	add(&tv1.Block{Text: body, Label: "Output", Detail: &tv1.Block_Code{Code: &tv1.Code{Language: body}}}, shown)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_Diff{Diff: &tv1.Diff{Uri: body, Change: body}}}, body)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_FileView{FileView: &tv1.FileView{Uri: body, Language: body}}}, body)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_Listing{Listing: &tv1.Listing{Uri: body}}}, body)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_SearchHits{SearchHits: &tv1.SearchHits{Query: body, Uri: body}}}, body)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_Notice{Notice: &tv1.Notice{}}, Label: body}, body)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_Json{Json: &tv1.Json{}}}, body)
	add(&tv1.Block{Text: body, Kind: body}, body)
	add(&tv1.Block{Detail: &tv1.Block_WebResults{WebResults: &tv1.WebResults{
		Query: body, Results: []*tv1.WebResult{{Title: body, Url: body, Text: body}},
	}}}, body)
	add(&tv1.Block{Detail: &tv1.Block_Question{Question: &tv1.Question{
		Text: body, Options: []*tv1.QuestionOption{{Text: body}, {Id: body, Selected: true}},
	}}}, body)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_Media{Media: &tv1.Media{Uri: "file:///" + body, MimeType: body}}}, body)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_Media{Media: &tv1.Media{Uri: body + ".png", Href: body, StorePath: body}}}, body)
	long := body + strings.Repeat("x", 300)
	add(&tv1.Block{Detail: &tv1.Block_KeyValues{KeyValues: &tv1.KeyValues{Items: []*tv1.KeyValue{{Key: body, Value: long}}}}}, long)
	add(&tv1.Block{Text: body, Detail: &tv1.Block_ToolCall{ToolCall: &tv1.ToolCallRef{Call: &tv1.ToolCall{Name: body, Summary: body}}}}, "")
	return blocks, bodies
}

// conversation is one step, note and attachment a body, with the body in every text of it.
func conversation(texts []string) (all []*tv1.Event, bodies []string, headings int) {
	all = append(all, &tv1.Event{Body: &tv1.Event_Begin{Begin: &tv1.Header{
		Title: &tv1.Sourced{Value: texts[0]}, Project: &tv1.Sourced{Value: texts[0]}, CreatedNs: proto.Int64(1), UpdatedNs: proto.Int64(1),
		CreatedOrigin: texts[0], UpdatedOrigin: texts[0], ResumeCommand: texts[0], ParentConversationId: texts[0], ParentHref: texts[0],
		References: []*tv1.Reference{{Kind: texts[0], ConversationId: texts[0], TrajectoryId: texts[0]}},
	}}})
	headings = 1
	overview := &tv1.Overview{}
	var assets []*tv1.Asset
	var missing []*tv1.MissingFile
	for i, body := range texts {
		blocks, want := blocksOf(body)
		role := tv1.Role(i % 5)
		all = append(all, &tv1.Event{Body: &tv1.Event_Step{Step: &tv1.Step{
			Index: uint32(i), Anchor: "step-" + strconv.Itoa(i), Kind: body, Role: role, Status: body, Summary: body, Model: body, TaskId: body,
			ContinuesAnchor: body, Blocks: blocks, Unknown: []*tv1.UnknownField{{Path: body}}, Origin: body, Children: []*tv1.ChildLink{
				{ConversationId: body, Title: body, State: body, Href: body}, {ConversationId: body, State: "inline"}, {Title: body, Href: body},
			}, Call: &tv1.ToolCall{Name: body, InvalidJson: body},
		}}}, &tv1.Event{Body: &tv1.Event_Note{Note: &tv1.Note{
			Kind: body, Text: body, Anchor: body, Call: &tv1.ToolCall{Name: body, Id: body, ArgumentsJson: body},
		}}}, &tv1.Event{Body: &tv1.Event_Attachment{Attachment: &tv1.Attachment{Kind: body, Name: body, Uri: body, Href: body}}}, &tv1.Event{Body: &tv1.Event_Attachment{Attachment: &tv1.Attachment{
			Kind: "task_log", Anchor: body + "x", Name: body, MimeType: body, Sha256: body,
			Blocks: []*tv1.Block{{Text: "x" + body, Detail: &tv1.Block_Markdown{Markdown: &tv1.Markdown{}}}},
		}}})
		headings += 6
		bodies = append(bodies, want...)
		if body != "" {
			bodies = append(bodies, strings.ReplaceAll(body, "\x00", "\uFFFD"))
		}
		bodies = append(bodies, strings.ReplaceAll("x"+body, "\x00", "\uFFFD"))
		overview.Children = append(overview.Children, &tv1.Child{ConversationId: body, Anchor: body, Title: body, State: body, Href: body})
		assets = append(assets, &tv1.Asset{Href: body, Name: body, StorePath: body, Anchor: body, Sha256: body})
		missing = append(missing, &tv1.MissingFile{Name: body, Anchor: body, Reason: body})
		overview.Prompts = append(overview.Prompts, &tv1.Prompt{Text: body, Anchor: body})
		overview.Files = append(overview.Files, &tv1.TouchedFile{Uri: body, ReadAnchors: []string{body}})
		overview.Problems = append(overview.Problems, &tv1.Problem{Text: body, Anchor: body})
		overview.Models = append(overview.Models, body)
	}
	if len(texts) > 1 {
		headings++
	}
	all = append(all, &tv1.Event{Body: &tv1.Event_End{End: &tv1.Footer{
		Completeness: texts[0], Overview: overview, SkippedSections: texts,
		Assets: assets, MissingFiles: missing, Media: 1, Parts: []*tv1.SourcePart{{Source: texts[0], Location: texts[0]}},
	}}})
	return all, bodies, headings + 6
}

func checkConversation(t *testing.T, texts []string) {
	t.Helper()
	all, bodies, headings := conversation(texts)
	source := write(t, &sinks.Request{BaseName: "x"}, all, false)
	for name, dialect := range dialects {
		found := read(t, dialect, source)
		if diff := cmp.Diff(bodies, found.bodies); diff != "" {
			t.Fatalf("%s: bodies (-want +got):\n%s", name, diff)
		}
		if len(found.headings) != headings {
			t.Fatalf("%s: %d headings, want %d: %q", name, len(found.headings), headings, found.headings)
		}
		if t.Failed() {
			t.Fatalf("%s: texts %.300q", name, texts)
		}
	}
}

func TestHostileBodies(t *testing.T) {
	t.Parallel()
	checkConversation(t, hostile)
	for chunk := range slices.Chunk(hostile, 12) {
		checkConversation(t, chunk)
	}
}

func TestRandomBodies(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 80 {
		checkConversation(t, []string{random(rng), random(rng)})
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, body := range hostile {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		body = strings.ToValidUTF8(body, "\uFFFD")
		checkConversation(t, []string{body, "x"})
	})
}

package present_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	tv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

func diffOf(uri, change string, added, removed uint32) *tv1.Block {
	return &tv1.Block{Detail: &tv1.Block_Diff{Diff: &tv1.Diff{Uri: uri, Change: change, Additions: added, Deletions: removed}}}
}

func pairs(items ...*tv1.KeyValue) *tv1.Block {
	return &tv1.Block{Detail: &tv1.Block_KeyValues{KeyValues: &tv1.KeyValues{Items: items}}}
}

func TestStepHeading(t *testing.T) {
	t.Parallel()
	tool := func(kind, summary string, blocks ...*tv1.Block) *tv1.Step {
		return &tv1.Step{Kind: kind, Role: tv1.Role_ROLE_TOOL, Summary: summary, Blocks: blocks}
	}
	notice := func(text string) *tv1.Block {
		return &tv1.Block{Text: text, Label: "Error", Detail: &tv1.Block_Notice{Notice: &tv1.Notice{}}}
	}
	description := &tv1.Block{Text: "Say hello", Label: "Description", Detail: &tv1.Block_Plain{Plain: &tv1.Text{}}}
	failed := tool("CODE_ACTION", "Say hello", description)
	failed.Call = &tv1.ToolCall{ArgumentsJson: `{"CodeContent":"x","TargetFile":"C:\\a\\b.js"}`}
	for _, tt := range []struct {
		name string
		step *tv1.Step
		want present.Heading
	}{
		{"edit names the file", tool("CODE_ACTION", "Say hello", description, diffOf("file:///w/app.js", "edit", 12, 3)), present.Heading{Title: "Edit file", Detail: "app.js (+12 −3)"}},
		{"creation", tool("CODE_ACTION", "Say hello", diffOf("file:///w/a%20b.js", "create", 7, 0)), present.Heading{Title: "Create file", Detail: "a b.js (+7)"}},
		{"deletion", tool("CODE_ACTION", "", diffOf("file:///w/a.js", "delete", 0, 0)), present.Heading{Title: "Delete file", Detail: "a.js"}},
		{
			"several files", tool("CODE_ACTION", "", diffOf("file:///a", "", 1, 1), diffOf("file:///a", "", 1, 1), diffOf("file:///b", "", 1, 1), diffOf("file:///c", "", 1, 1)),
			present.Heading{Title: "Edit file", Detail: "a (+1 −1) and 2 more files"},
		},
		{"edit without a change", failed, present.Heading{Title: "Edit file", Detail: "b.js"}},
		{"nothing known of an edit", tool("CODE_ACTION", "a.js +1", description), present.Heading{Title: "Edit file", Detail: "a.js +1"}},
		{"move to another name", tool("MOVE", "a → b", pairs(&tv1.KeyValue{Key: "From", Value: "file:///w/a.go"}, &tv1.KeyValue{Key: "To", Value: "file:///w/b.go"})), present.Heading{Title: "Move", Detail: "a.go → b.go"}},
		{"move to another folder", tool("MOVE", "a → a", pairs(&tv1.KeyValue{Key: "From", Value: "file:///w/a.go"}, &tv1.KeyValue{Key: "To", Value: "file:///x/a.go"})), present.Heading{Title: "Move", Detail: "/w/a.go → /x/a.go"}},
		{"command", tool("RUN_COMMAND", "go test", &tv1.Block{Text: "go test", Detail: &tv1.Block_Command{Command: &tv1.Command{}}}), present.Heading{Title: "Run command", Detail: "go test", Verbatim: true}},
		{"text that is all there is", tool("SYSTEM_MESSAGE", "Hello", &tv1.Block{Text: "Hello\n", Detail: &tv1.Block_Plain{Plain: &tv1.Text{}}}), present.Heading{Title: "System message"}},
		{"error that is all there is", tool("ERROR_MESSAGE", "It broke.", notice("It broke.")), present.Heading{Title: "Error message"}},
		{"error with more to say", tool("ERROR_MESSAGE", "It broke.", notice("It broke. \nTry again.")), present.Heading{Title: "Error message"}},
		{"error of a tool", tool("LIST_DIRECTORY", "/w", notice("/w is closed")), present.Heading{Title: "List directory", Detail: "/w"}},
		{"prompt", &tv1.Step{Kind: "USER_INPUT", Role: tv1.Role_ROLE_USER, Summary: "x"}, present.Heading{Title: "Prompt"}},
		{"summary of the call", &tv1.Step{Kind: "X", Call: &tv1.ToolCall{Summary: "why"}}, present.Heading{Title: "X", Detail: "why"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, present.StepHeading(tt.step)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestStarted(t *testing.T) {
	t.Parallel()
	created, started := proto.Int64(moment), proto.Int64(moment+1)
	for _, tt := range []struct {
		name string
		step *tv1.Step
		want *int64
	}{
		{"created comes first", &tv1.Step{CreatedNs: created, StartedNs: started}, created},
		{"started where that is missing", &tv1.Step{CreatedNs: proto.Int64(0), StartedNs: started}, started},
		{"the end is no start", &tv1.Step{CompletedNs: started}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := present.Started(tt.step); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCallLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		call     *tv1.ToolCall
		want     string
		verbatim bool
	}{
		{"command", &tv1.ToolCall{ArgumentsJson: `{"Cwd":"/w","CommandLine":"go test\n  ./...","toolSummary":"Tests"}`, Summary: "x"}, "go test ./...", true},
		{"never the body of a file", &tv1.ToolCall{ArgumentsJson: `{"CodeContent":"short","TargetFile":"/w/a.go"}`}, "/w/a.go", true},
		{"body alone", &tv1.ToolCall{ArgumentsJson: `{"CodeContent":"short","content":"short"}`}, "", false},
		{"query before the folder", &tv1.ToolCall{ArgumentsJson: `{"SearchPath":"/w","Query":"TODO"}`}, "TODO", true},
		{"path of a URI", &tv1.ToolCall{ArgumentsJson: `{"AbsolutePath":"file:///w/a%20b.go"}`}, "/w/a b.go", true},
		{"label of the product", &tv1.ToolCall{ArgumentsJson: `{"questions":[{"q":"?"}],"toolSummary":"Asks"}`, Summary: "Ask"}, "Ask", false},
		{"label of the model", &tv1.ToolCall{ArgumentsJson: `{"toolAction":"Asking","toolSummary":"Asks","x":"y"}`}, "Asks", false},
		{"first short text", &tv1.ToolCall{ArgumentsJson: `{"n":1,"odd":"thing"}`}, "thing", true},
		{"broken behind", &tv1.ToolCall{ArgumentsJson: `{"CommandLine":"ls","x":`}, "ls", true},
		{"not an object", &tv1.ToolCall{ArgumentsJson: `["a"]`}, "", false},
		{"nothing", nil, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, verbatim := present.CallLine(tt.call)
			if got != tt.want || verbatim != tt.verbatim {
				t.Errorf("got %q, %v", got, verbatim)
			}
		})
	}
}

package mirror

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
)

// FuzzLine compares the passing check of a line with a JSON reader, and the index with the line taken apart.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		`{"step_index":1,"type":"USER_INPUT","status":"DONE","created_at":"2026-01-02T03:04:05Z","content":"a\u0041\n"}`,
		`{"step_index":1,"type":"PLANNER_RESPONSE","tool_calls":[{"name":"a","args":{"x":"\"1\""}},{"args":{"name":"b"},"name":"c"}],"truncated_fields":["content"]}`,
		`{"a":[1,-2.5e+3,true,false,null,[],{},[{}]]}`, `{"step_index":01}`, `{"a":1,}`, `{"a" "b"}`, `{"\ud800":"\x"}`, "\x00{\"type\":1}\x00\r", `{"a":"` + "\xff" + `"}`,
		`{"type":"A","type":"B","step_index":4294967296}`, `[]`, `{`, ``,
	} {
		f.Add([]byte(seed), uint16(3))
	}
	f.Fuzz(func(t *testing.T, line []byte, piece uint16) {
		if bytes.IndexByte(line, '\n') >= 0 {
			t.Skip()
		}
		var whole, cut lineScan
		whole.reset()
		whole.feed(line)
		cut.reset()
		for rest := line; len(rest) > 0; {
			n := min(len(rest), int(piece)%7+1)
			cut.feed(rest[:n])
			rest = rest[n:]
		}
		if whole.whole() != cut.whole() || whole.index != cut.index || whole.kind != cut.kind || whole.calls != cut.calls {
			t.Fatalf("in pieces: %+v, whole: %+v", cut, whole)
		}
		trimmed := bytes.Trim(line, " \t\r\x00")
		v := jsontext.Value(trimmed)
		valid := v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) && v.Kind() == '{'
		// The reader below looks at numbers that are too long for the index, and at depth, in its own way.
		if whole.whole() && !valid && len(line) < maxCaptured {
			t.Fatalf("accepted: %q", line)
		}
		if !whole.whole() && valid && len(line) < maxNesting {
			t.Fatalf("refused: %q (state %d)", line, whole.state)
		}
		if !whole.whole() || !valid {
			return
		}
		r, err := parse(line, true)
		if index, bad := strconv.ParseUint(whole.index, 10, 32); bad == nil && err == nil && uint32(index) != r.index {
			t.Fatalf("index %d, line %d", index, r.index)
		}
		if err == nil && len(r.calls) > 0 && len(r.calls) < maxCalls && whole.calls < len(r.calls) {
			t.Fatalf("%d calls, line %d", whole.calls, len(r.calls))
		}
	})
}

// FuzzLog reads any bytes as a log.
func FuzzLog(f *testing.F) {
	f.Add([]byte(lineA+lineB+"$rename:x\n"+lineC+`{"step`), false)
	f.Add([]byte(`{"step_index":0,"type":"PLANNER_RESPONSE","tool_calls":[{"name":"view_file","args":{}}]}`+"\n"+
		`{"step_index":1,"type":"VIEW_FILE","created_at":"2026-10-03T13:00:02Z","content":"Created At: 2026-10-03T13:00:02Z\nFile Path: `+"`a`"+`\nShowing lines 1 to 2\n1: a\n<truncated 5 bytes>\n2: b","truncated_fields":["content"]}`), true)
	f.Add([]byte(`{"step_index":1,"type":"CODE_ACTION","content":"The following changes x tool to: /a. If\n[diff_block_start]\n@@ -1 +1 @@\n-a\n+b\n[diff_block_end]"}`), true)
	f.Add([]byte(`{"step_index":1,"type":"CHECKPOINT","content":"{{ CHECKPOINT 0 }}\n# USER Objective:\nx\n# User Requests\n1. a\n# Conversation Logs\n"}`), false)
	f.Add([]byte("\x00\x00\n\xef\xbb\xbf\r\n"), true)
	p := newestProfile(f)
	f.Fuzz(func(t *testing.T, text []byte, full bool) {
		root := t.TempDir()
		brain := filepath.Join(root, "brain", "id")
		logs := filepath.Join(brain, ".system_generated", "logs")
		name := "transcript.jsonl"
		if full {
			name = "transcript_full.jsonl"
		}
		if err := os.MkdirAll(logs, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{name, "overview.txt"} {
			if err := os.WriteFile(filepath.Join(logs, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		l, err := Open(t.Context(), sources.Ref{Root: root, Brain: brain})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		for _, list := range [][]Mark{l.Marks(), l.Abandoned()} {
			b := l.Batch(list, Settings{Profile: p, Session: session()})
			steps := 0
			err := b.Decode(func(ev *transcriptv1.Event) error {
				if s := ev.GetStep(); s != nil {
					steps++
					if s.GetKind() == "" || len(s.GetBlocks()) == 0 {
						t.Errorf("step %v", s)
					}
				}
				return nil
			})
			b.Release()
			if err != nil || steps != len(list) {
				t.Fatalf("%d of %d steps: %v", steps, len(list), err)
			}
		}
		if _, found := l.lastOfEnds(t.Context()); found && len(l.Marks()) == 0 {
			t.Error("the end names a step that is not there")
		}
		if _, err := New().Peek(t.Context(), sources.Ref{Root: root, Brain: brain}); err != nil && !errors.Is(err, sources.ErrNotFound) {
			t.Error(err)
		}
	})
}

// FuzzResult writes any text as a result of any kind, and interprets what came of it.
func FuzzResult(f *testing.F) {
	kinds := []string{
		"RUN_COMMAND", "VIEW_FILE", "CODE_ACTION", "LIST_DIRECTORY", "GREP_SEARCH", "INVOKE_SUBAGENT", "SEARCH_WEB", "BROWSER_SUBAGENT",
		"GENERATE_IMAGE", "ASK_QUESTION", "GENERIC", "USER_INPUT", "CHECKPOINT", "SYSTEM_MESSAGE", "ERROR_MESSAGE", "FOO_BAR",
	}
	for i, text := range []string{
		"\n\t\t\t\tThe command completed successfully.\n\t\t\t\tOutput:\n\t\t\t\tok\n\n", "File Path: `a`\nTotal Lines: 3\nShowing lines 1 to 3\n1: a\n<truncated 5 bytes>\n2: b\n3: ",
		"The following changes x tool to: /a. If\n[diff_block_start]\n@@ -1,2 +1 @@\n-a\n b\n[diff_block_end]", "{\"name\":\"a\",\"sizeBytes\":\"1\"}\n", "{\"File\":\"a\",\"LineNumber\":1}\n(more)",
		"x\n{\"conversationId\":\"a\"}\n{\"conversationId\":\"b\"}", "The search for \"\" returned the following summary:\nx", "Browser subagent result:\nx\n\n## A Browser Subagent B:\n\n### Step 2: x",
		"\nGenerated image is saved at /a.png.\n", "A1: a\nA2: b", "Tool is running as a background task with task id: a\nTask Description: b\nTask logs are available at: c\nd",
		"<USER_REQUEST>\na\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nx\n</ADDITIONAL_METADATA>", "{{ CHECKPOINT 0 }}\n# USER Objective:\nx\n# User Requests\n1. a\n\nYou have the 1 artifacts directory:\n\n[ARTIFACT: a]\nPath: b\nLast Edited: c\n# Conversation Logs\n",
		"x\n\n<SYSTEM_MESSAGE>\n[Message] timestamp=a sender=b priority=MESSAGE_PRIORITY_LOW content=c\n</SYSTEM_MESSAGE>", "Error invalid tool call: x", "y",
	} {
		f.Add(uint8(i), text, `{"Query":"a","Subagents":[{"Role":"r"}],"questions":[{"question":"q","options":["a"]},{"question":"r"}],"CodeContent":"x"}`, i%2 == 0)
	}
	p := newestProfile(f)
	c := codecOf(p)
	s := session()
	f.Fuzz(func(t *testing.T, kind uint8, content, args string, cut bool) {
		var ask call
		ask.name = "grep_search"
		if v := jsontext.Value(args); !v.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) || !ask.take(v, cut) {
			ask = call{name: "x", arguments: args}
		}
		r := &record{index: 7, kind: kinds[int(kind)%len(kinds)], status: "DONE", created: "2026-10-03T13:00:02Z", content: content}
		if cut {
			r.cut = []string{"content"}
		}
		w := newWriter(c, r, &ask, nil)
		w.write()
		b := &batch{settings: Settings{Profile: p, Session: s}, codec: c, log: &Log{}}
		steps := 0
		in := &interpret.Input{Index: 7, Payload: w.buf, StepType: -1, Status: -1}
		err := c.interpreter.Step(s, in, &b.arena, func(ev *transcriptv1.Event) error {
			if step := ev.GetStep(); step != nil {
				steps++
				b.finish(&mark{index: 7}, w, step)
				if len(step.GetBlocks()) == 0 || !jsontext.Value(step.GetNativeJson()).IsValid() {
					t.Errorf("%v", step)
				}
			}
			if n := ev.GetNote(); n.GetKind() == "damage" || n.GetKind() == noteUnknown {
				t.Errorf("what was written is not a step: %v", n)
			}
			return nil
		})
		if err != nil || steps != 1 {
			t.Errorf("%d steps, %v", steps, err)
		}
	})
}

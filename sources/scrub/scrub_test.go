package scrub_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"agy-reader/host/demo/build"
	"agy-reader/proto/antigravity"
	"agy-reader/sources/scrub"
)

func scrubber(t testing.TB) *scrub.Scrubber {
	t.Helper()
	raw, err := fs.ReadFile(antigravity.Profiles(), build.Profile+"/schema.binpb")
	if err != nil {
		t.Fatal(err)
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(raw, &set); err != nil {
		t.Fatal(err)
	}
	s, err := scrub.New(&set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTextKeepsLengthShapeAndJSONSyntax(t *testing.T) {
	t.Parallel()
	s := scrubber(t)
	for _, text := range []string{
		"", "hello, World 42!", `{"a b": "line\nnext \u00e9 \"x\""}`, "C:\\Users\\Jo", "naïve 日本語 👩‍💻 Ωmega", "bad \xff\xfe bytes", "tab\tnul\x00",
	} {
		got := []byte(text)
		s.Text(got)
		if len(got) != len(text) || utf8.Valid(got) != utf8.ValidString(text) || json.Valid(got) != json.Valid([]byte(text)) {
			t.Errorf("Text(%q) = %q", text, got)
		}
	}
	one, two := []byte("secret+secret"), []byte("secret")
	s.Text(one)
	s.Text(two)
	if !bytes.Equal(one[:6], two) || !bytes.Equal(one[7:], two) || string(two) == "secret" {
		t.Errorf("one word became %q and %q", one, two)
	}
	id := []byte("d3300000-0000-4000-8000-00000000d330")
	s.Text(id)
	for i, c := range id {
		if want := i == 8 || i == 13 || i == 18 || i == 23; want != (c == '-') || (c != '-' && !bytes.ContainsRune([]byte("0123456789abcdef"), rune(c))) {
			t.Fatalf("an id became %q", id)
		}
	}
}

func TestMessageKeepsWhatDecidesHowAStepIsRead(t *testing.T) {
	t.Parallel()
	wire, err := build.Encode(build.StepMessage, `{"type": 132, "metadata": {"toolCall": {"name": "run_command",
		"argumentsJson": "{\"CommandLine\": \"rm -rf /home/alice\", \"Extra\": {\"alice\": 7}}"}},
		"generic": {"args": {"CommandLine": "rm -rf /home/alice"}, "result": {"result": "alice was here",
		"payload": {"@type": "type.googleapis.com/gemini_coder.Step", "type": 21, "runCommand": {"commandLine": "rm -rf /home/alice"}}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	got := bytes.Clone(wire)
	scrubber(t).Message(build.StepMessage, got)
	if len(got) != len(wire) || bytes.Contains(got, []byte("alice")) || bytes.Contains(got, []byte("home")) {
		t.Fatalf("scrubbed: %q", got)
	}
	for _, word := range []string{"run_command", "CommandLine", "Extra", "type.googleapis.com/gemini_coder.Step"} {
		if !bytes.Contains(got, []byte(word)) {
			t.Errorf("%s is gone: %q", word, got)
		}
	}
	m, err := build.NewMessage(build.StepMessage)
	if err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(got, m); err != nil {
		t.Errorf("no longer a step: %v", err)
	}
}

func FuzzMessage(f *testing.F) {
	wire, err := build.Encode(build.StepMessage, `{"type": 14, "userInput": {"userResponse": "hello"}}`)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(wire, true)
	f.Add([]byte("\x0a\x02\x0a\x00"), false)
	f.Fuzz(func(t *testing.T, raw []byte, known bool) {
		name := ""
		if known {
			name = build.StepMessage
		}
		got := bytes.Clone(raw)
		scrubber(t).Message(name, got)
		if len(got) != len(raw) {
			t.Fatal("the length changed")
		}
	})
}

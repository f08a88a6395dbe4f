package scrub_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
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
		`{"n":[0,10,-1.05,1e5,2.5E-3,100000000000],"t":true,"f":false,"z":null,"s":"\u00e9\ud83d\ude00\ud840\udc00"}`, `C:\users\undo`,
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
	if len(got) != len(wire) || bytes.Contains(got, []byte("alice")) || bytes.Contains(got, []byte("home")) || bytes.Contains(got, []byte("Extra")) {
		t.Fatalf("scrubbed: %q", got)
	}
	for _, word := range []string{"run_command", "CommandLine", "type.googleapis.com/gemini_coder.Step"} {
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

// What stays is on a list: the same places hold a user's words as well.
func TestOnlyTheVocabularyStays(t *testing.T) {
	t.Parallel()
	const secret, number = "SECRETword", 4111111111111111
	wire, err := build.Encode(build.StepMessage, `{"type": 132, "metadata": {"toolCall": {"name": "SECRETword", "originalName": "run_command",
		"argumentsJson": "{\"SECRETword\": {\"CommandLine\": 4111111111111111, \"\\u0053\\u0045CRETword\": [true, 10, 1e5]}, \"Query\":\"SECRETword\"}"}},
		"generic": {"args": {"SECRETword": "SECRETword", "questions": "[{\"question\":\"SECRETword\",\"SECRETword\":1}]"},
			"result": {"metadata": {"SECRETword": "SECRETword", "tool_name": "run_command"},
			"media": [{"mimeType": "image/SECRETword"}, {"mimeType": "image/png"}]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	message, err := build.Encode(build.StepMessage, `{"systemMessage": {"eventType": "SECRETword"}}`)
	if err != nil {
		t.Fatal(err)
	}
	wire = append(wire, message...)
	// Fields nobody knows, of every wire type, and a known number in a wire type that is not its own.
	for _, n := range []protowire.Number{5000, 1} {
		wire = protowire.AppendBytes(protowire.AppendTag(wire, n, protowire.BytesType), []byte(secret))
		wire = protowire.AppendFixed64(protowire.AppendTag(wire, n, protowire.Fixed64Type), number)
		wire = protowire.AppendFixed32(protowire.AppendTag(wire, n, protowire.Fixed32Type), 0x57544553)
	}
	wire = protowire.AppendVarint(protowire.AppendTag(wire, 5001, protowire.VarintType), number)
	group := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), []byte(secret))
	group = protowire.AppendVarint(protowire.AppendTag(group, 2, protowire.VarintType), number)
	wire = protowire.AppendGroup(protowire.AppendTag(wire, 5002, protowire.StartGroupType), 5002, group)
	url := func(name string) []byte {
		b := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), name)
		b = protowire.AppendVarint(protowire.AppendTag(b, 7, protowire.VarintType), number)
		return protowire.AppendString(protowire.AppendTag(b, 2, protowire.BytesType), secret)
	}
	generic := []byte{}
	for _, name := range []string{"type.googleapis.com/SECRETword.Foo", "SECRETword.example/gemini_coder.Step"} {
		result := protowire.AppendBytes(protowire.AppendTag(nil, 6, protowire.BytesType), url(name))
		generic = protowire.AppendBytes(protowire.AppendTag(generic, 2, protowire.BytesType), result)
	}
	wire = protowire.AppendBytes(protowire.AppendTag(wire, 140, protowire.BytesType), generic)

	got := bytes.Clone(wire)
	scrubber(t).Message(build.StepMessage, got)
	if len(got) != len(wire) {
		t.Fatalf("%d bytes became %d", len(wire), len(got))
	}
	for name, private := range map[string][]byte{
		"word": []byte(secret), "escaped word": []byte(`\u0053\u0045`), "start of a word": []byte("SECR"), "digits": []byte("4111111111111111"),
		"varint": protowire.AppendVarint(nil, number), "fixed64": protowire.AppendFixed64(nil, number), "fixed32": []byte("SETW"),
	} {
		if !bytes.Contains(wire, private) && name != "start of a word" {
			t.Errorf("%s: the original does not hold it, so this proves nothing", name)
		}
		if bytes.Contains(got, private) {
			t.Errorf("%s: still there: %q", name, got)
		}
	}
	for _, word := range []string{"run_command", "CommandLine", "Query", "questions", "question", "tool_name", "image/png", "true"} {
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

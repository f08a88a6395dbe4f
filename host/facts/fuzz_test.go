package facts

import (
	"bufio"
	"bytes"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/reflect/protoreflect"

	"agy-reader/host/demo/build"
)

// FuzzText: protobuf text never panics; what the reference implementation writes is read as it was.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		`title:"Hello \303\251\u00e9\x41\U0001F600"  archived:true  archival_status_timestamp:{seconds:1 nanos:-2}`,
		`title : 'a' "b"; tags: [ "x", { y: "]" } ] , [ext.name] { z < w: 1 > } # comment`,
		`title:"\ud83d\ude00"`, `title:"never ends`, `}`, `a{b{c{`, `title`, "title:\"a\nb\"", `[`, `a:[[[`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		_ = eachText(raw, func(name, value string) {
			if !utf8.ValidString(value) && name == "title" {
				t.Errorf("title %q", value)
			}
		})
		if !utf8.Valid(raw) {
			return
		}
		m, err := build.NewMessage(annotationMessage)
		if err != nil {
			t.Fatal(err)
		}
		title, group := m.Descriptor().Fields().ByName("title"), m.Descriptor().Fields().ByName("archival_status_timestamp")
		m.Set(title, protoreflect.ValueOfString(string(raw)))
		m.Mutable(group)
		written, err := prototext.MarshalOptions{EmitASCII: len(raw)%2 == 0, Multiline: len(raw)%3 == 0}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := eachText(written, func(name, value string) {
			if name == "title" {
				got = value
			}
		}); err != nil || got != string(raw) {
			t.Errorf("%s is read as %q, %v", written, got, err)
		}
	})
}

// FuzzSummaries: bytes of a summaries file never panic, and one entry never costs another.
func FuzzSummaries(f *testing.F) {
	good, err := build.Encode("exa.jetski_cortex_pb.CascadeTrajectorySummaries", `{"summaries": {"`+one+`": {"summary": "good"}}}`)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("\x0a\x0c\x0a\x03bad\x12\x05\x0a\x7fabc"))
	f.Add([]byte{})
	f.Add(good)
	f.Fuzz(func(t *testing.T, entry []byte) {
		x := &Index{conversations: map[string]*conversation{}}
		x.summaries(t.Context(), "file", append(bytes.Clone(good), entry...))
		if title := x.get(one).title.value; title != "good" {
			t.Errorf("title %q", title)
		}
	})
}

// FuzzJSON: caches, history, projects and session files never panic, and a history line never costs another.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"conversations": {"a": {"summary": {"Title": "t", "UpdatedAt": 1e300, "WorkspaceURIs": null}}}}`, `{"a": {"Summary": {"Summary": null}}}`,
		`{"/w": "id"}`, `[]`, `{"name": "n", "projectResources": {"resources": [{"folderUri": "file:///x"}]}}`, `{"cwd": 1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		x := &Index{conversations: map[string]*conversation{}, projectOf: map[string]string{}}
		x.metadata(raw)
		x.last(raw)
		x.projectCache(raw)
		if p, err := parseProject(raw); err == nil {
			for _, folder := range p.Workspaces {
				_ = Base(folder)
			}
		}
		line := bytes.ReplaceAll(raw, []byte("\n"), nil)
		history := append(bytes.Clone(line), "\n{\"workspace\": \"/w\", \"conversationId\": \"hist\"}"...)
		x.history(t.Context(), bufio.NewReaderSize(bytes.NewReader(history), 16))
		if places := x.get("hist").places; len(places) == 0 || places[len(places)-1].value != "/w" {
			t.Errorf("places %v", places)
		}
	})
}

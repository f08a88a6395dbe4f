package archive

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write golden files")

func at(day int) *int64 {
	ns := time.Date(2026, 5, day, 12, 0, 0, 0, time.UTC).UnixNano()
	return &ns
}

// sample holds one conversation of every kind that the index shows in its own way.
func sample() []*Entry {
	tokens := uint64(12345)
	files := func(name string) []File {
		return []File{{Name: name + ".md", Format: "markdown"}, {Name: name + ".html", Format: "html"}, {Name: name + ".assets/picture.png"}}
	}
	return []*Entry{
		{ID: "aaaaaaaa-1", Root: "cli", Bucket: "conversations", Name: "a", Title: "Fix the parser", Project: "file:///home/u/parser", CreatedNS: at(3), Tokens: &tokens, Steps: 1200, Stored: 1200, Completeness: "complete: 1200 steps", Files: files("a")},
		{ID: "bbbbbbbb-1", Root: "cli", Bucket: "conversations", Name: "b", Title: "Research", Parent: "AAAAAAAA-1", CreatedNS: at(3), Steps: 3, Stored: 3, Completeness: "complete: 3 steps", Files: files("b")},
		{ID: "cccccccc-1", Root: "cli", Bucket: "conversations", Name: "c", Title: "Deeper", Parent: "bbbbbbbb-1", CreatedNS: at(3), Steps: 3, Stored: 5, Incomplete: true, Completeness: "incomplete: 3 steps, 1 gap", Files: files("c")},
		{ID: "dddddddd-1", Root: "ide", Bucket: "conversations", Name: "d", Title: `<script>alert("x")</script> & \u202E *bold* | [x](javascript:y)` + "\u202e", CreatedNS: at(1), Steps: 1, Stored: 1, Completeness: "complete: 1 step", Files: files("d")},
		{ID: "eeeeeeee-1", Root: "ide2", Bucket: "conversations", Name: "e", Error: "source cannot be read: not a database"},
		{ID: "ffffffff-1", Root: "acp", Bucket: "conversations", Name: "f", Title: "Lost parent", Parent: "00000000-0", Gone: true, CreatedNS: at(2), Steps: 2, Stored: 2, Completeness: "complete: 2 steps", Files: files("f"), Earlier: []Earlier{{N: 1, Steps: 9, Files: files("f.earlier-1")}}},
		{ID: "gggggggg-1", Root: "cli", Bucket: "conversations", Name: "g", Title: "Circle", Parent: "hhhhhhhh-1", Steps: 1, Stored: 1, Completeness: "complete: 1 step", Files: files("g")},
		{ID: "hhhhhhhh-1", Root: "cli", Bucket: "implicit", Name: "h", Title: "Circle too", Parent: "gggggggg-1", Steps: 1, Stored: 1, Completeness: "complete: 1 step", Files: files("größe # 100%")},
	}
}

// What we make can be read and does not claim to be more: nobody should delete a conversation because a copy exists.
func TestCaseO05ReadableCopies(t *testing.T) {
	t.Parallel()
	x := newIndex(sample(), time.UTC)
	for name, write := range map[string]func(io.Writer) error{"html": x.html, "markdown": x.markdown} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "Readable copies: not a backup") {
			t.Errorf("%s does not say what it is:\n%.900s", name, b.String())
		}
	}
}

func TestIndexPages(t *testing.T) {
	t.Parallel()
	x := newIndex(sample(), time.UTC)
	written := func(write func(io.Writer) error) []byte {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	page, list := written(x.html), written(x.markdown)
	data := written(func(w io.Writer) error { return writeIndexJSON(w, sample()) })
	if !json.Valid(data) {
		t.Error("index.json is not JSON")
	}
	golden(t, "index.html", page)
	golden(t, "index.md", list)
	golden(t, "index.json", data)
	text := string(page)
	if strings.Contains(text, "<script") || strings.Contains(text, "\u202e") {
		t.Error("a title is not inert")
	}
	for _, e := range sample() {
		if strings.Count(text, `<code>`+e.ID+`</code>`) != 1 || strings.Count(string(list), e.ID) > 3 {
			t.Errorf("%s is not listed once", e.ID)
		}
	}
}

// Conversations whose project nothing says are a group of their own, never left out.
func TestCaseN08UnknownProjectIsAGroup(t *testing.T) {
	t.Parallel()
	x := newIndex(sample(), time.UTC)
	last := x.Groups[len(x.Groups)-1]
	if last.Project != unknownProject || last.Known || len(last.Rows) != 5 {
		t.Errorf("%+v", last)
	}
	shown := 0
	for _, g := range x.Groups {
		shown += len(g.Rows)
	}
	if shown != len(sample()) {
		t.Errorf("%d of %d are shown", shown, len(sample()))
	}
	var page strings.Builder
	if err := x.html(&page); err != nil || !strings.Contains(page.String(), "unknown project</h2>") {
		t.Error("the page lacks it", err)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(got) {
		t.Errorf("%s differs; run with -update and review:\n%s", name, got)
	}
}

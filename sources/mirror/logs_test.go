package mirror_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
	"agy-reader/sources/mirror"
)

// A line far longer than any buffer, with others behind it.
func TestCaseE08Line(t *testing.T) {
	t.Parallel()
	list := []string{prompt("0", "a"), prompt("1", "b"), prompt("2", strings.Repeat("long ", 1<<20))}
	for i := 3; i < 13; i++ {
		list = append(list, prompt(strconv.Itoa(i), "after"))
	}
	d := convert(t, store(t, map[string]string{shortLog: lines(list...)}))
	if len(d.steps) != 13 || d.note("damage") != nil {
		t.Errorf("%d steps, notes %v", len(d.steps), d.notes)
	}
	broken := append([]string{strings.Repeat("x", 5<<20)}, list...)
	d = convert(t, store(t, map[string]string{shortLog: lines(broken...)}))
	if n := d.note("damage"); len(d.steps) != 13 || !strings.Contains(n.GetText(), fmt.Sprintf("record 1 is unreadable, bytes 0–%d", 5<<20)) || len(n.GetText()) > 400 {
		t.Errorf("%d steps, note %.300q", len(d.steps), n.GetText())
	}
}

// A single record of 30 MB is one step.
func TestCaseE09(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789\n", 30_000_000/11)
	ref := store(t, map[string]string{fullLog: lines(prompt("0", text))})
	d, err := read(t, ref, sources.Want{Blocks: true})
	if err != nil || len(d.steps) != 1 || d.steps[0].GetBlocks()[0].GetText() != text {
		t.Errorf("%d steps, %v", len(d.steps), err)
	}
}

// The last record is half written: no alarm. A broken one further up is a place in the document.
func TestCaseE11(t *testing.T) {
	t.Parallel()
	half := prompt("2", "half")
	d := convert(t, store(t, map[string]string{fullLog: lines(prompt("0", "a"), prompt("1", "b")) + half[:60]}))
	n := d.note("live")
	if n == nil || n.GetIncomplete() || !strings.Contains(n.GetText(), "the last record is still being written") || d.note("damage") != nil || len(d.steps) != 2 {
		t.Errorf("%d steps, notes %v", len(d.steps), d.notes)
	}
	d = convert(t, store(t, map[string]string{fullLog: lines(prompt("0", "a"), half[:60]) + half[:50]}))
	if d.note("live") == nil || !d.note("damage").GetIncomplete() {
		t.Errorf("notes %v", d.notes)
	}
	// What cannot become JSON any more is broken, also at the end.
	d = convert(t, store(t, map[string]string{fullLog: lines(prompt("0", "a")) + "{{{"}))
	if d.note("live") != nil || d.note("damage") == nil {
		t.Errorf("notes %v", d.notes)
	}
}

// What the product cut is said in words of ours, and nothing is made up.
func TestCaseF12(t *testing.T) {
	t.Parallel()
	line := func(content, cut string) string {
		return strings.TrimSuffix(said("0", content, ""), "}") + `,"truncated_fields":[` + cut + `]}`
	}
	content := "before\n```ty\n<truncated 1234 bytes>\npescript\n```\nafter"
	d := convert(t, store(t, map[string]string{shortLog: lines(line(content, `"content"`))}))
	s := d.steps[0]
	if got := s.GetBlocks()[0].GetText(); got != "before\n```ty\n[1234 bytes omitted by agy]\npescript\n```\nafter" {
		t.Errorf("%q", got)
	}
	if last := s.GetBlocks()[len(s.GetBlocks())-1]; last.GetNotice() == nil || !strings.Contains(last.GetText(), "1234 bytes are left out") {
		t.Errorf("not marked: %v", last)
	}
	if n := d.note("cut"); n.GetAnchor() != "step-0" || !n.GetIncomplete() {
		t.Errorf("note %v", n)
	}
	// The same words in a text that was not cut are the text's.
	d = convert(t, store(t, map[string]string{shortLog: lines(said("0", content, ""))}))
	if got := d.steps[0].GetBlocks()[0].GetText(); got != content || d.note("cut") != nil {
		t.Errorf("%q, %v", got, d.notes)
	}
	// Where the other log has the whole text, that is shown.
	d = convert(t, store(t, map[string]string{shortLog: lines(line(content, `"content"`), strings.Repeat(" ", 4000)), fullLog: lines(said("0", "whole", ""))}))
	if got := d.steps[0].GetBlocks()[0].GetText(); got != "whole" || d.note("cut") != nil {
		t.Errorf("%q, %v", got, d.notes)
	}
}

// Arguments that were cut stay as they are, broken, and say so.
func TestCutArguments(t *testing.T) {
	t.Parallel()
	calls := `[{"name":"write_to_file","args":{"CodeContent":"\"package main\\nfunc\n<truncated 77 bytes>","TargetFile":"\"/a.go\""}}]`
	line := strings.TrimSuffix(said("0", "", calls), "}") + `,"truncated_fields":["tool_calls"]}`
	d := convert(t, store(t, map[string]string{shortLog: lines(line)}))
	c := d.steps[0].GetBlocks()[0].GetToolCall().GetCall()
	want := `{"CodeContent":"\"package main\\nfunc\n[77 bytes omitted by agy]","TargetFile":"/a.go"}`
	if c.GetArgumentsJson() != want || !strings.Contains(c.GetInvalidJson(), "77 bytes are left out") || d.note("cut") == nil {
		t.Errorf("%v, notes %v", c, d.notes)
	}
}

// Slices are cut in the middle of lines. Joined they are the log; one that is missing breaks the line that crosses it.
func TestSlices(t *testing.T) {
	t.Parallel()
	var list []string
	for i := range 20 {
		list = append(list, prompt(strconv.Itoa(i), strings.Repeat("x", 40)))
	}
	text := lines(list...)
	cut := func(dir string) map[string]string {
		files := make(map[string]string)
		for i := 0; i*500 < len(text); i++ {
			files[fmt.Sprintf("%s/chunks/transcript_full/%08d.jsonl", dir, i)] = text[i*500 : min(len(text), i*500+500)]
		}
		return files
	}
	for _, dir := range []string{".system_generated/logs", "."} {
		d := convert(t, store(t, cut(dir)))
		if len(d.steps) != 20 || d.note("damage") != nil || d.header.GetProvenance().GetLocation() != "chunks/transcript_full" {
			t.Errorf("%s: %d steps, %v, %v", dir, len(d.steps), d.notes, d.header)
		}
	}
	files := cut(".system_generated/logs")
	files[fullLog] = text
	if d := convert(t, store(t, files)); len(d.steps) != 20 || d.header.GetProvenance().GetLocation() != "transcript_full.jsonl" {
		t.Errorf("beside the whole log: %d steps, %v", len(d.steps), d.header.GetProvenance())
	}
	delete(files, fullLog)
	delete(files, ".system_generated/logs/chunks/transcript_full/00000002.jsonl")
	d := convert(t, store(t, files))
	if len(d.steps) != 16 || d.note("gap") == nil || !strings.Contains(d.note("damage").GetText(), "a slice before 00000003.jsonl is missing") {
		t.Errorf("without one: %v, %v", d.indexes(), d.notes)
	}
	whole := make(map[string]string)
	for i := range 20 {
		whole[fmt.Sprintf(".system_generated/logs/chunks/transcript/%08d.jsonl", i*2)] = list[i] + "\n"
	}
	if d := convert(t, store(t, whole)); len(d.steps) != 20 {
		t.Errorf("every second slice: %v, %v", d.indexes(), d.notes)
	}
}

// Only regular files inside the store are read.
func TestRefuses(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret.jsonl")
	if err := os.WriteFile(outside, []byte(lines(prompt("0", "secret"))), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, put := range map[string]func(path string) error{
		"link":      func(path string) error { return os.Symlink(outside, path) },
		"directory": func(path string) error { return os.Mkdir(path, 0o755) },
		"fifo":      fifo,
	} {
		ref := store(t, map[string]string{shortLog: lines(prompt("0", "own"))})
		if err := put(filepath.Join(ref.Brain, filepath.FromSlash(fullLog))); err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		d := convert(t, ref)
		n := d.note("damage")
		if len(d.steps) != 1 || shown(d.steps[0]) != "markdown||own" || !strings.HasPrefix(n.GetText(), "transcript_full.jsonl was not read: ") ||
			strings.Contains(n.GetText(), ref.Root) || !n.GetIncomplete() {
			t.Errorf("%s: %v, %v", name, d.steps, n)
		}
	}
	// The folder itself may not lead out either.
	ref := store(t, nil)
	away := store(t, map[string]string{shortLog: lines(prompt("0", "secret"))})
	if err := os.RemoveAll(ref.Brain); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(away.Brain, ref.Brain); err != nil {
		t.Skip(err)
	}
	if d, err := read(t, ref, everything); err == nil {
		t.Errorf("read through a link: %v", d.steps)
	}
}

func TestNothing(t *testing.T) {
	t.Parallel()
	ref := store(t, nil)
	if _, err := mirror.Open(t.Context(), ref); !errors.Is(err, sources.ErrNotFound) {
		t.Errorf("open: %v", err)
	}
	if _, found := mirror.Last(t.Context(), ref); found {
		t.Error("a last index out of nothing")
	}
	ref.Brain += "x"
	if _, err := read(t, ref, everything); !errors.Is(err, sources.ErrNotFound) {
		t.Errorf("no folder: %v", err)
	}
}

// The last index is found from the end, in front of a half-written record and behind a very long one.
func TestLast(t *testing.T) {
	t.Parallel()
	long := prompt("7", strings.Repeat("x", 300_000))
	for name, c := range map[string]struct {
		text string
		want uint32
	}{
		"short":          {lines(prompt("0", "a"), prompt("5", "b"), prompt("4", "c")), 5},
		"half":           {lines(prompt("0", "a"), prompt("5", "b")) + prompt("6", "c")[:50], 5},
		"no line break":  {lines(prompt("0", "a")) + prompt("6", "c"), 6},
		"long":           {lines(prompt("0", "a"), long), 7},
		"long then half": {lines(prompt("0", "a"), long) + `{"step`, 7},
		"rename":         {lines(prompt("3", "a"), "$rename:x"), 3},
	} {
		ref := store(t, map[string]string{shortLog: c.text})
		got, found := mirror.Last(t.Context(), ref)
		if !found || got != c.want {
			t.Errorf("%s: %d, %t, want %d", name, got, found, c.want)
		}
		l, err := mirror.Open(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := l.Last(); got != c.want {
			t.Errorf("%s: index says %d, want %d", name, got, c.want)
		}
		l.Close()
	}
}

// A list reads the ends of a big log only: the last index says about how many steps there are, the last line when it changed.
func TestPeekBig(t *testing.T) {
	t.Parallel()
	list := []string{prompt("0", "first prompt")}
	for i := 1; i < 2000; i++ {
		list = append(list, said(strconv.Itoa(i), strings.Repeat("x", 100), ""))
	}
	s, err := mirror.New().Peek(t.Context(), store(t, map[string]string{fullLog: lines(list...)}))
	if err != nil || s.StepsUnknown || !s.StepsByIndex || s.Steps != 2000 || s.Title.GetValue() != "first prompt" || s.CreatedNS == nil || s.UpdatedNS == nil {
		t.Errorf("%+v, %v", s, err)
	}
	// The end is in the middle of a line longer than is looked at: nobody knows.
	s, err = mirror.New().Peek(t.Context(), store(t, map[string]string{fullLog: lines(append(list, said("2000", strings.Repeat("y", 70<<10), ""))...)}))
	if err != nil || !s.StepsUnknown || s.StepsByIndex || s.UpdatedNS != nil {
		t.Errorf("%+v, %v", s, err)
	}
	s, err = mirror.New().Peek(t.Context(), store(t, map[string]string{fullLog: lines(append(list, "$rename:Named")...)}))
	if err != nil || s.Title.GetValue() != "Named" {
		t.Errorf("%+v, %v", s, err)
	}
}

// The old overview: JSON lines, or headings; CLEARED has no text.
func TestOverview(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"headings": "# Overview\n\nStep 0: USER_INPUT [DONE] 2026-01-02T03:04:05Z\nhello\n\nStep 1: PLANNER_RESPONSE [CLEARED]\n\n[2] VIEW_FILE DONE\n1 TODO in the file\n",
		"json": lines(strings.Replace(prompt("0", "hello"), "2026-10-03T13:00:00Z", "2026-01-02T03:04:05Z", 1),
			`{"step_index":1,"type":"PLANNER_RESPONSE","status":"CLEARED"}`, `{"step_index":2,"type":"VIEW_FILE","status":"DONE","content":"1 TODO in the file"}`),
	} {
		d := convert(t, store(t, map[string]string{".system_generated/logs/overview.txt": text}))
		if diff := cmp.Diff([]uint32{0, 1, 2}, d.indexes()); diff != "" {
			t.Fatalf("%s: %s %v", name, diff, d.notes)
		}
		if got := shown(d.steps[0]); got != "markdown||hello" || d.steps[0].GetCreatedNs() != 1767323045e9 {
			t.Errorf("%s: %q at %d", name, got, d.steps[0].GetCreatedNs())
		}
		if got := shown(d.steps[1]); got != "notice||The product deleted the text of this step." {
			t.Errorf("%s: %q", name, got)
		}
		if got := shown(d.steps[2]); !strings.Contains(got, "1 TODO in the file") {
			t.Errorf("%s: %q", name, got)
		}
	}
	// A newer log beside it counts more.
	d := convert(t, store(t, map[string]string{".system_generated/logs/overview.txt": "Step 0: USER_INPUT DONE\nold\n", shortLog: lines(prompt("0", "new"))}))
	if got := shown(d.steps[0]); got != "markdown||new" {
		t.Errorf("%q", got)
	}
}

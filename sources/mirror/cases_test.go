package mirror_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/mirror"
)

func quote(s string) string {
	q := strconv.Quote(s)
	if strings.Contains(q, `\x`) || strings.Contains(q, `\a`) || strings.Contains(q, `\v`) {
		panic("not JSON: " + q)
	}
	return q
}

// Record 2 of 50 is broken text: 49 steps and a visible place.
func TestCaseA01(t *testing.T) {
	t.Parallel()
	var list []string
	for i := range 50 {
		list = append(list, prompt(strconv.Itoa(i), "hello"))
	}
	first := len(list[0]) + 1
	list[1] = `{"step_index":1,"type":"USER_INPUT",,,`
	d := convert(t, store(t, map[string]string{fullLog: lines(list...)}))
	if len(d.steps) != 49 {
		t.Errorf("%d steps, want 49", len(d.steps))
	}
	n := d.note("damage")
	want := fmt.Sprintf("record 2 is unreadable, bytes %d–%d", first, first+len(list[1]))
	if n == nil || !strings.Contains(n.GetText(), want) || !n.GetIncomplete() || n.GetAnchor() != "step-0" {
		t.Errorf("note %v, want one that says %q", n, want)
	}
}

// The full log begins at 412, the short one at 380: the union is shown, and what is missing is named.
func TestCaseA03(t *testing.T) {
	t.Parallel()
	var short, full []string
	for i := 380; i < 430; i++ {
		if i < 425 {
			short = append(short, prompt(strconv.Itoa(i), "short"))
		}
		if i >= 412 {
			full = append(full, prompt(strconv.Itoa(i), "full"))
		}
	}
	d := convert(t, store(t, map[string]string{shortLog: lines(short...), fullLog: lines(full...)}))
	if len(d.steps) != 50 || d.steps[0].GetIndex() != 380 || d.steps[49].GetIndex() != 429 {
		t.Fatalf("steps %v", d.indexes())
	}
	gap := d.note("gap")
	if gap.GetText() != "steps 0–379 are not on disk" || gap.GetFirstIndex() != 0 || gap.GetLastIndex() != 379 || len(d.footer.GetGaps()) != 1 {
		t.Errorf("gap %v", gap)
	}
	if d.steps[0].GetOrigin() != "transcript.jsonl" || d.steps[49].GetOrigin() != "transcript_full.jsonl" {
		t.Errorf("origins %q and %q", d.steps[0].GetOrigin(), d.steps[49].GetOrigin())
	}
}

// A log of 0 bytes, or none at all, is a conversation without model turns.
func TestCaseA05(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"empty": {shortLog: ""}, "none": {".system_generated/messages/1.json": "{}"},
	} {
		d := convert(t, store(t, files))
		n := d.notes[0]
		if len(d.steps) != 0 || n.GetKind() != "partial" || !strings.HasPrefix(n.GetText(), "partial: no model turns") || !n.GetIncomplete() {
			t.Errorf("%s: %d steps, note %v", name, len(d.steps), n)
		}
	}
}

// Another viewer's rename lines: the last one is the title, and nothing is corrupt.
func TestCaseA15(t *testing.T) {
	t.Parallel()
	text := lines(prompt("0", "first prompt"), said("1", "answer", ""), "$rename:Old title", "$rename: My title 修 ")
	d := convert(t, store(t, map[string]string{shortLog: text, fullLog: text}))
	if got := d.header.GetTitle(); got.GetValue() != "My title 修" || got.GetOrigin() != "rename line in the log" {
		t.Errorf("title %v", got)
	}
	if len(d.steps) != 2 || d.note("damage") != nil {
		t.Errorf("%d steps, notes %v", len(d.steps), d.notes)
	}
	s, err := mirror.New().Peek(t.Context(), store(t, map[string]string{shortLog: text}))
	if err != nil || s.Title.GetValue() != "My title 修" || s.Steps != 2 || s.StepsUnknown {
		t.Errorf("peek %v, %v", s, err)
	}
}

// GENERIC and a type nobody knows are tool results, named from the call before; JSON nested 10,000 deep is one bad record.
func TestCaseC06(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)
	d := convert(t, store(t, map[string]string{fullLog: lines(
		prompt("0", "go"),
		said("1", "", `[{"name":"manage_task","args":{"Action":"list"}},{"name":"frobnicate","args":{"x":1}}]`),
		result("2", "GENERIC", "no tasks"),
		result("3", "FOO_BAR", "raw text"),
		deep,
		said("4", "done", ""),
	)}))
	if diff := cmp.Diff([]uint32{0, 1, 2, 3, 4}, d.indexes()); diff != "" {
		t.Fatal(diff)
	}
	for i, want := range map[int][3]string{2: {"GENERIC", "manage_task", "no tasks"}, 3: {"FOO_BAR", "frobnicate", "raw text"}} {
		s := d.steps[i]
		if s.GetKind() != want[0] || s.GetCall().GetName() != want[1] || s.GetRole() != transcriptv1.Role_ROLE_TOOL || !strings.Contains(shown(s), want[2]) {
			t.Errorf("step %d: %v", i, s)
		}
	}
	if n := d.note("damage"); !strings.Contains(n.GetText(), "record 5 is unreadable") || d.note("call_without_result") != nil {
		t.Errorf("notes %v", d.notes)
	}
}

// A tool's output is a tool's, whatever its source says.
func TestCaseC09(t *testing.T) {
	t.Parallel()
	line := strings.Replace(result("2", "RUN_COMMAND", "Created At: 2026-10-03T13:00:02Z\n\n\t\t\t\tThe command completed successfully.\n\t\t\t\tOutput:\n\t\t\t\tok\n\n"),
		`"source":"MODEL"`, `"source":"USER_EXPLICIT"`, 1)
	d := convert(t, store(t, map[string]string{fullLog: lines(
		prompt("0", "go"), said("1", "", `[{"name":"run_command","args":{"CommandLine":"ls","Cwd":"/w"}}]`), line)}))
	s := d.steps[2]
	want := "command||ls\ncode|Output|ok\n"
	if s.GetRole() != transcriptv1.Role_ROLE_TOOL || shown(s) != want || s.GetBlocks()[0].GetCommand().GetExitCode() != 0 ||
		s.GetBlocks()[0].GetCommand().ExitCode == nil || s.GetBlocks()[0].GetCommand().GetCwd() != "/w" {
		t.Errorf("%v: %q", s, shown(s))
	}
}

// The document opens with what it is; so do its JSON and its strict form.
func TestCaseC11(t *testing.T) {
	t.Parallel()
	ref := store(t, map[string]string{shortLog: lines(prompt("0", "hi"), said("1", "hello", ""))})
	d := convert(t, ref)
	if n := d.events[0].GetNote(); n.GetKind() != "partial" || !strings.HasPrefix(n.GetText(), "reconstructed from transcript logs; ") || !n.GetIncomplete() {
		t.Errorf("the document opens with %v", d.events[0])
	}
	want := everything
	want.Strict = true
	if _, err := read(t, ref, want); err == nil || !strings.Contains(err.Error(), sources.ErrPartial.Error()) {
		t.Errorf("strict: %v", err)
	}
}

// Index 4 alone is absent from healthy logs; anything else that is missing is said.
func TestCaseC13(t *testing.T) {
	t.Parallel()
	log := func(indexes ...int) map[string]string {
		var list []string
		for _, i := range indexes {
			list = append(list, prompt(strconv.Itoa(i), "x"))
		}
		return map[string]string{shortLog: lines(list...)}
	}
	if d := convert(t, store(t, log(0, 1, 2, 3, 5))); d.note("gap") != nil || len(d.footer.GetGaps()) != 0 {
		t.Errorf("alarm: %v", d.note("gap"))
	}
	if d := convert(t, store(t, log(0, 1, 2, 3, 40))); d.note("gap").GetText() != "steps 4–39 are not on disk" {
		t.Errorf("gap %v", d.note("gap"))
	}
	if d := convert(t, store(t, log(0, 2))); d.note("gap").GetText() != "step 1 is not on disk" {
		t.Errorf("gap %v", d.note("gap"))
	}
}

// Text is UTF-8 in every locale.
func TestCaseD03(t *testing.T) {
	text := "修 ขั้ค 👩‍💻 ÿ"
	ref := store(t, map[string]string{shortLog: lines(prompt("0", text))})
	var first string
	for _, locale := range []string{"C", "ko_KR.cp949", "tr_TR.cp1254"} {
		t.Setenv("LC_ALL", locale)
		d := convert(t, ref)
		if got := shown(d.steps[0]); got != "markdown||"+text || first != "" && got != first {
			t.Errorf("%s: %q", locale, got)
		}
		first = shown(d.steps[0])
	}
}

// CR LF, a byte order mark and no line break at the end.
func TestCaseD08(t *testing.T) {
	t.Parallel()
	text := "\xef\xbb\xbf" + prompt("0", "a") + "\r\n\r\n" + prompt("1", "b") + "\r\n" + prompt("2", "c\r\nd")
	d := convert(t, store(t, map[string]string{fullLog: text}))
	if diff := cmp.Diff([]uint32{0, 1, 2}, d.indexes()); diff != "" || d.note("damage") != nil || d.note("live") != nil {
		t.Errorf("%s %v", diff, d.notes)
	}
	if got := shown(d.steps[2]); got != "markdown||c\r\nd" {
		t.Errorf("%q", got)
	}
}

// What a note quotes is cut between characters.
func TestCaseD09(t *testing.T) {
	t.Parallel()
	for pad := range 4 {
		text := strings.Repeat("x", pad) + strings.Repeat("修", 100)
		d := convert(t, store(t, map[string]string{fullLog: lines(text, prompt("0", "a"))}))
		if n := d.note("damage"); strings.ContainsRune(n.GetText(), '\uFFFD') || strings.Contains(n.GetText(), `\x`) || !strings.Contains(n.GetText(), "修") {
			t.Errorf("%q", n.GetText())
		}
	}
}

// Arguments are encoded twice in the short log only.
func TestCaseD11(t *testing.T) {
	t.Parallel()
	calls := `[{"name":"run_command","args":{"A":"\"false\"","B":"\"C:\\\\a b\"","C":"5","D":"plain text"}}]`
	for name, want := range map[string]string{
		shortLog: `{"A":"false","B":"C:\\a b","C":5,"D":"plain text"}`,
		fullLog:  `{"A":"\"false\"","B":"\"C:\\\\a b\"","C":"5","D":"plain text"}`,
	} {
		d := convert(t, store(t, map[string]string{name: lines(said("0", "", calls))}))
		if got := d.steps[0].GetBlocks()[0].GetToolCall().GetCall().GetArgumentsJson(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Windows paths keep one backslash.
func TestCaseD12(t *testing.T) {
	t.Parallel()
	calls := `[{"name":"run_command","args":{"CommandLine":"dir","Cwd":"C:\\Users\\Jo"}}]`
	d := convert(t, store(t, map[string]string{fullLog: lines(said("0", "", calls), result("1", "RUN_COMMAND", "The command completed successfully.\n"))}))
	if got := d.steps[1].GetBlocks()[0].GetCommand().GetCwd(); got != `C:\Users\Jo` {
		t.Errorf("cwd %s", got)
	}
}

// Five steps in one second keep their order, however the lines are sorted; the later line of an index counts.
func TestCaseI03(t *testing.T) {
	t.Parallel()
	d := convert(t, store(t, map[string]string{fullLog: lines(
		prompt("3", "d"), prompt("1", "old"), prompt("0", "a"), prompt("4", "e"), prompt("2", "c"), prompt("1", "b"))}))
	var got []string
	for _, s := range d.steps {
		got = append(got, shown(s))
	}
	if diff := cmp.Diff([]string{"markdown||a", "markdown||b", "markdown||c", "markdown||d", "markdown||e"}, got); diff != "" {
		t.Error(diff)
	}
	i := slices.IndexFunc(d.events, func(ev *transcriptv1.Event) bool { return ev.GetStep().GetAnchor() == "branch-1-1" })
	if i < 0 || shown(d.events[i].GetStep()) != "markdown||old" || d.events[i-1].GetBegin() == nil || d.events[i+1].GetEnd() == nil {
		t.Errorf("the line that was taken over is not shown: %v", d.events)
	}
}

// The times before a result become times; a file that begins with the same words keeps them.
func TestCaseI05(t *testing.T) {
	t.Parallel()
	call := `[{"name":"manage_task","args":{}},{"name":"manage_task","args":{}}]`
	theirs := "Created At: 2020-01-01T00:00:00Z\nCompleted At: 2020-01-01T00:00:09Z\nrest"
	d := convert(t, store(t, map[string]string{fullLog: lines(said("0", "", call),
		result("1", "GENERIC", "Created At: 2026-10-03T07:00:02-06:00\nCompleted At: 2026-10-03T07:00:05-06:00\n"+theirs),
		result("2", "GENERIC", theirs))}))
	one, two := d.steps[1], d.steps[2]
	if one.GetCompletedNs()-one.GetCreatedNs() != 3e9 || !strings.HasSuffix(shown(one), "code|Result|"+theirs) {
		t.Errorf("%v", one)
	}
	if two.CompletedNs != nil || !strings.HasSuffix(shown(two), "code|Result|"+theirs) {
		t.Errorf("%v", two)
	}
}

// A prompt is what stands in its shell, whatever the person typed.
func TestCaseN04(t *testing.T) {
	t.Parallel()
	meta := "\n<ADDITIONAL_METADATA>\nlocal time\n</ADDITIONAL_METADATA>"
	for name, c := range map[string]struct{ content, prompt, added string }{
		"shell":          {"<USER_REQUEST>\nhello\n</USER_REQUEST>" + meta, "hello", "local time"},
		"no shell":       {"hello" + meta, "hello", "local time"},
		"plain":          {"hello", "hello", ""},
		"typed tag":      {"<USER_REQUEST>\nwhy </USER_REQUEST> here?\n</USER_REQUEST>" + meta, "why </USER_REQUEST> here?", "local time"},
		"typed tag last": {"<USER_REQUEST>\na\n</USER_REQUEST>\n</USER_REQUEST>" + meta, "a\n</USER_REQUEST>", "local time"},
		"tag in block":   {"<USER_REQUEST>\na\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\n</USER_REQUEST>\n</ADDITIONAL_METADATA>", "a", "</USER_REQUEST>"},
		"cut":            {"<USER_REQUEST>\nhello", "hello", ""},
	} {
		d := convert(t, store(t, map[string]string{fullLog: lines(prompt("0", c.content))}))
		blocks := d.steps[0].GetBlocks()
		if blocks[0].GetText() != c.prompt || d.header.GetTitle().GetValue() != strings.SplitN(c.prompt, "\n", 2)[0] {
			t.Errorf("%s: prompt %q, title %q", name, blocks[0].GetText(), d.header.GetTitle().GetValue())
		}
		if c.added == "" && len(blocks) != 1 || c.added != "" && (len(blocks) != 2 || blocks[1].GetText() != c.added) {
			t.Errorf("%s: added %v", name, blocks)
		}
	}
}

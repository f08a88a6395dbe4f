package interpret

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	doc "agy-reader/proto/agyreader/transcript/v1"
)

// cost returns how many bytes are allocated while a step is interpreted, its events being dropped.
func cost(t *testing.T, ip *Interpreter, raw []byte) int {
	t.Helper()
	a := new(Arena)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := ip.Step(&Session{Want: everything}, input(0, raw), a, func(*doc.Event) error { return nil })
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	return int(after.TotalAlloc - before.TotalAlloc)
}

// TestLongDiffsAreText checks that a change with very many short lines costs a few times its bytes and loses nothing. It
// measures the whole process, so it does not run beside others.
func TestLongDiffsAreText(t *testing.T) {
	s, ip := loadSchema(t), New(load(t))
	breaks := strings.Repeat("\n", 2<<20)
	empty := make([]string, 1<<17)
	for i := range empty {
		empty[i] = `{}`
	}
	short, quoted := strings.Repeat("ab\n", 1<<20)+"end", strings.Repeat(`ab\n`, 1<<20)+"end"
	stored := func(lines string) string {
		return `{"type": 5, "status": 3, "codeAction": {"actionResult": {"edit": {"absoluteUri": "file:///w/a.go", "diff": {"unifiedDiff": {"lines": [` + lines + `]}}}}}}`
	}
	call := func(name, args string) string {
		return fmt.Sprintf(`{"type": 132, "status": 3, "metadata": {"toolCall": {"name": %q}}, "generic": {"args": {"TargetFile": "/w/a.go", %s}}}`, name, args)
	}
	for _, tt := range []struct {
		name, json string
		// text is what a block must hold; want the kinds of blocks.
		text, want string
	}{
		{"line breaks in one line", stored(`{"type": 1, "text": "` + strings.ReplaceAll(breaks, "\n", `\n`) + `x"}`), strings.Repeat("+\n", 2<<20) + "+x", "key_values, notice, code"},
		{"empty lines", stored(strings.Join(empty, ",")), strings.Repeat(" \n", 1<<17-1) + " ", "key_values, notice, code"},
		{"written file", call("write_to_file", `"CodeContent": "`+quoted+`"`), short, "key_values, notice, code"},
		{"replaced text", call("replace_file_content", `"StartLine": "1", "EndLine": "1", "TargetContent": "a", "ReplacementContent": "`+quoted+`"`), short, "key_values, code, code"},
		{"checkpoint", `{"type": 23, "status": 3, "checkpoint": {"trajectoryFileDiffs": [{"uri": "file:///w/a.go", "originalContent": "` + quoted + `", "modifiedContent": "x"}]}}`, short, "key_values, notice, code, code"},
		{"many lines of some length", stored(strings.Repeat(`{"type": 1, "text": "a line of the file"},`, 1<<17) + `{"type": 1, "text": "z"}`), "+z", "diff"},
		{"few short lines", stored(`{"type": 1, "text": "` + strings.Repeat(`\n`, 1<<16-1) + `x"}`), "+x", "diff"},
	} {
		raw := s.payload(t, tt.json)
		step := interpret(t, ip, everything, input(0, raw))[0].GetStep()
		var kinds []string
		found := false
		for _, block := range step.GetBlocks() {
			kinds = append(kinds, block.GetKind())
			found = found || block.GetText() == tt.text || block.GetKind() == "diff" && strings.HasSuffix(block.GetText(), tt.text)
		}
		if got := strings.Join(kinds, ", "); !found || got != tt.want {
			t.Errorf("%s: blocks %s, want %s; text found: %v", tt.name, got, tt.want, found)
		}
		if got := cost(t, ip, raw); got > 8*len(raw)+4<<20 {
			t.Errorf("%s: %d bytes cost %d", tt.name, len(raw), got)
		}
	}
}

// TestRepairCostsLittle bounds what 4 MB of bytes that are no text cost: each becomes three.
func TestRepairCostsLittle(t *testing.T) {
	s, ip := loadSchema(t), New(load(t))
	bad := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), []byte(strings.Repeat("\xff\xfe", 2<<20)))
	raw := withField(s.payload(t, `{"type": 15, "status": 3}`), 20, bad)
	if got := cost(t, ip, raw); got > 8*len(raw) {
		t.Errorf("%d bytes cost %d", len(raw), got)
	}
}

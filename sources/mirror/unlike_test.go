package mirror_test

import (
	"strings"
	"testing"
)

// Whatever one line is, it costs itself only: it is a step, or a note says that it is none.
func TestOneLineCostsItselfOnly(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"step_index":"1","type":"USER_INPUT","content":"x"}`, `{"step_index":1,"type":7,"content":"x"}`, `{"step_index":1,"type":"USER_INPUT","type":null}`,
		`{"step_index":1,"type":"USER_INPUT","step_index":"2"}`, `{"step_index":1,"step_index":1e300,"type":"USER_INPUT"}`,
		`{"step_index":1,"type":"USER_INPUT","content":` + strings.Repeat("[", 999) + strings.Repeat("]", 999) + `}`,
		`{"step_index":1,"type":"USER_INPUT","content":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`,
		`{"step_index":1,"type":"USER_INPUT","n":1` + strings.Repeat("0", 1000) + `}`, `{"step_index":1,"type":"USER_INPUT","n":` + strings.Repeat("1-", 500) + `}`,
		`{"step_index":1,"type":"USER_INPUT","n":` + strings.Repeat("1e", 500) + `,"content":"x"}`,
		"{\"step_index\":1,\"type\":\"USER_INPUT\",\"content\":\"a\x00b\"}", `{"step_index":1,"type":"USER_INPUT","content":"\ud800\udc00\ud800 \u0000"}`,
		"{\"step_index\":1,\"type\":\"USER_\xff\",\"content\":\"x\"}", `{"step_index":1,"type":"USER_\ud800","content":"x"}`,
		`{"step_index":01,"type":"USER_INPUT"}`, `{"step_index":-0,"type":"USER_INPUT"}`, `{"step_index":1.0,"type":"USER_INPUT"}`,
		`{"step_index":4294967296,"type":"USER_INPUT"}`, `{"step_index":1,"type":"` + strings.Repeat("K", 200) + `"}`,
		`{"step\u005findex":1,"type":"USER_INPUT"}`, `{"step_index":1,"type":"USER_INPUT"} trailing`, `[]`, `null`,
	} {
		d, err := read(t, store(t, map[string]string{shortLog: lines(prompt("0", "first"), line, prompt("3", "last"))}), everything)
		if err != nil {
			t.Errorf("%.100q: %v", line, err)
			continue
		}
		indexes := d.indexes()
		if len(indexes) < 2 || indexes[0] != 0 || indexes[len(indexes)-1] != 3 || len(indexes) == 2 && d.note("damage") == nil {
			t.Errorf("%.100q: steps %v, notes %v", line, indexes, d.notes)
		}
	}
}

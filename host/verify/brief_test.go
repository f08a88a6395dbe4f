package verify

import (
	"encoding/json"
	"strings"
	"testing"
)

// Messages show where two values differ and never much of them.
func TestBrief(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("open sesame, ", 1000)
	for _, test := range []struct {
		stored, answered any
		want             [2]string
	}{
		{"a", "b", [2]string{`"a"`, `"b"`}},
		{body + "x", body + "y", [2]string{`"…sesame, x" of 13001 bytes`, `"…sesame, y" of 13001 bytes`}},
		{body, nothing{}, [2]string{`"open sesame, open sesame…" of 13000 bytes`, "nothing"}},
		{"short", "short and more", [2]string{`"short"`, `"short and more"`}},
		{json.Number("1"), json.Number("2"), [2]string{"1", "2"}},
		{map[string]any{"a": body}, []any{body}, [2]string{"an object of 1 members", "a list of 1 elements"}},
		{true, nil, [2]string{"true", "null"}},
		{"ü" + body, "ä" + body, [2]string{`"üopen sesame, open sesa…" of 13002 bytes`, `"äopen sesame, open sesa…" of 13002 bytes`}},
	} {
		stored, answered := brief(test.stored, test.answered)
		if got := [2]string{stored, answered}; got != test.want {
			t.Errorf("%.20v, %.20v: %q, want %q", test.stored, test.answered, got, test.want)
		}
	}
}

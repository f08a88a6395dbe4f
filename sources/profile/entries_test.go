package profile

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// Keys that are not UTF-8 and look alike once repaired stay apart.
func TestRepairedKeysStayApart(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	tests := []struct {
		name string
		keys []string
		want string
	}{
		{"valid", []string{"a", "b", "a"}, `{"a":"2","b":"1"}`},
		{"one bad key", []string{"\xff"}, "{\"\uFFFD\":\"0\"}"},
		{"the same bad key", []string{"\xff", "\xff"}, "{\"\uFFFD\":\"1\"}"},
		{"two bad keys", []string{"\xff", "\xfe"}, "{\"\uFFFD\":\"1\",\"\uFFFD~2\":\"0\"}"},
		{"beside the text itself", []string{"\uFFFD", "\xfe"}, "{\"\uFFFD\":\"0\",\"\uFFFD~2\":\"1\"}"},
		{
			"the number is taken",
			[]string{"\xfd", "\xfe", "\xff", "\uFFFD~2"},
			"{\"\uFFFD~2\":\"3\",\"\uFFFD\":\"0\",\"\uFFFD~3\":\"1\",\"\uFFFD~4\":\"2\"}",
		},
		{
			"the number is taken by a bad key",
			[]string{"\xfd", "\xfe", "\xff~2"},
			"{\"\uFFFD\":\"0\",\"\uFFFD~2\":\"1\",\"\uFFFD~2~2\":\"2\"}",
		},
	}
	for _, tt := range tests {
		var raw wire
		bad := false
		for i, key := range tt.keys {
			raw = raw.str(71, string(wire{}.str(1, key).str(2, fmt.Sprint(i))))
			bad = bad || repaired(key) != key
		}
		var f Findings
		got, err := p.AppendJSON(nil, all, raw, &JSONOptions{Findings: &f})
		if want := `{"mString":` + tt.want + `}`; err != nil || string(got) != want || !jsontext.Value(got).IsValid() {
			t.Errorf("%s: %v, %s, want %s", tt.name, err, got, want)
		}
		if bad != (len(f.BadText) > 0) {
			t.Errorf("%s: findings %v", tt.name, f.BadText)
		}
	}
}

func TestManyRepairedKeys(t *testing.T) {
	t.Parallel()
	p := kindsProfile(t)
	var raw wire
	for i := range 1 << 16 {
		raw = raw.str(71, string(wire{}.str(1, badKey(i))))
	}
	got, err := p.AppendJSON(nil, all, raw, nil)
	if err != nil || !jsontext.Value(got).IsValid() {
		t.Errorf("%v, %.100s", err, got)
	}
}

// badKey returns 17 bytes, none of them UTF-8, that differ for each i.
func badKey(i int) string {
	b := make([]byte, 17)
	for j := range b {
		b[j] = 0xfe | byte(i>>j&1)
	}
	return string(b)
}

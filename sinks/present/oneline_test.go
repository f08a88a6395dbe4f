package present

import (
	"strings"
	"testing"
)

// The short way out of oneLine must not change what it says.
func FuzzOneLine(f *testing.F) {
	for _, s := range []string{"", " ", "a", "a b", " a", "a ", "a  b", "a\tb", "a\nb", "a\u00a0b", "a\u2003b", "a\u0085b", "é", "\x01 \x7f", "a\x00b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > longestLine {
			t.Skip()
		}
		if got, want := oneLine(s), strings.Join(strings.Fields(s), " "); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	})
}

// A reader that is used again forgets what it read before.
func TestArgumentsAreReadAgain(t *testing.T) {
	t.Parallel()
	for range 3 {
		for _, test := range []struct{ json, name, want string }{
			{`{"a":"long first value","b":"x"}`, "a", "long first value"},
			{`{"b":"y"}`, "a", ""},
			{`{"a":"one","a":"two"}`, "a", "one"},
			{`{"n":1,"o":{"a":"deep"},"a":"A\u00e9\n"}`, "a", "Aé\n"},
			{`{"a":"broken`, "a", ""},
			{`["a"]`, "a", ""},
			{`{"\ud800":"x","a":"behind"}`, "a", "behind"},
		} {
			if got, found := argument(test.json, test.name); got != test.want || found != (test.want != "") {
				t.Errorf("%s: got %q, %v", test.json, got, found)
			}
		}
	}
}

package profile

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func TestAppendString(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"empty", "", `""`},
		{"short", "abc", `"abc"`},
		{"quotes", `say "hi" \ there`, `"say \"hi\" \\ there"`},
		{"named controls", "\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"other controls", "\x00\x1f\x7f", `"\u0000\u001f` + "\x7f" + `"`},
		{"html", "<a href='x'>&</a>", `"<a href='x'>&</a>"`},
		{"separators", "a\u2028b\u2029", "\"a\u2028b\u2029\""},
		{"wide", "修👩‍💻 längere Zeile mit Umlauten", `"修👩‍💻 längere Zeile mit Umlauten"`},
		{"bad bytes", "a\xff\xfeb\xc3", "\"a\ufffd\ufffdb\ufffd\""},
		{"surrogate", "\xed\xa0\x80", "\"\ufffd\ufffd\ufffd\""},
		{"all escapes", strings.Repeat("\x01", 40), `"` + strings.Repeat(`\u0001`, 40) + `"`},
	}
	for _, tt := range tests {
		if got := string(AppendString([]byte("x"), tt.in)); got != "x"+tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Each byte value is escaped right at each place of a word, next to each other kind of byte.
func TestAppendStringAtEveryPlace(t *testing.T) {
	t.Parallel()
	for c := range 0x80 {
		for at := range 20 {
			b := []byte(strings.Repeat("é1\"", 8))[:20]
			b = []byte(strings.ToValidUTF8(string(b), "x"))
			s := string(b[:min(at, len(b))])
			s = strings.ToValidUTF8(s, "y") + string(rune(c)) + "tail\\ of the text"
			checkEscape(t, s)
		}
	}
}

// checkEscape compares with protojson.
func checkEscape(t *testing.T, s string) {
	t.Helper()
	got := AppendString(nil, s)
	var back string
	if err := json.Unmarshal(got, &back); err != nil || !utf8.Valid(got) {
		t.Fatalf("%q gives %q: %v", s, got, err)
	}
	if !utf8.ValidString(s) {
		if want := repaired(s); back != want {
			t.Fatalf("%q comes back as %q, want %q", s, back, want)
		}
		return
	}
	want, err := protojson.Marshal(wrapperspb.String(s))
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(got) {
		t.Fatalf("%q gives %s, protojson %s", s, got, want)
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("plain")
	f.Add("line\n\ttab \"q\" \\ \x00\x1f\u2028\xff")
	f.Fuzz(checkEscape)
}

func TestRepairedHasOneExactSize(t *testing.T) {
	for _, s := range []string{"", "a", "\xff", "a\xff\xfeb", "\uFFFD", "é\xc3", "\xed\xa0\x80\x00\"", strings.Repeat("\xff\xfe", 1<<20)} {
		want := string([]rune(s))
		if got := repaired(s); got != want {
			t.Errorf("%.20q: %.20q, want %.20q", s, got, want)
		}
		if allocs := testing.AllocsPerRun(5, func() { _ = repaired(s) }); allocs > 1 {
			t.Errorf("%.20q: repaired in %v pieces", s, allocs)
		}
		if got, valid := string(AppendString(nil, s)), string(AppendString(nil, want)); got != valid {
			t.Errorf("%.20q: JSON %.20s, want %.20s", s, got, valid)
		}
		if allocs := testing.AllocsPerRun(5, func() { _ = AppendString(nil, s) }); len(s) > 100 && allocs > 4 { // one before it is known that the text is bad; two are of the race detector
			t.Errorf("%.20q: JSON in %v pieces", s, allocs)
		}
		if got := AppendString(nil, s); len(got) > 100 && cap(got) > len(got)+len(got)/8 {
			t.Errorf("%d bytes of JSON take %d", len(got), cap(got))
		}
	}
}

package html

import (
	"strings"
	"testing"
	"unicode/utf8"

	"agy-reader/sinks/present"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, text, attr string }{
		{"plain", "Grüße, 世界 👩\u200d💻", "Grüße, 世界 👩\u200d💻", "Grüße, 世界 👩\u200d💻"},
		{"markup", `<a b="c">&amp;'`, `&lt;a b="c"&gt;&amp;amp;'`, `&lt;a b=&#34;c&#34;&gt;&amp;amp;'`},
		{"line ends", "a\r\nb\nc", "a&#13;\nb\nc", "a&#13;\nb\nc"},
		{"lone return", "a\rb\r", `a<b class="c" title="U+000D">␍</b>b<b class="c" title="U+000D">␍</b>`, "a␍b␍"},
		{"escape", "\x1b[2J\x00", `<b class="c" title="U+001B">␛</b>[2J<b class="c" title="U+0000">␀</b>`, "␛[2J␀"},
		{"override", "x\u202ey", `x<b class="c" title="U+202E">⟨U+202E⟩</b>y`, "x⟨U+202E⟩y"},
		{"C1", "\u009b", `<b class="c" title="U+009B">⟨U+009B⟩</b>`, "⟨U+009B⟩"},
		{"tags", "\U000e0041", `<b class="c" title="U+E0041">⟨U+E0041⟩</b>`, "⟨U+E0041⟩"},
		{"cut sequence", "\xe2\x80", "\xe2\x80", "\xe2\x80"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := string(appendText([]byte("x"), test.in)); got != "x"+test.text {
				t.Errorf("text %q, want %q", got[1:], test.text)
			}
			if got := string(appendAttr(nil, []byte(test.in))); got != test.attr {
				t.Errorf("attribute %q, want %q", got, test.attr)
			}
		})
	}
}

// Both readable outputs must mark the same characters in the same way.
func TestMarksAreThoseOfPresent(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) || strings.ContainsRune("<>&\"", r) {
			continue
		}
		s := "a" + string(r) + "b"
		want := s
		if r != '\t' && r != '\n' { // text of several lines keeps these
			want = present.Visible(s)
		}
		if got := string(appendAttr(nil, s)); got != want {
			t.Fatalf("%U: %q, present has %q", r, got, want)
		}
	}
}

func BenchmarkEscapeText(b *testing.B) {
	code := strings.Repeat("\tif a < b && len(s) > 0 {\n\t\treturn fmt.Errorf(\"read step %d: %w\", i, err) // – kept\n\t}\n", 10_000)
	var dst []byte
	b.SetBytes(int64(len(code)))
	for b.Loop() {
		dst = appendText(dst[:0], code)
	}
}

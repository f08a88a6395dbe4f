package present_test

import (
	"bytes"
	"testing"
	"unicode"
	"unicode/utf8"

	"agy-reader/sinks/present"
)

func TestInert(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"plain", "# Grüße, 世界 👩\u200d💻\n\ta\n", "# Grüße, 世界 👩\u200d💻\n\ta\n"},
		{"clear screen", "a\x1b[2Jb", "a␛[2Jb"},
		{"title", "\x1b]0;x\x07", "␛]0;x␇"},
		{"clipboard by C1", "\u009d52;c;eA==\u009c", "⟨U+009D⟩52;c;eA==⟨U+009C⟩"},
		{"raw C1 bytes", "\x9b31m\x90", "\uFFFD31m\uFFFD"},
		{"returns", "a\rb\r\n", "a␍b␍\n"},
		{"backspaces", "rm\b\b", "rm␈␈"},
		{"null and delete", "\x00\x7f", "␀␡"},
		{"override", "x\u202ey\u2066", "x⟨U+202E⟩y⟨U+2066⟩"},
		{"tags", "\U000e0041", "⟨U+E0041⟩"},
		{"cut", "a\xe2\x80", "a\uFFFD\uFFFD"},
		{"overlong escape", "\xc0\x9b", "\uFFFD\uFFFD"},
		{"replacement stays", "\uFFFD", "\uFFFD"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := string(present.Inert([]byte("> "), []byte(test.in))); got != "> "+test.want {
				t.Errorf("Inert(%q) = %q, want %q", test.in, got[2:], test.want)
			}
		})
	}
}

// Whatever comes in, a terminal gets text; passing it in pieces between characters or twice changes nothing.
func FuzzInert(f *testing.F) {
	for _, s := range []string{"a\x1b[2J\u202e\xff\r\n", "\u009b\u200d\U000e0041", "é\xe2\x80"} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		whole := present.Inert(nil, text)
		if !utf8.Valid(whole) {
			t.Fatalf("%q became invalid: %q", text, whole)
		}
		for _, r := range string(whole) {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Fatalf("%q kept %U: %q", text, r, whole)
			}
		}
		if twice := present.Inert(nil, whole); !bytes.Equal(twice, whole) {
			t.Fatalf("%q: twice %q, once %q", text, twice, whole)
		}
		if cut < 0 || cut > len(text) || !utf8.Valid(text) {
			return
		}
		for cut < len(text) && !utf8.RuneStart(text[cut]) {
			cut++
		}
		if pieces := present.Inert(present.Inert(nil, text[:cut]), text[cut:]); !bytes.Equal(pieces, whole) {
			t.Fatalf("%q in pieces: %q, whole %q", text, pieces, whole)
		}
	})
}

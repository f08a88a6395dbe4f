package present_test

import (
	"testing"

	"agy-reader/sinks/present"
)

func TestVisibleMarksHiddenCharacters(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want, wantLines string }{
		{"plain", "a b", "a b", "a b"},
		{"escape", "\x1b[2J", "␛[2J", "␛[2J"},
		{"line ends", "a\r\nb\tc", "a␍␊b␉c", "a\r\nb\tc"},
		{"lone return", "a\rb", "a␍b", "a␍b"},
		{"override", "x\u202ey", "x⟨U+202E⟩y", "x⟨U+202E⟩y"},
		{"C1", "\u009b1m", "⟨U+009B⟩1m", "⟨U+009B⟩1m"},
		{"tags", "a\U000e0041\U000e007fb", "a⟨U+E0041⟩⟨U+E007F⟩b", "a⟨U+E0041⟩⟨U+E007F⟩b"},
		{"joined emoji", "👩\u200d💻", "👩\u200d💻", "👩\u200d💻"},
		{"delete", "\x7f", "␡", "␡"},
		{"damaged", "a\xffb", "a\uFFFDb", "a\uFFFDb"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := present.Visible(test.in); got != test.want {
				t.Errorf("Visible(%q) = %q, want %q", test.in, got, test.want)
			}
			if got := present.VisibleLines(test.in); got != test.wantLines {
				t.Errorf("VisibleLines(%q) = %q, want %q", test.in, got, test.wantLines)
			}
		})
	}
}

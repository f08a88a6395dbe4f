package artifact

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	t.Parallel()
	good := []string{"a", "a.md", "6b284218-0000-4000-8000-000000000000.trajectory.json", "café.md", "con1.md", "компьютер", strings.Repeat("x", 200), "a b.md", "COM10.txt"}
	for _, name := range good {
		if err := checkName(name); err != nil {
			t.Errorf("%q refused: %v", name, err)
		}
	}
	bad := []string{
		"", ".", "..", ".hidden", " a", "a/b", `a\b`, "/a", "C:a", "a\x00b", "a\nb", "a\u202eb", "a\u200bb", "a.", "a ", "CON", "con.md", "nul.tar.gz", "Com1.txt", "COM¹", "LPT9", "aux .md",
		"a?b", `a"b`, "a|b", "\xff", strings.Repeat("x", 201), "conin$",
	}
	for _, name := range bad {
		if checkName(name) == nil {
			t.Errorf("%q accepted", name)
		}
	}
}

func FuzzSafeName(f *testing.F) {
	for _, seed := range []string{"", "a", "../../etc/passwd", "CON", "a\u202e", "\xff\xfe", strings.Repeat("é", 300), "con .x", "....", "a\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name := SafeName(text)
		if err := checkName(name + "-step-4294967295.trajectory.json"); err != nil {
			t.Errorf("%q gives %q: %v", text, name, err)
		}
		if checkName(text) == nil && len(text) <= 120 && name != text {
			t.Errorf("a good name %q became %q", text, name)
		}
	})
}

package archive

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agy-reader/host/artifact"
)

func TestSlug(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ title, want string }{
		{"Fix the parser, please!", "fix-the-parser-please"},
		{"  -- Über\u0308größe / naïve\t", "über\u0308größe-naïve"},
		{"ПРИВЕТ, Мир", "привет-мир"},
		{"修复 解析器", "修复-解析器"},
		{"Ship it 🚀🚀 now 👩‍💻", "ship-it-now"},
		{"🚀", ""},
		{"", ""},
		{"../../etc/passwd", "etc-passwd"},
		{`C:\Users\con: "x"?*`, "c-users-con-x"},
		{"evil\u202Egnp.exe\x00\x1b[31m", "evil-gnp-exe-31m"},
		{"\u3164\u115F", ""},
		{"\u0301lost accent", "lost-accent"},
		{"bad \xff\xfe bytes", "bad-bytes"},
		{strings.Repeat("word ", 40), strings.TrimSuffix(strings.Repeat("word-", 12), "-")},
		{strings.Repeat("x", 200), strings.Repeat("x", 60)},
		{strings.Repeat("語", 50), strings.Repeat("語", 20)},
		{"a" + strings.Repeat("語", 50), "a" + strings.Repeat("語", 19)},
		{"İstanbul", "istanbul"},
	} {
		if got := slug(tc.title); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.title, got, tc.want)
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 5, 1, 23, 59, 59, 0, time.UTC).UnixNano()
	n := names{}
	n.take("2026-05-01-Old-12345678")
	for _, tc := range []struct{ id, title, want string }{
		{"abcdef01-1111-4000-8000-000000000000", "Title", "2026-05-01-title-abcdef01"},
		{"abcdef01-2222-4000-8000-000000000000", "title", "2026-05-01-title-abcdef01-2222-4000-8000-000000000000"},
		{"ABCDEF01-2222-4000-8000-000000000000", "TITLE", "2026-05-01-title-abcdef01-2222-4000-8000-000000000000-2"},
		{"12345678-aaaa", "old", "2026-05-01-old-12345678-aaaa"},
		{"con", "", "2026-05-01-con"},
		{"…", "", "2026-05-01-" + idPart("…", shortID)},
	} {
		if got := n.choose(tc.id, Known{Title: tc.title, CreatedNS: &day}); got != tc.want {
			t.Errorf("%s %q: %q, want %q", tc.id, tc.title, got, tc.want)
		}
	}
	if got := n.choose("abcdef01", Known{}); got != "undated-abcdef01" {
		t.Errorf("nothing known: %q", got)
	}
}

func TestEarlierName(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, want string }{
		{"x.md", "x.earlier-2.md"},
		{"x.trajectory.json", "x.earlier-2.trajectory.json"},
		{"x-step-3.md", "x.earlier-2-step-3.md"},
		{"x.assets/a.png", "x.earlier-2.assets/a.png"},
	} {
		if got := earlierName(tc.name, "x", 2); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// Whatever a title and an id hold, the name is one that every system takes and stays within its bounds.
func FuzzName(f *testing.F) {
	for _, seed := range []string{"", "con", "Fix it", "../x", "\u202e\u0301", "🚀", "İSTANBUL", strings.Repeat("é", 90), "\xff", "ﬁn", "Ⅷ", "\u1100\u1161\u11a8", "a\u0315\u0300\u05ae\u0301b"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, title, id string) {
		name := names{}.choose(id, Known{Title: title})
		if err := artifact.CheckName(name); err != nil || strings.Contains(name, "/") || artifact.SafeName(name) != name {
			t.Errorf("%q: %v", name, err)
		}
		if len(name) > len("undated-")+maxSlug+1+shortID || !utf8.ValidString(name) || !norm.NFC.IsNormalString(name) {
			t.Errorf("%q: %d bytes", name, len(name))
		}
		if err := artifact.CheckName(earlierName(name+".trajectory.json", name, 99999)); err != nil {
			t.Error(err)
		}
	})
}

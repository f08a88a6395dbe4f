package html

import (
	"strings"
	"testing"
)

func TestRunsAreOneMark(t *testing.T) {
	t.Parallel()
	mark := func(code, shown string) string { return `<b class="c" title="U+` + code + `">` + shown + "</b>" }
	for _, test := range []struct{ name, in, want string }{
		{"few", "a\b\b\bc", "a" + mark("0008", "␈␈␈") + "c"},
		{"as many as are shown", strings.Repeat("\b", 8), mark("0008", strings.Repeat("␈", 8))},
		{"many", strings.Repeat("\b", 1234) + "x", mark("0008", "␈⟨×1,234⟩") + "x"},
		{"different", "\a\b\b", mark("0007", "␇") + mark("0008", "␈␈")},
		{"of several bytes", "\u202e\u202e\u202d", mark("202E", "⟨U+202E⟩⟨U+202E⟩") + mark("202D", "⟨U+202D⟩")},
		{"tags differ in the last byte", "\U000e0041\U000e0042", mark("E0041", "⟨U+E0041⟩") + mark("E0042", "⟨U+E0042⟩")},
		{"returns before a line feed", "\r\r\r\nx", mark("000D", "␍␍") + "&#13;\nx"},
		{"one return before a line feed", "\r\n\r\n", "&#13;\n&#13;\n"},
		{"delete at the end", "a\x7f\x7f", "a" + mark("007F", "␡␡")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := string(appendText(nil, test.in)); got != test.want {
				t.Errorf("%q\n got %s\nwant %s", test.in, got, test.want)
			}
		})
	}
}

// Beyond the budget every character is still there, in the same place, and the page says what changed.
func TestMarksBeyondTheBudget(t *testing.T) {
	t.Parallel()
	const more = 7
	text := strings.Repeat("a\b", mostMarks+more)
	for _, test := range []struct{ name, got string }{
		{"text", string(appendText(nil, text))},
		{"terminal", func() string { got, _ := appendTerminal(nil, "\x1b[31m"+text); return string(got) }()},
		{"message", string(appendMessage(nil, "```\n"+text+"\n```"))},
		{"lines of a diff", string(appendDiffLines(nil, strings.ReplaceAll(text, "a\ba\ba\b", "a\ba\ba\b\n")))},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if n := strings.Count(test.got, `<b class="c" title="U+0008">␈</b>`); n != mostMarks {
				t.Errorf("%d marks are elements, want %d", n, mostMarks)
			}
			if n := strings.Count(test.got, "␈"); n != mostMarks+more {
				t.Errorf("%d characters are shown, want %d", n, mostMarks+more)
			}
			if n := strings.Count(test.got, "⟨more than 10,000 marks: from here on they stand without colour⟩"); n != 1 {
				t.Errorf("stated %d times", n)
			}
		})
	}
	if exactly := string(appendText(nil, text[:2*mostMarks])); strings.Contains(exactly, "more than") {
		t.Error("a text within the budget says that it is beyond")
	}
}

// A reused buffer must not carry the budget of one message into the next.
func TestEveryMessageHasItsBudget(t *testing.T) {
	t.Parallel()
	text := "```\n" + strings.Repeat("a\b", mostMarks) + "\n```"
	first := string(appendMessage(nil, text))
	if second := string(appendMessage(nil, text)); first != second || strings.Contains(first, "more than") {
		t.Error("the same message differs the second time")
	}
}

func TestDiffOfManyLines(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("+<a\n", mostDiffLines-1)
	for _, test := range []struct {
		name, text string
		marked     bool
	}{
		{"as many as are marked", "@@ -0,0 +1,19999 @@\n" + lines, true},
		{"more", "@@ -0,0 +1,20000 @@\n" + lines + "+b", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := string(appendDiffLines(nil, test.text))
			if marked := strings.Contains(got, "<ins>"); marked != test.marked {
				t.Errorf("marked: %v", marked)
			}
			if said := strings.Contains(got, "More than 20,000 lines: shown without colours."); said == test.marked {
				t.Errorf("says that it is not marked: %v", said)
			}
			if n := strings.Count(got, "+&lt;a\n"); n != mostDiffLines-1 {
				t.Errorf("%d lines are left", n)
			}
		})
	}
}

package html

import "testing"

func TestTerminal(t *testing.T) {
	t.Parallel()
	const esc = `<b class="c" title="U+001B">␛</b>`
	for _, test := range []struct {
		name, in, want string
		overwritten    int
	}{
		{"plain", "a < b\n", "a &lt; b\n", 0},
		{"line ends", "a\r\nb\r\n", "a&#13;\nb&#13;\n", 0},
		{"colour", "\x1b[31mred\x1b[0m x", `<span class="f1">red</span> x`, 0},
		{"several attributes", "\x1b[1;3;4;7;9;92;44mx", `<span class="f10 g4 sb si su sr ss">x</span>`, 0},
		{"empty is reset", "\x1b[31mx\x1b[my", `<span class="f1">x</span>y`, 0},
		{"empty parameter is reset", "\x1b[1mx\x1b[;32my", `<span class="sb">x</span><span class="f2">y</span>`, 0},
		{"palette", "\x1b[38;5;196mx\x1b[38;5;250my\x1b[48;5;4mz", `<span class="f9">x</span><span class="f7">y</span><span class="f7 g4">z</span>`, 0},
		{"24 bits", "\x1b[38;2;0;250;1mx", `<span class="f10">x</span>`, 0},
		{"colons", "\x1b[38:2:0:250:1;1mx\x1b[4:3my", `<span class="f10 sb">x</span><span class="f10 sb su">y</span>`, 0},
		{"attribute after colour", "\x1b[38;5;1;4mx", `<span class="f1 su">x</span>`, 0},
		{"over several lines", "\x1b[31ma\nb", `<span class="f1">a` + "\n" + `b</span>`, 0},
		{"no text no span", "\x1b[31m\x1b[0m", "", 0},
		{"cut colour", "\x1b[38;5mx", "x", 0},
		{"huge number", "\x1b[99999999999999999999mx", "x", 0},
		{"cursor stays visible", "\x1b[2Jx\x1b", esc + "[2Jx" + esc, 0},
		{"title and bell", "\x1b]0;t\x07", esc + `]0;t<b class="c" title="U+0007">␇</b>`, 0},
		{"markup in sequence", "\x1b[<b>m", esc + "[&lt;b&gt;m", 0},
		{"progress", "1%\r50%\r100%\n", "100%\n", 2},
		{"progress, CRLF", "1%\r100%\r\nx", "100%&#13;\nx", 1},
		{"return at the end hides nothing", "done\r", "done", 0},
		{"erase", "working\x1b[K\r\x1b[2Kdone\x1b[0K\n", "done\n", 1},
		{"erased to nothing", "kept\r\x1b[K\n", "kept\n", 0},
		{"colour of an overwritten state", "\x1b[32m1%\r2%\x1b[0m\n", `<span class="f2">2%</span>` + "\n", 1},
		{"colour before an empty state", "\x1b[32m\rx", `<span class="f2">x</span>`, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, overwritten := appendTerminal([]byte("|"), test.in)
			if string(got) != "|"+test.want || overwritten != test.overwritten {
				t.Errorf("%q\n got %q, %d\nwant %q, %d", test.in, got[1:], overwritten, test.want, test.overwritten)
			}
		})
	}
}

package interpret

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	doc "agy-reader/proto/agyreader/transcript/v1"
)

// listed is the product's line list of an edit: the lines of both texts, the empty last one included, equal ones shared.
func listed(old, fresh string) []diffLine {
	a, b := strings.Split(old, "\n"), strings.Split(fresh, "\n")
	// Longest common subsequence, the way a diff library would do it.
	n := make([][]int, len(a)+1)
	for i := range n {
		n[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				n[i][j] = n[i+1][j+1] + 1
			} else {
				n[i][j] = max(n[i+1][j], n[i][j+1])
			}
		}
	}
	var out []diffLine
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, diffLine{text: a[i], op: ' '})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && n[i+1][j] >= n[i][j+1]:
			out = append(out, diffLine{text: a[i], op: '-'})
			i++
		default:
			out = append(out, diffLine{text: b[j], op: '+'})
			j++
		}
	}
	return out
}

// diffOf runs the package's diff over a list and returns its block, nil when there is no change.
func diffOf(lines []diffLine, known bool) *doc.Block {
	a := new(Arena)
	b := &builder{a: a, step: new(doc.Step)}
	if !b.diff(change{uri: "file:///w/a.go", kind: "edit"}, endings(lines, known)) {
		return nil
	}
	return a.scratch.blocks[0]
}

// apply applies a unified diff to a text strictly: every position and every context line must fit.
func apply(old, diff string) (string, error) {
	src := strings.SplitAfter(old, "\n")
	if src[len(src)-1] == "" {
		src = src[:len(src)-1]
	}
	lines := strings.Split(diff, "\n")
	if len(lines) < 2 || !strings.HasPrefix(lines[0], "--- ") || !strings.HasPrefix(lines[1], "+++ ") {
		return "", fmt.Errorf("no file headers")
	}
	var out strings.Builder
	at, made := 0, 0
	for k := 2; k < len(lines); {
		var os, on, ns, nn int
		if err := parseRange(lines[k], &os, &on, &ns, &nn); err != nil {
			return "", err
		}
		k++
		start := os - 1
		if on == 0 {
			start = os
		}
		for ; at < start; at++ {
			out.WriteString(src[at])
			made++
		}
		if want := ns - 1; nn > 0 && made != want || nn == 0 && made != ns {
			return "", fmt.Errorf("hunk %d starts at new line %d, header says %d", k, made+1, ns)
		}
		for on > 0 || nn > 0 {
			if k >= len(lines) || lines[k] == "" {
				return "", fmt.Errorf("hunk ends early")
			}
			op, text := lines[k][0], lines[k][1:]+"\n"
			k++
			if k < len(lines) && strings.HasPrefix(lines[k], `\`) {
				text = strings.TrimSuffix(text, "\n")
				k++
			}
			if op != '+' {
				if at >= len(src) || src[at] != text {
					return "", fmt.Errorf("old line %d does not match %q", at+1, text)
				}
				at++
				on--
			}
			if op != '-' {
				out.WriteString(text)
				made++
				nn--
			}
		}
	}
	for ; at < len(src); at++ {
		out.WriteString(src[at])
	}
	return out.String(), nil
}

func parseRange(line string, os, on, ns, nn *int) error {
	f := strings.Fields(line)
	if len(f) != 4 || f[0] != "@@" || f[3] != "@@" {
		return fmt.Errorf("no hunk header: %q", line)
	}
	for i, p := range [][2]*int{{os, on}, {ns, nn}} {
		first, count, found := strings.Cut(f[i+1][1:], ",")
		var err error
		if *p[0], err = strconv.Atoi(first); err != nil {
			return err
		}
		*p[1] = 1
		if found {
			if *p[1], err = strconv.Atoi(count); err != nil {
				return err
			}
		}
	}
	return nil
}

// randomText makes texts of few different lines, so that edits meet repeated and empty lines and both kinds of end.
func randomText(r *rand.Rand, lines int) string {
	var out strings.Builder
	for i := range r.IntN(lines + 1) {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString([]string{"", "a", "b", "func x() {", "}", "\tlong line", "a\r"}[r.IntN(7)])
	}
	if r.IntN(2) == 0 {
		out.WriteByte('\n')
	}
	return out.String()
}

// edited changes some lines of a text.
func edited(r *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	for range 1 + r.IntN(4) {
		i := r.IntN(len(lines) + 1)
		switch r.IntN(3) {
		case 0:
			lines = append(lines[:i:i], append([]string{"new " + strconv.Itoa(r.IntN(3))}, lines[i:]...)...)
		case 1:
			if i < len(lines) && len(lines) > 1 {
				lines = append(lines[:i:i], lines[i+1:]...)
			}
		default:
			if i < len(lines) {
				lines[i] = "changed"
			}
		}
	}
	return strings.Join(lines, "\n")
}

func TestDiffAppliesToTheOldText(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 6000 {
		old := randomText(r, 30)
		fresh := edited(r, old)
		if i%5 == 0 {
			fresh = randomText(r, 12)
		}
		lines := listed(old, fresh)
		if !sideIs(lines, '-', old) || !sideIs(lines, '+', fresh) {
			t.Fatalf("the list does not hold both sides of %q and %q", old, fresh)
		}
		block := diffOf(lines, true)
		if block == nil {
			if old != fresh {
				t.Fatalf("no diff from %q to %q", old, fresh)
			}
			continue
		}
		got, err := apply(old, block.GetText())
		if err != nil || got != fresh {
			t.Fatalf("from %q to %q: got %q, %v\n%s", old, fresh, got, err, block.GetText())
		}
		checkHunks(t, block)
	}
}

// checkHunks compares the positions of hunks with the text they are about.
func checkHunks(t *testing.T, block *doc.Block) {
	t.Helper()
	d, added, deleted := block.GetDiff(), uint32(0), uint32(0)
	for _, h := range d.GetHunks() {
		text := block.GetText()[h.GetTextOffset() : h.GetTextOffset()+h.GetTextLength()]
		var os, on, ns, nn int
		if err := parseRange(strings.SplitN(text, "\n", 2)[0], &os, &on, &ns, &nn); err != nil {
			t.Fatal(err)
		}
		if got := [4]uint32{h.GetOldStart(), h.GetOldLines(), h.GetNewStart(), h.GetNewLines()}; got != [4]uint32{uint32(os), uint32(on), uint32(ns), uint32(nn)} {
			t.Fatalf("hunk says %v, text says %s", got, text)
		}
		context := 0
		for _, line := range strings.Split(text, "\n")[1:] {
			switch line[0] {
			case '+':
				added++
				context = 0
			case '-':
				deleted++
				context = 0
			case ' ':
				if context++; context > 2*contextLines {
					t.Fatalf("too much context in\n%s", text)
				}
			}
		}
	}
	if added != d.GetAdditions() || deleted != d.GetDeletions() {
		t.Fatalf("counts %d and %d, the text has %d and %d", d.GetAdditions(), d.GetDeletions(), added, deleted)
	}
}

func TestDiffText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, old, fresh string
		known            bool
		want             string
	}{
		{"one line", "a\nb\nc\n", "a\nx\nc\n", true, "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c"},
		{"newline added at the end", "a", "a\n", true, "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a"},
		{"newline removed at the end", "a\n", "a", true, "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file"},
		{"end not known", "a\nb", "a\nc", false, "@@ -1,2 +1,2 @@\n a\n-b\n+c"},
		{"into an empty file", "", "a\n", true, "@@ -0,0 +1 @@\n+a"},
		{"everything deleted", "a\nb\n", "", true, "@@ -1,2 +0,0 @@\n-a\n-b"},
		{
			"two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n2\n3\n4\n5\n6\n7\n8\n0\n", true,
			"@@ -1,4 +1,4 @@\n-1\n+0\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+0",
		},
		{
			"gap of six stays one hunk", "1\n2\n3\n4\n5\n6\n7\n8\n", "0\n2\n3\n4\n5\n6\n7\n0\n", true,
			"@@ -1,8 +1,8 @@\n-1\n+0\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+0",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			const head = "--- /w/a.go\n+++ /w/a.go\n"
			if got := diffOf(listed(tt.old, tt.fresh), tt.known).GetText(); got != head+tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, head+tt.want)
			}
		})
	}
}

package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"agy-reader/host/facts"
)

// Widths of the table of conversations, in columns of a terminal.
const (
	fullIDs     = 136 // from here on ids stand in full
	withSizes   = 100 // from here on sizes are shown, and longer names of projects
	titleInPipe = 70
)

// printSessions prints the table: for a terminal as wide as that, with the shortest ids that are enough; for a pipe with
// whole ids.
func (a *app) printSessions(rows []listed) error {
	width := 0
	if file, ok := a.streams.Out.(*os.File); ok && isTerminal(file) {
		if w, _, err := term.GetSize(int(file.Fd())); err == nil && w > 0 {
			width = w
		} else {
			width = 80
		}
	}
	out := bufio.NewWriter(a.streams.Out)
	writeTable(out, rows, width)
	return out.Flush()
}

// writeTable writes the rows so that no line is wider than width, from 80 on; 0 is a pipe.
func writeTable(out io.Writer, rows []listed, width int) {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	if width > 0 && width < fullIDs {
		ids = shortIDs(ids)
	}
	roomy := width == 0 || width >= withSizes
	heads := []string{"ID", "UPDATED (UTC)", "SURFACE", "PROJECT", "STEPS", "SIZE", "TITLE"}
	if !roomy {
		heads = slices.Delete(heads, 5, 6)
	}
	lines := [][]string{heads}
	for i, row := range rows {
		lines = append(lines, row.cells(ids[i], roomy))
	}
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
		}
	}
	last := len(widths) - 1
	widths[last] = titleInPipe
	if width > 0 {
		used := 0
		for _, w := range widths[:last] {
			used += w + 2
		}
		widths[last] = max(width-used, len("TITLE"))
	}
	for n, line := range lines {
		var b strings.Builder
		for i, cell := range line[:last] {
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell)+2))
		}
		b.WriteString(fit(line[last], widths[last]))
		fmt.Fprintln(out, b.String())
		if n > 0 && rows[n-1].Error != "" {
			reason := "  not readable: " + printable(rows[n-1].Error)
			if width > 0 {
				reason = fit(reason, max(width, 80))
			}
			fmt.Fprintln(out, reason)
		}
	}
}

// cells are the columns of one conversation; all but the title are short.
func (l *listed) cells(id string, roomy bool) []string {
	updated, steps, title := "unknown", "?", "(title not recorded)"
	if l.Updated != nil {
		updated = strings.Replace((*l.Updated)[:len("2006-01-02T15:04")], "T", " ", 1)
	}
	if l.Steps != nil {
		if steps = fmt.Sprint(*l.Steps); l.StepsOrigin == byLastIndex {
			steps = "~" + steps
		}
	}
	if l.Title != nil {
		title = printable(*l.Title)
	}
	project := printable(l.projectCell())
	if !roomy {
		return []string{fit(printable(id), 16), updated, l.Surface, fit(project, 15), steps, title}
	}
	return []string{fit(printable(id), 40), updated, l.Surface, fit(project, 18), steps, size(l.Bytes), title}
}

// projectCell is the project as one word or two. One that is not known is said so.
func (l *listed) projectCell() string {
	switch {
	case l.ProjectName != nil:
		return *l.ProjectName
	case l.Project != nil:
		return facts.Base(*l.Project)
	case strings.HasPrefix(l.ProjectOrigin, "none"):
		none, _, _ := strings.Cut(l.ProjectOrigin, ":")
		return none
	default:
		return "unknown project"
	}
}

// shortIDs cuts ids to as many characters as are enough to tell them from each other, eight at least.
func shortIDs(ids []string) []string {
	for length := 8; ; length += 4 {
		short, seen := make([]string, len(ids)), map[string]bool{}
		for i, id := range ids {
			short[i] = id[:min(length, len(id))]
			seen[short[i]] = true
		}
		if len(seen) == len(ids) || length > 36 {
			return short
		}
	}
}

// fit cuts text to a number of columns, between characters as people see them.
func fit(s string, width int) string {
	if uniseg.StringWidth(s) <= width {
		return s
	}
	var b strings.Builder
	used := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if used += g.Width(); used > width-1 {
			break
		}
		b.WriteString(g.Str())
	}
	return b.String() + "…"
}

// size is a byte count for people.
func size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	default:
		return fmt.Sprintf("%d KB", (n+1023)>>10)
	}
}

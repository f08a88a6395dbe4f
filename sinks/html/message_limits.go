package html

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Reading Markdown takes quadratic time on some inputs. Texts beyond these limits are shown as they are; each limit is
// far above what any message holds and keeps the worst case near one second.
const (
	maxMarkdown  = 256 << 10
	maxLinks     = 5000
	maxEmphasis  = 30000
	maxContainer = 100
	// Every row of a table is filled up to the width of its head.
	maxCells = 100_000
	// Browsers flatten a document that nests elements deeper than about 500.
	maxNesting = 150
)

// unreadable says in words why source is not read as Markdown, or returns the empty string.
func unreadable(source string) string {
	switch {
	case len(source) > maxMarkdown:
		return "longer than 256 KiB"
	case strings.Count(source, "](") > maxLinks:
		return "too many links"
	case strings.Count(source, "*")+strings.Count(source, "_") > maxEmphasis:
		return "too many emphasis marks"
	case mostCells(source) > maxCells:
		return "a table too large"
	case maxContainers(source) > maxContainer:
		return "nested too deeply"
	}
	return ""
}

// mostCells bounds the cells of all tables: the widest line that can be the second of a table, on every line.
func mostCells(source string) int {
	columns, lines := 0, 0
	for line := range strings.Lines(source) {
		lines++
		if strings.Contains(line, "-") && strings.Trim(line, "|-: \t\r\n>*+.0123456789)") == "" {
			columns = max(columns, strings.Count(line, "|")+1)
		}
	}
	return columns * lines
}

// maxContainers counts the quote and list marks at the start of each line and returns the highest count.
func maxContainers(source string) int {
	most := 0
	for line := range strings.Lines(source) {
		n := 0
	marks:
		for i := range len(line) {
			switch line[i] {
			case '>':
				n++
			case ' ', '\t':
				if i > 0 && strings.IndexByte("-*+.)", line[i-1]) >= 0 {
					n++
				}
			case '-', '*', '+', '.', ')', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			default:
				break marks
			}
		}
		most = max(most, n)
	}
	return most
}

// deeperThan reports whether the tree below node has more than limit levels.
func deeperThan(node ast.Node, limit int) bool {
	if limit < 0 {
		return true
	}
	for c := node.FirstChild(); c != nil; c = c.NextSibling() {
		if deeperThan(c, limit-1) {
			return true
		}
	}
	return false
}

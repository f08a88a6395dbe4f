package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

var heading = []string{"row", "what", "measured", "goal", "floor", "verdict", "note"}

// widths of the columns but the last; results are printed as they come, so they are fixed.
var widths = []int{5, 70, 14, 12, 12, 9}

func printLine(w io.Writer, columns []string) {
	var line strings.Builder
	for i, column := range columns {
		line.WriteString(column)
		if i < len(widths) {
			line.WriteString(strings.Repeat(" ", max(1, widths[i]-utf8.RuneCountInString(column))))
		}
	}
	fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
}

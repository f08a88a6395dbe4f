package diag

import (
	"fmt"
	"strings"
)

// Table is the exit codes as a Markdown table, one row a code in ascending order, as the README shows it.
func Table() string {
	var b strings.Builder
	b.WriteString("| code | meaning |\n| --- | --- |\n")
	for _, c := range codes() {
		fmt.Fprintf(&b, "| %d | %s |\n", c.code, c.meaning)
	}
	return b.String()
}

package diag_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"agy-reader/host/diag"
)

var update = flag.Bool("update", false, "rewrite the table in README.md")

// TestReadmeShowsTheTable: people read the exit codes in the README, programs get them from Explain.
func TestReadmeShowsTheTable(t *testing.T) {
	const path = "../../README.md"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	readme := string(raw)
	if strings.Contains(readme, diag.Table()) {
		return
	}
	start := strings.Index(readme, "### Exit codes\n\n")
	if !*update || start < 0 {
		t.Fatalf("README.md does not hold the table of exit codes:\n%s", diag.Table())
	}
	start += len("### Exit codes\n\n")
	end := start + strings.Index(readme[start:], "\n\n") + 1
	if err := os.WriteFile(path, []byte(readme[:start]+diag.Table()+readme[end:]), 0o644); err != nil {
		t.Fatal(err)
	}
}

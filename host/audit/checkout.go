package audit

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"

	"agy-reader/host/audit/record"
	"agy-reader/sources/regular"
)

// FindCheckout returns the checkout of this program that a folder lies in, empty when it lies in none.
func FindCheckout(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, record.FileName)); err == nil && IsModule(dir) {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}

// IsModule reports whether a folder holds the Go module of this program.
func IsModule(dir string) bool {
	in, err := regular.Open(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	return lines.Scan() && strings.TrimSpace(lines.Text()) == "module agy-reader"
}

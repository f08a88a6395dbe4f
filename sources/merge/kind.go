package merge

import (
	"bytes"
	"io"
	"strings"

	"agy-reader/sources/regular"
)

// magic starts every SQLite database that is not empty.
const magic = "SQLite format 3\x00"

// kindOf is the ending that a session file of this path should have: its own, whatever its case, but a database is known by
// its content, too.
func kindOf(path, ending string) string {
	switch kind := strings.ToLower(ending); kind {
	case ".db", ".pb", "":
		if path == "" || kind != "" {
			return kind
		}
	}
	if !isFile(path) {
		return ending
	}
	file, err := regular.Open(path)
	if err != nil {
		return ending
	}
	defer file.Close()
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(file, head); err == nil && bytes.Equal(head, []byte(magic)) {
		return ".db"
	}
	return ending
}

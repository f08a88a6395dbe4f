package merge_test

import (
	"encoding/binary"
	"os"
	"testing"
)

// spoil overwrites one leaf page of the table of steps, in the middle of the file, and returns its number.
func spoil(t testing.TB, path string) int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size := int(binary.BigEndian.Uint16(data[16:]))
	const leaf = 0x0d
	pages := len(data) / size
	for page := pages / 2; page < pages; page++ {
		at := page * size
		if data[at] == leaf && binary.BigEndian.Uint16(data[at+3:]) > 4 {
			clear(data[at : at+size])
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			return page
		}
	}
	return 0
}

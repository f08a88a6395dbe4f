package merge_test

import (
	"encoding/binary"
	"os"
	"testing"
)

// spoil overwrites one leaf page of the table of steps, in the middle of the file, and returns how many that are.
func spoil(t testing.TB, path string) int {
	t.Helper()
	return spoilPages(t, path, 1)
}

// spoilPages overwrites up to so many leaf pages of the table of steps.
func spoilPages(t testing.TB, path string, most int) (spoilt int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size := int(binary.BigEndian.Uint16(data[16:]))
	const leaf = 0x0d
	pages := len(data) / size
	from := pages / 2
	if most > 1 {
		from = 1
	}
	for page := from; page < pages && spoilt < most; page++ {
		at := page * size
		if data[at] == leaf && binary.BigEndian.Uint16(data[at+3:]) > 4 {
			clear(data[at : at+size])
			spoilt++
		}
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return spoilt
}

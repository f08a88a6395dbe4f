package endpoint

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func collect(data []byte) (lines []string) {
	for line, whole := range backward(bytes.NewReader(data), int64(len(data))) {
		if !whole {
			line = []byte("<gap>")
		}
		lines = append(lines, string(line))
	}
	return lines
}

func TestBackward(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxChunk+5)
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"empty":            {"", nil},
		"no end":           {"a\nb", []string{"b", "a"}},
		"Windows":          {"a\r\nb\r\n", []string{"b", "a"}},
		"empty lines":      {"a\n\n\nb\n", []string{"b", "", "", "a"}},
		"long first":       {long + "\na\n", []string{"a"}},
		"long between":     {"a\n" + long + "\nb\n", []string{"b", "a"}},
		"long last":        {"a\nb\n" + long, []string{"b", "a"}},
		"exactly a chunk":  {"a\n" + long[:maxChunk-1] + "\n", []string{"a"}},
		"one line a chunk": {"a\n" + long[:maxChunk-2] + "\n", []string{long[:maxChunk-2], "a"}},
	} {
		if diff := cmp.Diff(test.want, collect([]byte(test.text))); diff != "" {
			t.Errorf("%s: %.300s", name, diff)
		}
	}
	var text strings.Builder
	for i := range 400_000 {
		text.WriteString(strings.Repeat("y", i%37) + "\n")
	}
	want := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	slices.Reverse(want)
	got := collect([]byte(text.String()))
	if !slices.Equal(want, got) {
		t.Errorf("%d lines of %d", len(got), len(want))
	}
}

// A log of a gigabyte costs no more than its two ends, and the port is found at either.
func TestHugeLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cli.log")
	first, last := "I0616 21:38:08.605102  3516 server.go:512] Language server listening on random port at 1111 for HTTP\n", "\nI0616 21:38:08.605102  3516 server.go:512] Language server listening on random port at 2222 for HTTP\n"
	if err := os.WriteFile(path, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const size = 1 << 30
	if err := file.Truncate(size); err != nil {
		t.Skip(err)
	}
	read := func() int {
		start := time.Now()
		f := New(testEnvironment("", nil))
		dir, err := resolved(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		log, err := f.openLog(dir, "cli.log")
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		port, _ := log.port()
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("took %v", took)
		}
		return port
	}
	if got := read(); got != 1111 {
		t.Errorf("at the beginning: %d", got)
	}
	if _, err := file.WriteAt([]byte(last), size-int64(len(last))); err != nil {
		t.Fatal(err)
	}
	if got := read(); got != 2222 {
		t.Errorf("at the end: %d", got)
	}
}

func FuzzBackward(f *testing.F) {
	f.Add([]byte("a\n\nb\r\nc"), uint16(3))
	f.Add([]byte("\n"), uint16(0))
	f.Fuzz(func(t *testing.T, data []byte, stretch uint16) {
		// Stretched, so that chunks begin at any place.
		data = append(data, bytes.Repeat([]byte("0123456789\n"), int(stretch)*4)...)
		var want []string
		if len(data) > 0 {
			want = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		}
		slices.Reverse(want)
		for i := range want {
			want[i] = strings.TrimSuffix(want[i], "\r")
		}
		got := collect(data)
		longest := 0
		for _, line := range want {
			longest = max(longest, len(line))
		}
		if longest < maxChunk/2 && !slices.Equal(want, got) {
			t.Errorf("%d lines of %d", len(got), len(want))
		}
	})
}

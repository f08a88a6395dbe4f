package artifact

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkPublishInOrder(b *testing.B) {
	dir := b.TempDir()
	block := bytes.Repeat([]byte("0123456789abcdef"), 1<<12)
	b.SetBytes(int64(len(block)) * 256)
	for b.Loop() {
		s, err := Open(dir, Options{Force: true})
		if err != nil {
			b.Fatal(err)
		}
		w, err := s.Create("a.bin", "x/y", 0)
		if err != nil {
			b.Fatal(err)
		}
		for range 256 {
			if _, err := w.Write(block); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Commit(background()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPublishSmall(b *testing.B) {
	dir := b.TempDir()
	for i := range 1500 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		s, err := Open(dir, Options{Force: true})
		if err != nil {
			b.Fatal(err)
		}
		w, err := s.Create("a.md", "text/markdown", 0)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := w.Write([]byte("small")); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Commit(background()); err != nil {
			b.Fatal(err)
		}
	}
}

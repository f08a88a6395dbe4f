// Command generate writes synthetic sessions for the benchmark: the product's tables and schema, texts from the Go
// distribution and from the documents of Go modules, so that sizes, line lengths, fences and characters to escape are
// those of real work. Equal arguments, Go version and modules give equal content.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	kind := flag.String("kind", "heavy", "heavy, light, messages or giant; log for a store with transcript logs only")
	steps := flag.Int("steps", 1000, "number of steps")
	size := flag.Int("size", 100<<20, "bytes of the one big step of a giant session")
	seed := flag.Uint64("seed", 1, "another seed is another session")
	out := flag.String("out", "", "database to write, or an encrypted file if it ends in .pb; a session of messages leaves its texts in OUT.md, too")
	files := flag.Int("files", 0, "write this many sessions into the folder OUT")
	flag.Parse()
	if err := run(*kind, *steps, *size, *seed, *out, *files); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(kind string, steps, size int, seed uint64, out string, files int) error {
	mix, known := mixes[kind]
	if !known && kind != "log" {
		return fmt.Errorf("no kind %q", kind)
	}
	texts, err := loadTexts()
	if err != nil {
		return err
	}
	if kind == "log" {
		return writeLogs(texts, seed, out, steps)
	}
	if files == 0 {
		return newSession(texts, mix, seed).write(out, steps, size)
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return err
	}
	for i := range files {
		s := newSession(texts, mix, seed+uint64(i))
		if err := s.write(fmt.Sprintf("%s/%s.db", out, s.id), steps, size); err != nil {
			return err
		}
	}
	return nil
}

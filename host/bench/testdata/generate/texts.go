package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// texts are real words to fill steps with.
type texts struct {
	// code are the lines of Go source files, prose the paragraphs of Markdown files.
	code, prose []string
}

// loadTexts reads a part of the Go distribution's source, and the Markdown files of the modules this one needs.
func loadTexts() (*texts, error) {
	t := &texts{}
	root, err := goCommand("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	for _, folder := range []string{"net/http", "encoding", "database", "go/printer", "html"} {
		err := each(filepath.Join(root, "src", folder), ".go", func(text string) {
			t.code = append(t.code, strings.SplitAfter(text, "\n")...)
		})
		if err != nil {
			return nil, err
		}
	}
	modules, err := goCommand("list", "-m", "-f", "{{if and .Dir (not .Main)}}{{.Dir}}{{end}}", "all")
	if err != nil {
		return nil, err
	}
	for _, folder := range strings.Fields(modules) {
		found, err := filepath.Glob(filepath.Join(folder, "README*.md"))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			t.prose = append(t.prose, paragraphs(strings.ToValidUTF8(string(text), "?"))...)
		}
	}
	if len(t.code) < 10_000 || len(t.prose) < 100 {
		return nil, fmt.Errorf("only %d lines of code and %d paragraphs found", len(t.code), len(t.prose))
	}
	return t, nil
}

func goCommand(args ...string) (string, error) {
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// each reads every file below a folder in the order of names.
func each(folder, suffix string, use func(text string)) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			use(strings.ToValidUTF8(string(text), "?"))
		}
		return err
	})
}

// paragraphs cuts a Markdown file at blank lines outside fences.
func paragraphs(text string) []string {
	var all []string
	var current strings.Builder
	fenced := false
	for line := range strings.SplitAfterSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		current.WriteString(line)
		if !fenced && strings.TrimSpace(line) == "" {
			all = append(all, current.String())
			current.Reset()
		}
	}
	return all
}

// lines returns consecutive lines of code of about size bytes.
func (t *texts) lines(r *rand.Rand, size int) []string {
	return consecutive(t.code, r, size)
}

// source is lines as one text.
func (t *texts) source(r *rand.Rand, size int) string { return strings.Join(t.lines(r, size), "") }

// words returns consecutive paragraphs of about size bytes.
func (t *texts) words(r *rand.Rand, size int) string {
	return strings.TrimSpace(strings.Join(consecutive(t.prose, r, size), ""))
}

func consecutive(all []string, r *rand.Rand, size int) []string {
	from := r.IntN(len(all))
	var out []string
	for bytes := 0; bytes < size; from++ {
		piece := all[from%len(all)]
		if room := size - bytes; len(piece) > room+200 {
			piece = strings.ToValidUTF8(piece[:room], "") + "\n"
		}
		out = append(out, piece)
		bytes += len(piece)
	}
	return out
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goPrograms are built from testdata, every one in a folder of its name.
var goPrograms = []string{"measure", "generate", "scan", "protojson", "hello"}

// missingTools lists those that are not installed.
func missingTools(tools []string) string {
	var missing []string
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			missing = append(missing, tool)
		}
	}
	return strings.Join(missing, ", ")
}

// program is the path of a program that build makes.
func (b *bench) program(name string) string { return filepath.Join(b.bin, name) }

// testdata is the path of a file that needs no building.
func (b *bench) testdata(name string) string {
	return filepath.Join(b.root, "host", "bench", "testdata", name)
}

// build makes agy-reader as `make build` does, and the Go programs of testdata. What is written in C is made by the rows that
// need it.
func (b *bench) build() error {
	if err := b.command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.program("agy-reader"), "."); err != nil {
		return err
	}
	for _, name := range goPrograms {
		if err := b.command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.program(name), "./host/bench/testdata/"+name); err != nil {
			return err
		}
	}
	// A plugin is a file without arguments: a script for every sink of our own binary.
	for _, sink := range []string{"markdown", "json", "html"} {
		script := fmt.Sprintf("#!/bin/sh\nexec '%s' serve-sink %s\n", b.program("agy-reader"), sink)
		if err := os.WriteFile(b.program("plugin-"+sink), []byte(script), 0o700); err != nil { //nolint:gosec // it is a program
			return err
		}
	}
	return nil
}

// cdump is the C program, built on first use.
func (b *bench) cdump() (string, error) {
	path := b.program("cdump")
	if b.compiled {
		return path, nil
	}
	if err := b.command("cc", "-O2", "-o", path, b.testdata("cdump.c"), "-lsqlite3"); err != nil {
		return "", fmt.Errorf("%w (it needs the headers of SQLite: libsqlite3-dev)", err)
	}
	b.compiled = true
	return path, nil
}

// command runs a program to its end, in the folder of the module.
func (b *bench) command(name string, args ...string) error {
	cmd := exec.CommandContext(b.ctx, name, args...)
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}

// python is the interpreter itself, not a script that chooses one.
func python() (string, error) {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output() //nolint:noctx // ends at once
	if err != nil {
		return "", fmt.Errorf("python3: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

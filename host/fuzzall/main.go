// Command fuzzall runs every fuzz target of the module for a short time, one after the other, as part of `make check`.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	each := flag.Duration("time", 5*time.Second, "how long each target runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := all(ctx, *each); err != nil {
		fmt.Fprintln(os.Stderr, "fuzzall:", err)
		os.Exit(1)
	}
}

func all(ctx context.Context, each time.Duration) error {
	targets, err := find(".")
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return errors.New("no fuzz target found")
	}
	for _, t := range targets {
		fmt.Printf("%s %s\n", t.pkg, t.name)
		var output bytes.Buffer
		// Left to itself, the Go tool spends up to a minute, and so all of the time, on making one new input smaller.
		command := exec.CommandContext(ctx, "go", "test", "-run=^$", "-fuzz=^"+t.name+"$", "-fuzztime="+each.String(), "-fuzzminimizetime=10x", t.pkg)
		command.Stdout, command.Stderr = io.MultiWriter(os.Stdout, &output), os.Stderr
		if err := command.Run(); err != nil && !outOfTime(output.String()) {
			return fmt.Errorf("%s %s: %w", t.pkg, t.name, err)
		}
	}
	return nil
}

// outOfTime reports whether a run failed for no other reason than that its time was up while a worker was busy: the Go tool
// then says so and names no input. A real failure always leaves its input.
func outOfTime(output string) bool {
	return strings.Contains(output, "\n    context deadline exceeded\n") && !strings.Contains(output, "Failing input written to") &&
		!strings.Contains(output, "failure while testing seed corpus entry")
}

type target struct{ pkg, name string }

var declaration = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

func find(root string) ([]target, error) {
	var targets []target
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, match := range declaration.FindAllSubmatch(source, -1) {
			targets = append(targets, target{pkg: "./" + filepath.ToSlash(filepath.Dir(path)), name: string(match[1])})
		}
		return nil
	})
	return targets, err
}

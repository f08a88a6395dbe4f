package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	gates := flag.Bool("gates", false, "only rows of CPU, memory and allocations, on smaller data")
	only := flag.String("only", "", "comma-separated `ROWS` to run")
	rounds := flag.Int("rounds", 5, "pairs of runs a ratio is the median of")
	devnull := flag.Bool("devnull", false, "throw output away: references write nothing, agy-reader still spools")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, &bench{rounds: *rounds, devnull: *devnull}, *gates, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is one run of the suite.
type bench struct {
	ctx context.Context //nolint:containedctx // a run lives as long as the program
	// root is the folder of the module, cache where data is kept, bin where programs are built, scratch where they write.
	root, cache, bin, scratch string
	rounds                    int
	sessions                  sessions
	compiled, devnull         bool
	known                     map[string][]pair
	alone                     map[string][]taken
}

func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
}

func run(ctx context.Context, b *bench, gates bool, only string) error {
	b.ctx, b.sessions, b.known, b.alone = ctx, sessionsFor(gates), map[string][]pair{}, map[string][]taken{}
	start := time.Now()
	chosen, err := choose(allRows(), gates, only)
	if err != nil {
		return err
	}
	if err := b.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(b.scratch)
	b.say("building")
	if err := b.build(); err != nil {
		return err
	}
	printLine(os.Stdout, heading)
	var below []string
	for _, r := range chosen {
		result := r.run(b)
		printLine(os.Stdout, result.line())
		if result.verdict == failed {
			below = append(below, r.id)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	b.say("%d rows in %s", len(chosen), time.Since(start).Round(time.Second))
	if len(below) > 0 {
		return fmt.Errorf("below the floor: rows %s", strings.Join(below, ", "))
	}
	return nil
}

// choose picks rows by number; a number that no row has is an error.
func choose(rows []row, gates bool, only string) ([]row, error) {
	var wanted []string
	if only != "" {
		wanted = strings.Split(only, ",")
	}
	used := map[string]bool{}
	var chosen []row
	for _, r := range rows {
		number := strings.TrimRight(r.id, "abcdef")
		if gates && !r.gate || wanted != nil && !slices.Contains(wanted, r.id) && !slices.Contains(wanted, number) {
			continue
		}
		used[r.id], used[number] = true, true
		chosen = append(chosen, r)
	}
	for _, id := range wanted {
		if !used[id] {
			return nil, fmt.Errorf("no row %q", id)
		}
	}
	return chosen, nil
}

// prepare makes the folders.
func (b *bench) prepare() error {
	out, err := exec.CommandContext(b.ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return fmt.Errorf("find the module: %w", err)
	}
	b.root = filepath.Dir(strings.TrimSpace(string(out)))
	if b.root == "." {
		return errors.New("not inside the module")
	}
	version, err := versionOf(b.root)
	if err != nil {
		return err
	}
	b.cache = filepath.Join(os.TempDir(), fmt.Sprintf("agy-reader-bench-%d", os.Getuid()), version)
	b.bin = filepath.Join(b.cache, "bin")
	if err := os.MkdirAll(b.bin, 0o700); err != nil {
		return err
	}
	memory := "/dev/shm"
	if info, err := os.Stat(memory); err != nil || !info.IsDir() {
		memory = ""
	}
	b.scratch, err = os.MkdirTemp(memory, "agy-reader-bench-")
	return err
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// watched is how many sessions the watcher of the rows has, ticks how many times it looks at them.
const watched, ticks = 1000, 40

// watchRows: a watcher whose sessions are all verified and do not change. Both rows are of the same runs.
func watchRows() []row {
	var rest, full float64
	measure := func(of func() float64) func(b *bench) (float64, string, error) {
		return func(b *bench) (_ float64, _ string, err error) {
			if full == 0 {
				if rest, full, err = b.watch(); err != nil {
					return 0, "", err
				}
			}
			return of(), versus(1000*rest, 1000*full, "ms"), nil
		}
	}
	return []row{
		{
			id: "Ta", what: "watch at rest over 1,000 sessions, cpu of a tick", unit: " ms", limits: limits{goal: 25, floor: 50}, gate: true,
			measure: measure(func() float64 { return 1000 * rest }),
		},
		{
			id: "Tb", what: "watch at rest, cpu of a tick ÷ a full check", limits: limits{goal: 0.01, floor: 0.02}, gate: true,
			measure: measure(func() float64 { return rest / full }),
		},
	}
}

// watch returns the seconds of CPU of a tick in which everything is reused, and of one in which everything is checked.
func (b *bench) watch() (rest, full float64, err error) {
	folder, err := b.data(manySmall(watched))
	if err != nil {
		return 0, 0, err
	}
	root, err := b.storeOf(folder)
	if err != nil {
		return 0, 0, err
	}
	if err := b.sidecars(root); err != nil {
		return 0, 0, err
	}
	cache := filepath.Join(b.scratch, "verified")
	// Nobody listens there, so the watcher ends by itself after as many ticks as it is told to wait for.
	run := func(cache string, n int) (taken, error) {
		c := command{path: b.program("agy-reader"), args: []string{"--watch", "--root", root, "--watch-interval=1ms", fmt.Sprintf("--watch-idle-timeout=%dms", n)}}
		return b.take(c.with("XDG_CACHE_HOME=" + cache).with("ANTIGRAVITY_DAEMON_URL=http://127.0.0.1:1"))
	}
	var rests, fulls []float64
	for i := range 3 {
		empty := filepath.Join(b.scratch, fmt.Sprintf("unverified-%d", i))
		var all [3]taken
		for at, r := range []struct {
			cache string
			ticks int
		}{{empty, 1}, {cache, 1}, {cache, 1 + ticks}} {
			if all[at], err = run(r.cache, r.ticks); err != nil {
				return 0, 0, err
			}
			if at == 1 && i == 0 { // the first one with this cache fills it
				if all[at], err = run(r.cache, r.ticks); err != nil {
					return 0, 0, err
				}
			}
		}
		if err := os.RemoveAll(empty); err != nil {
			return 0, 0, err
		}
		fulls = append(fulls, cpu(all[0]))
		rests = append(rests, (cpu(all[2])-cpu(all[1]))/ticks)
	}
	return median(rests), median(fulls), os.RemoveAll(cache)
}

// sidecars lets a watcher write all sidecars of a store, from the answers of the stand-in daemon.
func (b *bench) sidecars(root string) error {
	agy := b.program("agy")
	if err := b.command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", agy, "./host/agytest/agy"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Minute)
	defer cancel()
	daemon := exec.CommandContext(ctx, agy, "-root", root)
	said, err := daemon.StdoutPipe()
	if err != nil {
		return err
	}
	if err := daemon.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(said)
	_, err = lines.ReadString('\n')                   // it listens
	go func() { _, _ = io.Copy(io.Discard, lines) }() // until it ends
	if err == nil {
		err = b.syncAll(ctx, root)
	}
	err = errors.Join(err, daemon.Process.Kill())
	_ = daemon.Wait() // it was killed
	return err
}

// syncAll runs a watcher until one tick has found everything as it should be.
func (b *bench) syncAll(ctx context.Context, root string) error {
	watcher := exec.CommandContext(ctx, b.program("agy-reader"), "--watch", "--root", root, "--watch-interval=10ms")
	watcher.Env = append(os.Environ(), "XDG_CACHE_HOME="+b.scratch)
	said, err := watcher.StderrPipe()
	if err != nil {
		return err
	}
	if err := watcher.Start(); err != nil {
		return err
	}
	done := false
	last := ""
	for lines := bufio.NewScanner(said); lines.Scan(); {
		last = lines.Text()
		if !done && strings.Contains(last, fmt.Sprintf("tick: 0 synced, 0 skipped, %d up-to-date, 0 failed", watched)) {
			done = true
			if err := watcher.Process.Signal(os.Interrupt); err != nil {
				return err
			}
		}
	}
	if err := watcher.Wait(); err != nil {
		return fmt.Errorf("watch %s: %w: %s", root, err, last)
	}
	return nil
}

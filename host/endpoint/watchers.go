package endpoint

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"time"

	"agy-reader/host/store"
)

// Watcher is a process that keeps sidecars fresh: `agy-reader --watch`.
type Watcher struct {
	PID int
	// Roots are the stores it covers, with absolute paths. Without Known it cannot be told which: its environment decides,
	// and cannot be read.
	Roots []store.Root
	Known bool
}

// Covers reports whether the watcher keeps the sidecars of a store fresh.
func (w Watcher) Covers(root store.Root) bool {
	want, err := resolved(root.Path)
	if err != nil {
		want = filepath.Clean(root.Path)
	}
	return slices.ContainsFunc(w.Roots, func(r store.Root) bool {
		path, err := resolved(r.Path)
		return err == nil && path == want || r.Path == want
	})
}

// Watchers returns the watchers of our own user (behaviour.md j). The error is of the kind ErrUnknown when processes cannot be
// looked at: on other systems than Linux, or without a proc file system.
func (f *Finder) Watchers(ctx context.Context) ([]Watcher, error) {
	if f.goos != "linux" {
		return nil, fmt.Errorf("%w: only Linux tells", ErrUnknown)
	}
	processes, err := f.proc.Processes(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	var all []Watcher
	for _, p := range processes {
		args, whole, err := p.Args()
		if err != nil || !whole || len(args) == 0 || path.Base(args[0]) != "agy-reader" {
			continue
		}
		explicit, is := WatchArguments(args[1:])
		if !is {
			continue
		}
		w := Watcher{PID: p.PID, Known: true}
		env := store.Environment{Getenv: func(string) string { return "" }}
		if len(explicit) == 0 {
			variables, err := p.Environ()
			w.Known = err == nil
			env = store.Environment{Home: variables["HOME"], Getenv: func(name string) string { return variables[name] }}
		}
		if w.Known {
			cwd, err := p.Cwd()
			w.Roots = store.Roots(explicit, env)
			for i, root := range w.Roots {
				if !filepath.IsAbs(root.Path) {
					w.Known = w.Known && err == nil
					w.Roots[i].Path = filepath.Join(cwd, root.Path)
				}
			}
		}
		if p.Check() == nil {
			all = append(all, w)
		}
	}
	return all, nil
}

// WatchArguments reads the arguments of an agy-reader process by the rules of package flag, which are the reference's: flags
// come first, --watch=false is none, and nothing counts behind an argument or "--". It returns whether such a process watches,
// and the roots it was told. A flag that it does not know is one that ends such a process at once.
func WatchArguments(args []string) (roots []string, is bool) {
	flags := flag.NewFlagSet("agy-reader", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	for _, name := range []string{"list", "include-implicit", "sync"} {
		flags.Bool(name, false, "")
	}
	for _, name := range []string{"format", "out"} {
		flags.String(name, "", "")
	}
	watch := flags.Bool("watch", false, "")
	interval := flags.Duration("watch-interval", time.Second, "")
	flags.Duration("watch-idle-timeout", 0, "")
	flags.Func("root", "", func(path string) error {
		roots = append(roots, path)
		return nil
	})
	if flags.Parse(args) != nil || !*watch || *interval <= 0 {
		return nil, false // such a process ends at once
	}
	return roots, true
}

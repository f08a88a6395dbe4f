package parents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/sources/regular"
)

// Stamp resolves all sidecars in dir and stamps the parents that are certain; see the package comment. A folder that is
// missing holds none. A sidecar that cannot be read is a diagnostic; one that cannot be written is in the error, and the
// others go on. A folder that cannot be read is an error at once.
func Stamp(ctx context.Context, dir string, repair bool) (Report, error) {
	names, err := list(dir)
	if err != nil {
		return Report{}, err
	}
	nodes := make([]*node, 0, len(names))
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return Report{}, err
		}
		n := &node{file: name}
		n.facts, n.err = load(ctx, filepath.Join(dir, name))
		nodes = append(nodes, n)
	}
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	r := Report{Scanned: len(nodes)}
	plan := newGraph(nodes).decide(&r, repair)
	var failures []error
	for _, n := range nodes {
		to, change := plan[n]
		if change && ctx.Err() == nil {
			changed, err := apply(filepath.Join(dir, n.file), n, to)
			if err != nil {
				failures = append(failures, err)
			}
			change = changed
		}
		switch {
		case change && to != "" && ctx.Err() == nil:
			r.Stamped++
		case change && ctx.Err() == nil:
			r.Cleared++
		case n.err == nil && n.stamped && store.IsID(n.stamp):
			r.Unchanged++
		default:
			r.Unresolved++
		}
	}
	r.sort()
	return r, errors.Join(append(failures, ctx.Err())...)
}

// list are the names of what looks like a sidecar in a folder, sorted.
func list(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list sidecars: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), sidecar.Suffix) && !strings.HasPrefix(entry.Name(), ".") {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

func load(ctx context.Context, path string) (facts, error) {
	in, err := sidecar.Open(path)
	if err != nil {
		return facts{}, err
	}
	defer in.Close()
	return read(interruptible{ctx, in})
}

// interruptible ends a long scan.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

func (i interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.in.Read(p)
}

// apply writes one stamp, unless somebody else changed it since it was read.
func apply(path string, n *node, to string) (bool, error) {
	return sidecar.Change(path, func(b *sidecar.Block) {
		if stamp, stamped := b.Parent(); stamp == n.stamp && stamped == n.stamped {
			b.SetParent(to)
		}
	})
}

// reason is why a sidecar cannot be read, without its folder's path.
func reason(err error) string {
	if errors.Is(err, regular.ErrLink) {
		return regular.ErrLink.Error()
	}
	text := strings.ReplaceAll(err.Error(), "jsontext: ", "")
	if _, after, found := strings.Cut(text, sidecar.Suffix+": "); found {
		return after
	}
	return text
}

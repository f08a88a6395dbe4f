package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"agy-reader/host/builtin"
	"agy-reader/host/diag"
	"agy-reader/host/endpoint"
	"agy-reader/host/registry"
	"agy-reader/host/store"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// daemonSource is what --from calls the source that asks a running daemon.
const daemonSource = "daemon"

// liveBackends are the built-in backends, with a source `daemon` that finds the daemons of this command's stores.
func (a *app) liveBackends(c *cli.Context) (*registry.Registry, error) {
	roots, err := a.allRoots(c)
	if err != nil {
		return nil, err
	}
	return builtin.Registry(builtin.WithDaemons(findDaemons(endpoint.New(a.env), roots)))
}

// findDaemons returns the daemons of the store that holds a conversation, and those of all stores, in their order, for one
// that no store holds. Nothing is looked for before it is called.
func findDaemons(finder *endpoint.Finder, roots []store.Root) daemon.Find {
	return func(ctx context.Context, ref sources.Ref) ([]daemon.Endpoint, error) {
		asked := roots
		if ref.Root != "" {
			asked = []store.Root{{Path: ref.Root, Surface: ref.Surface}}
			for _, root := range roots {
				if filepath.Clean(root.Path) == filepath.Clean(ref.Root) {
					asked[0] = root
				}
			}
		}
		var found []daemon.Endpoint
		var failures []error
		for _, root := range asked {
			e, err := finder.Find(ctx, root)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				if len(asked) > 1 {
					err = fmt.Errorf("%s: %w", root.Path, err)
				}
				failures = append(failures, err)
				continue
			}
			if !slices.ContainsFunc(found, func(known daemon.Endpoint) bool { return known.URL == e.URL }) {
				found = append(found, e)
			}
		}
		if len(found) == 0 {
			failed := errors.Join(failures...)
			_, _, next := diag.Explain(failed)
			return nil, diag.Advise(failed, "read the conversation's file without --from daemon; or "+next)
		}
		return found, nil
	}
}

// unstored is the session of a whole id that no store holds, for a daemon may have it in memory alone and takes no other. err is why it was
// not found, and stays the answer for anything else.
func unstored(arg string, err error) (store.Session, error) {
	if !errors.Is(err, sources.ErrNotFound) || !store.IsID(arg) {
		return store.Session{}, err
	}
	return store.Session{ID: arg}, nil
}

func showFromFlag() cli.Flag {
	return &cli.StringFlag{Name: "from", Value: registry.Auto, Usage: "`SOURCE`: auto (the best of what is there), or daemon (what a running agy has in memory)"}
}

// showPeeker is who says what show tells of the conversation itself.
func showPeeker(backends *registry.Registry, from string, s store.Session) (sources.Peeker, error) {
	switch from {
	case registry.Auto:
		return peekerFor(backends, s), nil
	case daemonSource:
		source, err := backends.Source(from)
		if err != nil {
			return nil, err
		}
		return source.(sources.Peeker), nil
	}
	return nil, diag.Usagef("--from takes %s or %s here, not %q", registry.Auto, daemonSource, from)
}

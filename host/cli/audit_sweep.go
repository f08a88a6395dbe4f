package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"agy-reader/host/audit/sweep"
	"agy-reader/host/builtin"
	"agy-reader/host/diag"
	"agy-reader/host/doctor"
	"agy-reader/host/endpoint"
	"agy-reader/host/store"
	"agy-reader/host/sync/fetch"
	"agy-reader/sources"
)

func (a *app) auditSweepCommand() *cli.Command {
	return &cli.Command{
		Name:  "audit-sweep",
		Usage: "fetch every conversation of one store from its daemon into a new private folder, for an audit",
		Description: "Nothing is taken from sidecars, and none is touched. The folder gets the answers byte for byte in corpus/, and manifest.json, which\n" +
			"says what was fetched, whether all of it came, and whether an ordinary sync could verify each conversation.",
		Flags: []cli.Flag{
			oneRootFlag(),
			&cli.StringFlag{Name: "out", Usage: "new folder `DIR`"},
			&cli.DurationFlag{Name: "timeout", Value: 30 * time.Second, Usage: "`TIME` for one conversation"},
		},
		Action:       func(c *cli.Context) error { return reference(a.auditSweep(c)) },
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return reference(err) },
	}
}

func (a *app) auditSweep(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	out := c.String("out")
	if out == "" {
		fmt.Fprintln(a.streams.Err, "usage: agy-reader audit-sweep --out NEW_DIR [--root PATH] [--timeout 30s]")
		return diag.Usagef("audit-sweep needs --out DIR, a folder that does not exist yet")
	}
	if c.Duration("timeout") <= 0 {
		return diag.Usagef("--timeout must be more than 0, got %s", c.Duration("timeout"))
	}
	root, err := a.oneRoot(c)
	if err != nil {
		return err
	}
	if store.Inside(out, root.Path) {
		return diag.Usagef("--out %s lies inside the session store %s; choose a folder outside", out, root.Path)
	}
	backends, err := builtin.Registry()
	if err != nil {
		return err
	}
	bySuffix := map[string]sources.Source{}
	for _, kind := range []string{".db", ".pb"} {
		bySuffix[kind] = sourceFor(backends, kind)
	}
	verifier, err := verifierOf(backends)
	if err != nil {
		return err
	}
	_, err = sweep.Run(c.Context, sweep.Options{
		Dir: out, Root: root, Timeout: c.Duration("timeout"), Finder: endpoint.New(a.env), Sources: bySuffix, Verifier: verifier,
		Agy: doctor.Version, Line: a.warn, Now: time.Now,
		Render: func(ctx context.Context, id string, trajectory json.RawMessage) error {
			return a.render(ctx, backends, nil, &fetch.Found{ID: id, From: fetch.Daemon, Trajectory: trajectory}, "markdown", io.Discard)
		},
	})
	return err
}

// oneRootFlag names the one store of an audit.
func oneRootFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "root", Usage: "session store `PATH` (default: $ANTIGRAVITY_CLI_ROOT, else the CLI's store)"}
}

// oneRoot is the store of an audit: the one that is named, or the CLI's.
func (a *app) oneRoot(c *cli.Context) (store.Root, error) {
	var explicit []string
	for _, level := range c.Lineage() {
		if explicit = level.StringSlice("root"); len(explicit) > 0 {
			break
		}
	}
	if len(explicit) == 0 && a.env.Getenv("ANTIGRAVITY_CLI_ROOT") == "" {
		if a.env.Home == "" {
			return store.Root{}, diag.Usagef("there is no home directory to look for sessions in; set HOME or name a store with --root")
		}
		explicit = []string{filepath.Join(a.env.Home, ".gemini", "antigravity-cli")}
	}
	roots := store.Roots(explicit, a.env)
	if len(roots) != 1 {
		return store.Root{}, diag.Usagef("%s takes one store, got %s", c.Command.Name, store.Paths(roots))
	}
	return roots[0], nil
}

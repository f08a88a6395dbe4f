package cli

import (
	"log"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"agy-reader/host/builtin"
	"agy-reader/host/diag"
	"agy-reader/host/endpoint"
	"agy-reader/host/sync/watch"
)

// watchFlags belong to the bare command line too.
func watchFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "watch", Usage: "keep the sidecars of all sessions fresh until interrupted"},
		&cli.DurationFlag{Name: "watch-interval", Value: 30 * time.Second, Usage: "of --watch: `TIME` between two looks"},
		&cli.DurationFlag{Name: "watch-idle-timeout", Usage: "of --watch: end when no daemon was there for `TIME` (0: never); looked at once an interval, so a shorter one ends at the first look without a daemon", DefaultText: "0"},
	}
}

// watch keeps sidecars fresh. Being interrupted is how it ends.
func (a *app) watch(c *cli.Context) error {
	interval := c.Duration("watch-interval")
	if interval <= 0 {
		return diag.Usagef("invalid --watch-interval %s (must be more than 0)", interval)
	}
	if idle := c.Duration("watch-idle-timeout"); idle < 0 {
		return diag.Usagef("invalid --watch-idle-timeout %s (must not be negative; 0 is never)", idle)
	}
	roots, err := a.roots(c, false)
	if err != nil {
		return err
	}
	backends, err := builtin.Registry()
	if err != nil {
		return err
	}
	verifier, err := verifierOf(backends)
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = "" // what is verified is remembered in memory
	}
	lines := log.New(a.streams.Err, "", log.LstdFlags)
	watch.Run(c.Context, watch.Options{
		Roots: roots, Finder: endpoint.New(a.env), Verifier: verifier,
		Interval: interval, IdleTimeout: c.Duration("watch-idle-timeout"), CacheDir: cache,
		Line: func(text string) { lines.Print(printable(text)) },
	})
	return nil
}

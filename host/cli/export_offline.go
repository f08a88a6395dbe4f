package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"agy-reader/host/artifact"
	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/host/diag"
	"agy-reader/sources"
)

// offlineNotice stands on top of a document that export-offline made.
const offlineNotice = "Read from the session's database without a running agent. This is a transcript, not a backup of the database, and no attestation that the agent itself would answer the same."

func (a *app) exportOfflineCommand() *cli.Command {
	return &cli.Command{
		Name:      "export-offline",
		Usage:     "read one database strictly; anything unknown, missing or damaged is an error and nothing is written",
		ArgsUsage: "SESSION.db",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "md", Usage: "`FORMAT`: md or json"},
			&cli.StringFlag{Name: "out", Usage: "new `FILE` with mode 0600; an existing path is refused (default: stdout)"},
		},
		Action:       func(c *cli.Context) error { return reference(a.exportOffline(c)) },
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return reference(err) },
	}
}

// exportOffline has the reference reader's contract: one path, no store, no sidecar, no children.
func (a *app) exportOffline(c *cli.Context) error {
	args, err := positional(c)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return diag.Usagef("export-offline takes one session database, got %s", plural(len(args), "argument", "arguments"))
	}
	path := args[0]
	if filepath.Ext(path) == ".pb" {
		return diag.Advise(fmt.Errorf("%w: %s is a legacy .pb session; export-offline reads .db databases only", sources.ErrUnsupported, path), "use `agy-reader convert`, which reads .pb sessions too")
	}
	sinkName := map[string]string{"md": "markdown", "json": "json"}[c.String("format")]
	if sinkName == "" {
		return diag.Usagef("invalid --format %q (want md|json)", c.String("format"))
	}
	if _, err := os.Stat(path); err != nil {
		return diag.Advise(fmt.Errorf("export-offline takes the path of a database: %w", err), "see `agy-reader list --json` for the paths")
	}
	if out := c.String("out"); out != "" {
		if err := outsideStores("--out", out, a.knownStores(nil)); err != nil {
			return err
		}
	}
	return a.exportStrictly(c.Context, path, sinkName, c.String("out"))
}

func (a *app) exportStrictly(ctx context.Context, path, sinkName, out string) error {
	backends, err := builtin.Registry()
	if err != nil {
		return err
	}
	source, err := backends.Source("sqlite")
	if err != nil {
		return err
	}
	sink, err := backends.Sink(sinkName)
	if err != nil {
		return err
	}
	var output artifact.Output
	if out == "" {
		output, err = artifact.OpenStream(a.streams.Out)
	} else {
		output, err = artifact.OpenFile(out, artifact.Options{Exclusive: true})
	}
	if err != nil {
		return err
	}
	_, err = convert.Run(ctx, convert.Job{
		Source:  source,
		Ref:     sources.Ref{Path: path},
		Targets: []convert.Target{{Sink: sink}},
		Out:     output,
		Strict:  true,
		Digest:  true,
		Notice:  offlineNotice,
		Log:     a.log,
	})
	return err
}

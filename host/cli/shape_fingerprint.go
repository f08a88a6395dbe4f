package cli

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"agy-reader/host/audit/shape"
	"agy-reader/host/diag"
)

// noSidecar is the exit code of shape-fingerprint for shape.ErrNone.
const noSidecar = 3

func (a *app) shapeFingerprintCommand() *cli.Command {
	return &cli.Command{
		Name:      "shape-fingerprint",
		Usage:     "condense which members sidecars have, and of which types, into one hash",
		ArgsUsage: "FILE_OR_DIR...",
		Description: "Two versions of agy whose sidecars have one fingerprint write the same JSON. A folder gives the sidecars directly in it.\n" +
			"What conversations say has no influence, nor has the block agyReader. Exit 3 when no sidecar is found.",
		Flags:        []cli.Flag{&cli.BoolFlag{Name: "paths", Usage: "print the paths and types behind the hash, one a line"}},
		Action:       func(c *cli.Context) error { return reference(a.shapeFingerprint(c)) },
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return reference(err) },
		BashComplete: a.complete(noArgument),
	}
}

func (a *app) shapeFingerprint(c *cli.Context) error {
	paths, err := positional(c)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		fmt.Fprintln(a.streams.Err, "usage: agy-reader shape-fingerprint [--paths] FILE_OR_DIR...")
		return diag.Usagef("shape-fingerprint needs a sidecar or a folder of sidecars, such as ~/.gemini/antigravity-cli/conversations")
	}
	s, err := shape.Of(c.Context, paths...)
	if err != nil {
		return err
	}
	if c.Bool("paths") {
		return a.printFacts(s.Lines())
	}
	_, err = fmt.Fprintln(a.streams.Out, s.Fingerprint())
	return err
}

// printFacts prints canonical lines. A name that would break its line is made visible instead: the hash knows better.
func (a *app) printFacts(lines []string) error {
	out := bufio.NewWriter(a.streams.Out)
	for _, line := range lines {
		at := strings.LastIndexByte(line, '\t')
		fmt.Fprintf(out, "%s%s\n", printable(line[:at]), line[at:])
	}
	return out.Flush()
}

package cli

import (
	"bufio"
	"errors"
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
			"What conversations say has no influence, nor has the block agyReader.\n" +
			"Exit 3 when no sidecar is found; 1 when one cannot be read: it is named, and the hash is that of the others.",
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
	found, err := shape.Of(c.Context, paths...)
	if err != nil {
		return err
	}
	for _, err := range found.Bad {
		a.warn("shape-fingerprint: " + err.Error())
	}
	if found.Read > 0 {
		if c.Bool("paths") {
			err = a.printFacts(found.Shape.Lines())
		} else {
			_, err = fmt.Fprintln(a.streams.Out, found.Shape.Fingerprint())
		}
	}
	if err == nil && len(found.Bad) > 0 {
		err = unread(found)
	}
	return err
}

// unread is the error for sidecars that could not be read.
func unread(found *shape.Found) error {
	text := fmt.Sprintf("shape-fingerprint: %d of %d could not be read, see above", len(found.Bad), len(found.Bad)+found.Read)
	if found.Read > 0 {
		text += "; what is printed is the shape of the others alone"
	}
	return diag.Advise(errors.New(text), "mend or leave out what the lines above name; `agy-reader --sync ID` writes a sidecar anew while agy runs")
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

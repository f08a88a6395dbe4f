package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"agy-reader/host/audit/contract"
	"agy-reader/host/diag"
)

func (a *app) verifyContractCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify-contract",
		Usage:     "check sidecars against the JSON Schema of their format; exit 1 when one is invalid or none is found",
		ArgsUsage: "PATH...",
		Description: "A folder is searched for *.trajectory.json at any depth. Prints `PATH: ok`, or for each problem the path, the JSON pointer\n" +
			"of the value and the reason. Members that the schema does not know are allowed everywhere.",
		Flags:        []cli.Flag{&cli.BoolFlag{Name: "schema", Usage: "print the schema (draft 2020-12) and check nothing"}},
		Action:       func(c *cli.Context) error { return reference(a.verifyContract(c)) },
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return reference(err) },
		BashComplete: a.complete(noArgument),
	}
}

func (a *app) verifyContract(c *cli.Context) error {
	paths, err := positional(c)
	switch {
	case err != nil:
		return err
	case c.Bool("schema") && len(paths) == 0:
		_, err := a.streams.Out.Write(contract.Schema())
		return err
	case c.Bool("schema") || len(paths) == 0:
		fmt.Fprintln(a.streams.Err, "usage: agy-reader verify-contract PATH...\n       agy-reader verify-contract --schema")
		return diag.Usagef("verify-contract needs sidecars or folders, such as ~/.gemini/antigravity-cli/conversations, or --schema alone")
	}
	checked, invalid := 0, 0
	var failed error
	err = contract.Verify(c.Context, paths, func(r contract.Result) {
		checked++
		if !r.Valid() {
			invalid++
		}
		if failed == nil {
			_, failed = fmt.Fprint(a.streams.Out, contractLines(r))
		}
	})
	switch {
	case err != nil:
		return err
	case failed != nil:
		return failed
	case checked == 0:
		return diag.Advise(fmt.Errorf("verify-contract: no sidecar (*.trajectory.json) found under %s", strings.Join(paths, ", ")), "write some with `agy-reader --sync ID`, or name another folder")
	case invalid > 0:
		return diag.Advise(fmt.Errorf("verify-contract: %d of %s: invalid", invalid, plural(checked, "file", "files")), "each is named above with what is wrong; `agy-reader --sync ID` writes one anew")
	}
	return nil
}

// contractLines tell one file's result.
func contractLines(r contract.Result) string {
	path := printable(r.Path)
	if r.Err != nil {
		return fmt.Sprintf("%s: not readable: %s\n", path, printable(r.Err.Error()))
	}
	if r.Valid() {
		return path + ": ok\n"
	}
	var b strings.Builder
	for _, p := range r.Problems {
		if p.Pointer == "" {
			p.Pointer = "(document)"
		}
		fmt.Fprintf(&b, "%s: %s: %s\n", path, printable(p.Pointer), printable(p.Reason))
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "%s: and %d more\n", path, r.More)
	}
	return b.String()
}

package cli

import (
	"strings"

	"github.com/urfave/cli/v2"

	"agy-reader/host/diag"
	"agy-reader/host/store"
)

// rootFlag names session stores. It works before and behind the command.
func rootFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "root", Usage: "session store `PATH` (repeatable; default: the stores that exist below ~/.gemini, or $ANTIGRAVITY_CLI_ROOT)"}
}

// roots resolves --root given at any level of the command line.
func (a *app) roots(c *cli.Context) []store.Root {
	var explicit []string
	for _, level := range c.Lineage() {
		if level.Command != nil || level.App != nil {
			explicit = append(explicit, level.StringSlice("root")...)
		}
		if len(explicit) > 0 {
			break
		}
	}
	return store.Roots(explicit, a.env)
}

// positional returns the arguments behind the flags. One that looks like a flag is a mistake with a known fix: flags
// come first.
func positional(c *cli.Context) ([]string, error) {
	args := c.Args().Slice()
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") && arg != "-" {
			return nil, diag.Usagef("%s stands behind an argument; flags come first: agy-reader %s %s … %s", arg, c.Command.Name, arg, args[0])
		}
	}
	return args, nil
}

// noArguments refuses stray arguments.
func noArguments(c *cli.Context) error {
	if args, err := positional(c); err != nil {
		return err
	} else if len(args) > 0 {
		return diag.Usagef("%s takes no argument, got %q", c.Command.Name, args[0])
	}
	return nil
}

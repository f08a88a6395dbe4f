package cli

import (
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"agy-reader/host/diag"
	"agy-reader/host/store"
	"agy-reader/sources"
)

// rootFlag names session stores. It works before and behind the command.
func rootFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "root", Usage: "session store `PATH` (repeatable; default: the stores that exist below ~/.gemini, or $ANTIGRAVITY_CLI_ROOT)"}
}

// roots resolves --root given at any level of the command line, else the stores of the reference. No home and no root is
// an error; so is a root that was named and is no folder, when mustExist is set.
func (a *app) roots(c *cli.Context, mustExist bool) ([]store.Root, error) {
	return a.rootsOf(c, mustExist, store.Roots)
}

// allRoots is roots for commands that cover the stores of all products: every one of them that exists, unless --root names
// some. A root that was named must be a folder.
func (a *app) allRoots(c *cli.Context) ([]store.Root, error) {
	return a.rootsOf(c, true, store.AllRoots)
}

func (a *app) rootsOf(c *cli.Context, mustExist bool, find func([]string, store.Environment) []store.Root) ([]store.Root, error) {
	var explicit []string
	for _, level := range c.Lineage() {
		if explicit = level.StringSlice("root"); len(explicit) > 0 {
			break
		}
	}
	roots := find(explicit, a.env)
	if len(roots) == 0 {
		return nil, diag.Advise(diag.Usagef("there is no home directory to look for sessions in"), "set HOME, or name a store with --root")
	}
	for _, root := range roots {
		if info, err := os.Stat(root.Path); mustExist && root.Explicit && (err != nil || !info.IsDir()) {
			return nil, &noStoreError{root.Path}
		}
	}
	return roots, nil
}

// noStoreError is a store that was named and is no folder. It is of the kind sources.ErrNotFound.
type noStoreError struct{ path string }

func (e *noStoreError) Error() string {
	return "there is no session store " + e.path + ": it is no folder"
}

// Next is what to do about it.
func (e *noStoreError) Next() string {
	return otherStore + "; without them the stores below ~/.gemini are searched"
}

func (e *noStoreError) Is(target error) bool { return target == sources.ErrNotFound }

// positional returns the arguments behind the flags. One that looks like a flag is a mistake with a known fix: flags
// come first.
func positional(c *cli.Context) ([]string, error) {
	args := c.Args().Slice()
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") && arg != "-" {
			command := strings.TrimPrefix(c.Command.Name+" ", c.App.Name+" ") // empty without a command
			return nil, diag.Usagef("%s stands behind an argument; flags come first: agy-reader %s%s … %s", arg, command, arg, args[0])
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

package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"agy-reader/host/diag"
	"agy-reader/host/parents"
	"agy-reader/host/store"
	"agy-reader/sources"
)

func (a *app) backfillCommand() *cli.Command {
	return &cli.Command{
		Name:  "backfill-parent-links",
		Usage: "stamp sidecars of subagents with their parent's id, without a running agent",
		Flags: []cli.Flag{
			rootFlag(),
			&cli.BoolFlag{Name: "repair", Usage: "replace wrong stamps and clear unsupported ones; stop writers and back up first, with sidecars backup"},
		},
		Action:       func(c *cli.Context) error { return reference(a.backfill(c)) },
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return reference(err) },
	}
}

// backfill prints a line a root, and its diagnostics, to stderr. Diagnostics are no failure.
func (a *app) backfill(c *cli.Context) error {
	if c.NArg() > 0 {
		fmt.Fprintln(a.streams.Err, "usage: agy-reader backfill-parent-links [--repair] [--root PATH]...")
		return diag.Usagef("backfill-parent-links takes no argument, got %q", c.Args().First())
	}
	roots, err := a.roots(c, true)
	if err != nil {
		return err
	}
	var failures []error
	for _, root := range roots {
		r, err := parents.Stamp(c.Context, filepath.Join(root.Path, store.Conversations), c.Bool("repair"))
		if err != nil {
			failures = append(failures, fmt.Errorf("backfill-parent-links: root %s: %w", root.Path, err))
		}
		if c.Err() != nil {
			break
		}
		a.sayDiagnostics(r.Diagnostics)
		fmt.Fprintf(a.streams.Err, "backfill-parent-links: root=%s scanned=%d stamped=%d cleared=%d unchanged=%d unresolved=%d diagnostics=%d\n",
			root.Path, r.Scanned, r.Stamped, r.Cleared, r.Unchanged, r.Unresolved, len(r.Diagnostics))
	}
	return errors.Join(failures...)
}

// sayDiagnostics prints what is wrong with parent links, one a line.
func (a *app) sayDiagnostics(list []parents.Diagnostic) {
	for _, d := range list {
		fmt.Fprintln(a.streams.Err, printable(d.String()))
	}
}

func (a *app) sidecarsCommand() *cli.Command {
	return &cli.Command{
		Name:            "sidecars",
		Usage:           "back up the sidecars of a store before a repair, and compare them after it",
		HideHelpCommand: true,
		Action: func(c *cli.Context) error {
			return reference(diag.Usagef("sidecars takes one of the commands backup and verify, got %q", c.Args().First()))
		},
		Subcommands: []*cli.Command{
			{
				Name:         "backup",
				Usage:        "copy all sidecars of a store, with their times, into a new folder; prints JSON",
				Flags:        []cli.Flag{&cli.StringFlag{Name: "root", Usage: "session store `PATH`"}, &cli.StringFlag{Name: "to", Usage: "new folder `DIR` outside the store"}},
				Action:       func(c *cli.Context) error { return reference(a.backUpSidecars(c)) },
				OnUsageError: func(_ *cli.Context, err error, _ bool) error { return reference(err) },
			},
			{
				Name:  "verify",
				Usage: "compare a store with a backup: files, times, contents apart from the parent, cycles; prints JSON, exit 1 on a finding",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "root", Usage: "session store `PATH`"},
					&cli.StringFlag{Name: "backup", Usage: "folder `DIR` that `sidecars backup` made"},
					&cli.BoolFlag{Name: "unchanged", Usage: "every byte must be equal, as after a restore"},
				},
				Action:       func(c *cli.Context) error { return reference(a.verifySidecars(c)) },
				OnUsageError: func(_ *cli.Context, err error, _ bool) error { return reference(err) },
			},
		},
	}
}

// sidecarFolder is the folder of the one root that --root names; both flags must be given.
func sidecarFolder(c *cli.Context, other string) (root, dir string, err error) {
	if err := noArguments(c); err != nil {
		return "", "", err
	}
	root = c.String("root")
	if root == "" || c.String(other) == "" {
		return "", "", diag.Usagef("sidecars %s needs --root PATH and --%s DIR", c.Command.Name, other)
	}
	dir = filepath.Join(root, store.Conversations)
	if !isFolder(dir) {
		return "", "", diag.Advise(fmt.Errorf("%w: %s is no session store: %s is no folder", sources.ErrNotFound, root, dir), "name a store with --root, such as ~/.gemini/antigravity-cli")
	}
	return root, dir, nil
}

func (a *app) backUpSidecars(c *cli.Context) error {
	root, dir, err := sidecarFolder(c, "to")
	if err != nil {
		return err
	}
	m, err := parents.Backup(c.Context, root, dir, c.String("to"))
	if err != nil {
		return err
	}
	return writeJSON(a.streams.Out, struct {
		OK     bool   `json:"ok"`
		Root   string `json:"root"`
		Backup string `json:"backup"`
		Files  int    `json:"files"`
	}{true, root, c.String("to"), len(m.Files)})
}

func (a *app) verifySidecars(c *cli.Context) error {
	root, dir, err := sidecarFolder(c, "backup")
	if err != nil {
		return err
	}
	compared, findings, err := parents.Verify(c.Context, dir, c.String("backup"), c.Bool("unchanged"))
	if err != nil {
		return err
	}
	if findings == nil {
		findings = []parents.Finding{}
	}
	err = writeJSON(a.streams.Out, struct {
		OK       bool              `json:"ok"`
		Root     string            `json:"root"`
		Backup   string            `json:"backup"`
		Compared int               `json:"compared"`
		Findings []parents.Finding `json:"findings"`
	}{len(findings) == 0, root, c.String("backup"), compared, findings})
	if err == nil && len(findings) > 0 {
		err = diag.Advise(fmt.Errorf("sidecars verify: %s", plural(len(findings), "finding", "findings")), "look at the files that the findings name; the backup has each as it was, in "+filepath.Join(c.String("backup"), "sidecars"))
	}
	return err
}

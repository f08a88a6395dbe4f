package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"agy-reader/host/diag"
	"agy-reader/sources/profile"
)

func (a *app) profilesCommand() *cli.Command {
	asJSON := &cli.BoolFlag{Name: "json", Usage: "print JSON"}
	return &cli.Command{
		Name:         "profiles",
		Usage:        "decoder profiles: what the stored bytes mean, one a range of product versions",
		OnUsageError: onUsageError,
		Subcommands: []*cli.Command{
			{Name: "list", Usage: "list the profiles, newest first", Flags: []cli.Flag{asJSON}, Action: a.listProfiles, OnUsageError: onUsageError},
			{Name: "show", Usage: "say what a profile covers, was checked against and cannot know", ArgsUsage: "NAME", Flags: []cli.Flag{asJSON}, Action: a.showProfile, OnUsageError: onUsageError, BashComplete: a.complete(profileNames)},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return diag.Usagef("profiles has no command %q; there are list and show", c.Args().First())
			}
			return a.listProfiles(c)
		},
	}
}

func (a *app) listProfiles(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	profiles := profile.List()
	if c.Bool("json") {
		return writeJSON(a.streams.Out, profiles)
	}
	table := a.table()
	fmt.Fprintln(table, "NAME\tVERSIONS\tWHAT")
	for _, p := range profiles {
		fmt.Fprintf(table, "%s\t%s\t%s\n", p.Name, p.Versions, p.Title)
	}
	return table.Flush()
}

func (a *app) showProfile(c *cli.Context) error {
	args, err := positional(c)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return diag.Usagef("profiles show takes one name; see `agy-reader profiles list`")
	}
	p, err := profile.Load(args[0])
	if err != nil {
		return diag.Usagef("%w; see `agy-reader profiles list`", err)
	}
	if c.Bool("json") {
		return writeJSON(a.streams.Out, struct {
			profile.Info
			Reviewed []profile.Reviewed `json:"reviewed"`
		}{p.Info(), p.Reviewed()})
	}
	info, out := p.Info(), a.streams.Out
	fmt.Fprintf(out, "%s: %s\n\nproduct:   %s\nversions:  %s\nschema:    %s\n", info.Name, info.Title, info.Product, info.Versions, info.SchemaSource)
	printList(out, "checked against", info.Verified)
	printList(out, "limits", info.Limits)
	fmt.Fprintf(out, "\ntexts that documents leave out on purpose (JSON has them):\n")
	for _, r := range p.Reviewed() {
		fmt.Fprintf(out, "  - %s\n      %s\n", r.Path, r.Reason)
	}
	return nil
}

func printList(out io.Writer, title string, items []string) {
	fmt.Fprintf(out, "\n%s:\n", title)
	for _, item := range items {
		fmt.Fprintf(out, "  - %s\n", item)
	}
}

// writeJSON prints a result for scripts.
func writeJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

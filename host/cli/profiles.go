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
	command := func(name, usage, args string, action cli.ActionFunc, complete func(*cli.Context) []string, flags ...cli.Flag) *cli.Command {
		flags = append(flags, asJSON)
		quietDefaults(flags)
		return &cli.Command{
			Name: name, Usage: usage, ArgsUsage: args, Flags: flags, OnUsageError: onUsageError,
			Action: action, BashComplete: a.complete(complete),
		}
	}
	return &cli.Command{
		Name:  "profiles",
		Usage: "decoder profiles: what the stored bytes mean, one a range of product versions",
		Description: "A profile of your own is a folder of data; `convert --profile-dir DIR` uses those in DIR. Its profile.json has name (the\n" +
			"folder's), extends (a profile to start from), title, versions, schemaSource, rank, and what differs: adds.fields and adds.values\n" +
			"for new fields and enum values, steps for how a new kind of step is shown, or any other member that `profiles show --json` has.\n" +
			"New messages stand in .proto files beside it. `profiles check DIR` says what is wrong.",
		OnUsageError: onUsageError,
		Subcommands: []*cli.Command{
			command("list", "list the profiles, your own first, then the newest", "", a.listProfiles, noArgument, profileDirFlag()),
			command("show", "say what a profile covers, was checked against and cannot know", "NAME", a.showProfile, profileNames, profileDirFlag()),
			command("explain", "say which profile a session gets, why, and what each would not know", "SESSION", a.explainProfile, a.sessionIDs, profileDirFlag(), rootFlag()),
			command("check", "say what is wrong with your own profiles", "DIR", a.checkProfiles, noArgument),
			command("diff", "list what two profiles say differently", "A B", a.diffProfiles, profileNames, profileDirFlag()),
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return diag.Usagef("profiles has no command %q; there are list, show, explain, check and diff", c.Args().First())
			}
			return a.listProfiles(c)
		},
	}
}

// profileDirFlag names folders of the user's own profiles.
func profileDirFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "profile-dir", Usage: "your own decoder profiles in `DIR` (repeatable; see `agy-reader profiles check`)"}
}

// seeProfiles is the next step when a profile was not named well.
const seeProfiles = "see `agy-reader profiles list` for the names"

// ownProfiles adds the user's own profiles of a command line.
func ownProfiles(c *cli.Context) error {
	for _, dir := range c.StringSlice("profile-dir") {
		if err := profile.AddDir(dir); err != nil {
			return diag.Usagef("--profile-dir: %w", err)
		}
	}
	return nil
}

func (a *app) listProfiles(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	if err := ownProfiles(c); err != nil {
		return err
	}
	profiles := profile.List()
	if c.Bool("json") {
		return writeJSON(a.streams.Out, profiles)
	}
	table := a.table()
	fmt.Fprintln(table, "NAME\tVERSIONS\tWHAT")
	for _, p := range profiles {
		fmt.Fprintf(table, "%s\t%s\t%s\n", printable(p.Name), printable(p.Versions), printable(p.Title))
	}
	return table.Flush()
}

func (a *app) showProfile(c *cli.Context) error {
	args, err := positional(c)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return diag.Advise(diag.Usagef("profiles show takes one name"), seeProfiles)
	}
	p, err := a.namedProfile(c, args[0])
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(a.streams.Out, p.Manifest()) // with everything it inherits
	}
	info, out := p.Info(), a.streams.Out
	fmt.Fprintf(out, "%s: %s\n\nproduct:   %s\nversions:  %s\nstorage:   %s\n", info.Name, printable(info.Title), printable(info.Product), printable(info.Versions), storage(info))
	if info.Extends != "" {
		fmt.Fprintf(out, "extends:   %s (see `agy-reader profiles diff %s %s`)\n", info.Extends, info.Extends, info.Name)
	}
	fmt.Fprintf(out, "schema:    %s\n", printable(info.SchemaSource))
	printList(out, "checked against", info.Verified)
	printList(out, "limits", info.Limits)
	if len(info.Marks) > 0 {
		fmt.Fprintf(out, "\nfields that only these versions write:\n")
		for _, m := range info.Marks {
			fmt.Fprintf(out, "  - %s\n      %s\n", printable(m.Path), printable(m.Reason))
		}
	}
	fmt.Fprintf(out, "\ntexts that documents leave out on purpose (JSON has them):\n")
	for _, r := range p.Reviewed() {
		fmt.Fprintf(out, "  - %s\n      %s\n", printable(r.Path), printable(r.Reason))
	}
	return nil
}

// namedProfile loads a profile that was named on the command line.
func (a *app) namedProfile(c *cli.Context, name string) (*profile.Profile, error) {
	if err := ownProfiles(c); err != nil {
		return nil, err
	}
	p, err := profile.Load(name)
	if err != nil {
		return nil, diag.Advise(diag.Usagef("%w", err), seeProfiles)
	}
	return p, nil
}

// storage is what kinds of files a profile is for.
func storage(info profile.Info) string {
	text := ""
	for i, form := range info.Storage {
		if i > 0 {
			text += ", "
		}
		text += "." + form
	}
	return text
}

func printList(out io.Writer, title string, items []string) {
	fmt.Fprintf(out, "\n%s:\n", title)
	for _, item := range items {
		fmt.Fprintf(out, "  - %s\n", printable(item))
	}
}

// writeJSON prints a result for scripts.
func writeJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

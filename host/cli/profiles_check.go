package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"agy-reader/host/diag"
	"agy-reader/sources/profile"
)

// checkProfiles prints everything that is wrong with a user's own profiles. A problem is a usage error, as it is for
// --profile-dir.
func (a *app) checkProfiles(c *cli.Context) error {
	args, err := positional(c)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return diag.Usagef("profiles check takes one folder: of profiles, or of one")
	}
	names, problems, err := profile.CheckDir(args[0])
	if err != nil {
		return diag.Usagef("%w", err)
	}
	if c.Bool("json") {
		if err := writeJSON(a.streams.Out, struct {
			Profiles []string          `json:"profiles"`
			Problems []profile.Problem `json:"problems"`
		}{append([]string{}, names...), append([]profile.Problem{}, problems...)}); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			fmt.Fprintln(a.streams.Out, printable(p.String()))
		}
	}
	if len(problems) > 0 {
		fmt.Fprintf(a.streams.Err, "%s in %s\n", plural(len(problems), "problem", "problems"), printable(args[0]))
		return errors.Join(errSaid, diag.ErrUsage)
	}
	fmt.Fprintf(a.streams.Err, "%s: nothing wrong\n", printable(strings.Join(names, ", ")))
	return nil
}

func (a *app) diffProfiles(c *cli.Context) error {
	args, err := positional(c)
	if err != nil {
		return err
	}
	if len(args) != 2 {
		return diag.Advise(diag.Usagef("profiles diff takes two names"), seeProfiles)
	}
	from, err := a.namedProfile(c, args[0])
	if err != nil {
		return err
	}
	to, err := profile.Load(args[1])
	if err != nil {
		return diag.Advise(diag.Usagef("%w", err), seeProfiles)
	}
	changes, err := profile.Diff(from, to)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(a.streams.Out, changes)
	}
	for _, change := range changes {
		if change.Old != "" {
			fmt.Fprintf(a.streams.Out, "- %s\n", changeLine(change, change.Old))
		}
		if change.New != "" {
			fmt.Fprintf(a.streams.Out, "+ %s\n", changeLine(change, change.New))
		}
	}
	return nil
}

func changeLine(change profile.Change, says string) string {
	if change.Kind == "limit" || change.Kind == "verified" {
		return printable(change.Kind + ": " + change.Name)
	}
	return printable(change.Kind + " " + change.Name + ": " + says)
}

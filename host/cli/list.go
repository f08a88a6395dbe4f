package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"agy-reader/host/diag"
	"agy-reader/host/store"
	"agy-reader/sources"
)

func (a *app) listCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the conversations of every store, newest first",
		Description: "Stores of all products are covered (cli, ide, ide2, acp), and conversations that no index of the product knows.\n" +
			"`agy-reader show ID` says where each value was found.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print JSON; times are UTC, unknown values are null"},
			&cli.StringFlag{Name: "project", Usage: "only conversations of `PROJECT`: a name in any case, a folder with all below it (in any case on Windows), or unknown"},
			&cli.StringFlag{Name: "since", Usage: "only conversations changed since `TIME`: 2026-11-30 (UTC), an RFC 3339 time, or 90m, 12h, 7d, 2w ago"},
			&cli.IntFlag{Name: "newest", Usage: "only the `N` newest", DefaultText: "all"},
			&cli.BoolFlag{Name: "include-implicit", Usage: "background trajectories too"},
			rootFlag(),
		},
		Action: a.list,
	}
}

func (a *app) list(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	newest := c.Int("newest")
	if c.IsSet("newest") && newest < 1 {
		return diag.Usagef("--newest takes a number above 0, not %d", newest)
	}
	since, err := parseSince(c.String("since"), time.Now())
	if err != nil {
		return err
	}
	roots, err := a.allRoots(c)
	if err != nil {
		return err
	}
	sessions, listErr := store.All(roots, c.Bool("include-implicit"))
	unknown := store.Unknown(roots, c.Bool("include-implicit"))
	all := len(sessions)
	sessions = slices.DeleteFunc(sessions, func(s store.Session) bool { return s.Modified.Before(since) })
	project := c.String("project")
	if project == "" && newest > 0 {
		sessions = sessions[:min(len(sessions), newest)]
	}
	rows, err := a.describe(c.Context, sessions)
	if err != nil {
		return err
	}
	newestFirst(rows)
	if project != "" {
		rows = slices.DeleteFunc(rows, func(row listed) bool { return !row.belongsTo(project) })
		if newest > 0 {
			rows = rows[:min(len(rows), newest)]
		}
	}
	if c.Bool("json") {
		err = writeJSON(a.streams.Out, rows)
	} else if len(rows) > 0 {
		err = a.printSessions(rows)
	}
	if err != nil {
		return err
	}
	a.sayLinks(roots, c.Bool("include-implicit"))
	if listErr != nil {
		return listErr
	}
	return a.listEnd(roots, all, len(rows), unknown)
}

// newestFirst orders by the time that is shown: the logs may know better than the folders did.
func newestFirst(rows []listed) {
	slices.SortStableFunc(rows, func(a, b listed) int { return strings.Compare(value(b.Updated), value(a.Updated)) })
}

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// listEnd says what the rows do not. A store that holds only files nobody knows is an error: something has changed.
func (a *app) listEnd(roots []store.Root, all, shown int, unknown map[string]int) error {
	switch {
	case all == 0 && len(unknown) > 0:
		return fmt.Errorf("%w: %s under %s", sources.ErrUnsupported, recognised(all, unknown), store.Paths(roots))
	case all == 0:
		a.sayNone(roots)
	case len(unknown) > 0:
		fmt.Fprintf(a.streams.Err, "%s\n", printable(recognised(all, unknown)))
	case shown == 0:
		fmt.Fprintf(a.streams.Err, "none of %s fits\n", plural(all, "conversation", "conversations"))
	}
	return nil
}

// otherStore is the next step when a store is empty or is none.
const otherStore = "name another store with --root or ANTIGRAVITY_CLI_ROOT"

// sayNone says that no store has a session, and the next step.
func (a *app) sayNone(roots []store.Root) {
	fmt.Fprintf(a.streams.Err, "no sessions found under %s\n  → %s\n", printable(store.Paths(roots)), otherStore)
}

// sayLinks names what stands where conversations lie and is a symbolic link: it may lead anywhere, so it is not followed.
func (a *app) sayLinks(roots []store.Root, includeImplicit bool) {
	const most = 5
	links := store.Links(roots, includeImplicit)
	if len(links) == 0 {
		return
	}
	names := strings.Join(links[:min(len(links), most)], ", ")
	if more := len(links) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	fmt.Fprintf(a.streams.Err, "left out, because a symbolic link is not followed: %s\n", printable(names))
}

func recognised(all int, unknown map[string]int) string {
	n := 0
	var endings []string
	for _, ending := range slices.Sorted(maps.Keys(unknown)) {
		n += unknown[ending]
		if ending == "" {
			ending = "no ending"
		}
		endings = append(endings, ending)
	}
	if len(endings) > 5 {
		endings = append(endings[:5], "…")
	}
	return fmt.Sprintf("%d recognised, %s (%s)", all, plural(n, "unknown file", "unknown files"), strings.Join(endings, ", "))
}

package cli

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"agy-reader/host/convert"
	"agy-reader/host/diag"
	"agy-reader/host/store"
)

func (a *app) convertCommand() *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "turn sessions into files, in one or more formats at once",
		ArgsUsage: "SESSION… | --all --out DIR",
		Description: "SESSION is a path, a conversation id, or the beginning of one (see `agy-reader list`).\n" +
			"The paths of the files go to stdout, a line on what was found to stderr.\n" +
			"With --all, every conversation of every store goes into the folder DIR, with an index. Run again, it writes what changed\n" +
			"and removes nothing; what the stores no longer hold stays there.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "to", Value: "markdown", Usage: "comma-separated `FORMATS`: markdown (or md), json, html, events, plugin:./FILE"},
			&cli.StringFlag{Name: "out", Value: "./", Usage: "`DIR` (existing, or ending in /), FILE, or - for stdout"},
			&cli.BoolFlag{Name: "all", Usage: "every conversation of all stores, into an archive that is kept up to date"},
			&cli.IntFlag{Name: "jobs", Usage: "with --all: convert `N` at once (default: one for each core)", DefaultText: "cores"},
			&cli.BoolFlag{Name: "include-implicit", Usage: "with --all: background trajectories too"},
			&cli.StringFlag{Name: "project", Usage: "with --all: only conversations of `PROJECT`, as in `agy-reader list`"},
			&cli.StringFlag{Name: "since", Usage: "with --all: only conversations changed since `TIME`, as in `agy-reader list`"},
			&cli.BoolFlag{Name: "verbose", Usage: "with --all: a line for each conversation that did not change, too"},
			&cli.BoolFlag{Name: "assets", Usage: "copy images and other files of the conversation into a folder beside the document"},
			&cli.StringFlag{Name: "subagents", Usage: "`MODE` for conversations that this one started: inline, separate (linked where both are converted) or none (default: inline; separate with --all)"},
			&cli.StringFlag{Name: "from", Value: "auto", Usage: "`SOURCE`: auto (the best of what is there), sqlite, legacypb, mirror, or daemon (what a running agy has in memory)"},
			&cli.StringFlag{Name: "profile", Usage: "decoder profile `NAME` (default: chosen by what the session holds, see `agy-reader profiles explain`)"},
			profileDirFlag(),
			&cli.StringFlag{Name: "unknown", Value: "mark", Usage: "`MODE` for what is unknown, missing or damaged: mark it and go on, or fail"},
			&cli.StringFlag{Name: "select", Usage: "`PART` of the conversation: step numbers and ranges (3,10-20), prompts, no-tools; without model records"},
			&cli.StringFlag{Name: "wrappers", Value: "project", Usage: "JSON, `MODE` for tool wrappers: project them to the product's display form, or keep them as stored"},
			&cli.BoolFlag{Name: "no-records", Usage: "JSON: leave out generatorMetadata and executorMetadatas"},
			&cli.BoolFlag{Name: "no-thinking", Usage: "leave out the model's own reasoning (not for JSON, which holds steps as stored)"},
			&cli.StringFlag{Name: "tz", Usage: "time `ZONE` of times in documents, such as Europe/Berlin (default: UTC)"},
			&cli.BoolFlag{Name: "force", Usage: "replace files that agy-reader did not write"},
			&cli.BoolFlag{Name: "json", Usage: "print what was written as JSON"},
			rootFlag(),
		},
		Action:       a.convert,
		BashComplete: a.complete(a.sessionIDs),
	}
}

// convert runs every session; one that fails never stops the next. The exit code is that of the first failure, else
// «incomplete» if any session was.
func (a *app) convert(c *cli.Context) error {
	args, err := positional(c)
	if err != nil {
		return err
	}
	if c.Bool("all") {
		return a.convertAll(c, args)
	}
	for _, flag := range onlyAll {
		if c.IsSet(flag) {
			return diag.Usagef("--%s goes with --all", flag)
		}
	}
	if len(args) == 0 {
		return diag.Advise(diag.Usagef("convert needs a session: a path or an id, or --all"), "see `agy-reader list` for the ids")
	}
	roots, err := a.allRoots(c)
	if err != nil {
		return err
	}
	request, err := a.request(c)
	if err != nil {
		return err
	}
	defer request.close()
	if c.Bool("json") && c.String("out") == "-" {
		return diag.Usagef("--json prints a report to stdout, where --out - wants the document; name a file or a folder")
	}
	if request.subagents, err = parseSubagents(c.String("subagents"), convert.SubagentsInline); err != nil {
		return err
	}
	plan, err := planOutput(c.String("out"), len(args)*len(request.targets), c.Bool("force"), a.streams.Out)
	if err != nil {
		return err
	}
	plan.roots = a.knownStores(roots)
	report := newReport(a, c.Bool("json"), plan.toStdout)
	run := &conversion{app: a, request: request, plan: plan, find: store.NewFinder(roots), report: report}
	if request.from == daemonSource {
		run.unstored = unstored
	}
	run.relatives = newRelatives(request, roots, &run.facts, run.links(args))
	worst := run.all(c.Context, args)
	return errors.Join(worst, report.finish())
}

// wanted checks a flag that takes one of two words.
func wanted(c *cli.Context, flag, yes, no string) (bool, error) {
	switch value := c.String(flag); value {
	case yes:
		return true, nil
	case no:
		return false, nil
	default:
		return false, diag.Usagef("--%s takes %s or %s, not %q", flag, yes, no, value)
	}
}

// plural counts things for people.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"agy-reader/host/convert"
	"agy-reader/host/diag"
	"agy-reader/host/store"
)

func (a *app) convertCommand() *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "turn sessions into files, in one or more formats at once",
		ArgsUsage: "SESSION…",
		Description: "SESSION is a path, a conversation id, or the beginning of one (see `agy-reader list`).\n" +
			"The paths of the files go to stdout, a line on what was found to stderr.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "to", Value: "markdown", Usage: "comma-separated `FORMATS`: markdown, json, html, events, plugin:./FILE"},
			&cli.StringFlag{Name: "out", Value: "./", Usage: "`DIR` (existing, or ending in /), FILE, or - for stdout"},
			&cli.StringFlag{Name: "from", Value: "auto", Usage: "`SOURCE`: auto or sqlite"},
			&cli.StringFlag{Name: "profile", Usage: "decoder profile `NAME` (default: chosen by the database's schema)"},
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
	if len(args) == 0 {
		return diag.Usagef("convert needs a session: a path or an id from `agy-reader list`")
	}
	roots, err := a.roots(c, true)
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
	plan, err := planOutput(c.String("out"), len(args)*len(request.targets), c.Bool("force"), a.streams.Out)
	if err != nil {
		return err
	}
	report := newReport(a, c.Bool("json"), plan.toStdout)
	var worst error
	for _, arg := range args {
		result, err := a.convertOne(c.Context, request, plan, arg, roots, report)
		if err == nil && result.Incomplete {
			err = errors.Join(errSaid, diag.ErrIncomplete)
		} else if c.Err() != nil {
			fmt.Fprintf(a.streams.Err, "agy-reader: interrupted; %d of %s written\n", report.written, plural(len(args), "session", "sessions"))
			worst = errors.Join(errSaid, context.Canceled)
			break
		} else if err != nil {
			a.complain(arg, err)
			err = errors.Join(errSaid, err)
		}
		worst = worse(worst, err)
	}
	return errors.Join(worst, report.finish())
}

func (a *app) convertOne(ctx context.Context, request *request, plan *outputPlan, arg string, roots []store.Root, report *report) (*convert.Result, error) {
	session, err := store.Find(arg, roots)
	if err != nil {
		return nil, err
	}
	source, err := request.source(session)
	if err != nil {
		return nil, err
	}
	out, err := plan.open()
	if err != nil {
		return nil, err
	}
	started := time.Now()
	result, err := convert.Run(ctx, convert.Job{
		Source:       source,
		Ref:          session.Ref(),
		Targets:      request.targets,
		Out:          out,
		Select:       request.selection,
		Profile:      request.profile,
		Strict:       request.strict,
		KeepWrappers: request.keepWrappers,
		NoRecords:    request.noRecords,
		NoThinking:   request.noThinking,
		TimeZone:     request.zone,
		Progress:     report.progress(session.ID),
		Log:          a.log,
	})
	report.endProgress()
	if err != nil {
		return nil, err
	}
	report.add(session, result, time.Since(started))
	return result, nil
}

// worse keeps the error whose exit code matters more: a failure over «incomplete», the earlier over the later.
func worse(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil || !errors.Is(a, diag.ErrIncomplete):
		return a
	case errors.Is(b, diag.ErrIncomplete):
		return a
	default:
		return b
	}
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

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"agy-reader/host/artifact"
	"agy-reader/host/builtin"
	"agy-reader/host/diag"
	"agy-reader/host/store"
	"agy-reader/sources"
)

func (a *app) scrubCommand() *cli.Command {
	return &cli.Command{
		Name:         "scrub",
		Usage:        "copy a session with every word replaced, to send with a report",
		ArgsUsage:    "SESSION OUT.db",
		Description:  "Structure, sizes, times and the numbers of known fields stay; texts, names, paths, ids and bytes become nonsense of the same length.\nLook at the copy before you send it: agy-reader convert --out - OUT.db",
		Flags:        []cli.Flag{rootFlag()},
		BashComplete: a.complete(a.sessionIDs),
		Action: func(c *cli.Context) error {
			args, err := positional(c)
			if err != nil {
				return err
			}
			if len(args) != 2 {
				return diag.Usagef("scrub takes a session and a new file, got %s", plural(len(args), "argument", "arguments"))
			}
			if strings.HasSuffix(args[1], "/") || isFolder(args[1]) {
				return diag.Usagef("%s is a folder; name the new file, such as %s", args[1], filepath.Join(args[1], "scrubbed.db"))
			}
			roots, err := a.allRoots(c)
			if err != nil {
				return err
			}
			session, err := store.NewFinder(roots).Find(args[0])
			if err != nil {
				return err
			}
			if err := outsideStores("the copy", args[1], a.knownStores(append(roots, session.Root))); err != nil {
				return err
			}
			return a.scrub(c.Context, session, args[1])
		},
	}
}

func (a *app) scrub(ctx context.Context, session store.Session, path string) error {
	backends, err := builtin.Registry()
	if err != nil {
		return err
	}
	if session.Kind == "" {
		return fmt.Errorf("%w: a conversation with logs alone cannot be scrubbed, only a database or an encrypted file", sources.ErrUnsupported)
	}
	scrubber, ok := sourceFor(backends, session.Kind).(sources.Scrubber)
	if !ok {
		return fmt.Errorf("%w: a %q file cannot be scrubbed", sources.ErrUnsupported, session.Kind)
	}
	out, err := artifact.OpenFile(path, artifact.Options{Exclusive: true})
	if err != nil {
		return err
	}
	report, err := scrubInto(ctx, scrubber, session, out)
	if err != nil {
		return errors.Join(fmt.Errorf("scrub %s: %w", filepath.Base(session.Path), err), out.Abort())
	}
	fmt.Fprintln(a.streams.Out, path)
	fmt.Fprintf(a.streams.Err, "%d rows, %d texts replaced; look at the copy before you send it\n", report.Rows, report.Texts)
	if len(report.LeftOut) > 0 {
		fmt.Fprintf(a.streams.Err, "left out, because agy-reader does not know it: %s\n", printable(strings.Join(report.LeftOut, ", ")))
	}
	if len(report.Damaged) > 0 {
		return diag.Advise(fmt.Errorf("%w: parts of %s could not be read", diag.ErrIncomplete, strings.Join(report.Damaged, ", ")), "the copy lacks them; see `agy-reader profiles explain SESSION` for what could not be read")
	}
	return nil
}

func scrubInto(ctx context.Context, scrubber sources.Scrubber, session store.Session, out artifact.Output) (sources.ScrubReport, error) {
	file, err := out.Create("scrubbed.db", "application/vnd.sqlite3", 0)
	if err != nil {
		return sources.ScrubReport{}, err
	}
	report, err := scrubber.Scrub(ctx, session.Ref(), file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		_, err = out.Commit(ctx)
	}
	return report, err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

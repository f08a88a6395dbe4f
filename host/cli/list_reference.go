package cli

import (
	"bufio"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"agy-reader/host/store"
)

// listReference prints the sessions in the reference reader's line format, which scripts rely on: marker, id, time in
// the local zone, bucket, and with several roots the surface.
func (a *app) listReference(c *cli.Context) error {
	roots, err := a.roots(c, false)
	if err != nil {
		return err
	}
	sessions, err := store.List(roots, c.Bool("include-implicit"))
	if err != nil {
		return err
	}
	if len(sessions) == 0 {
		a.sayNone(roots)
		return nil
	}
	out, onTerminal := bufio.NewWriter(a.streams.Out), isTerminal(a.streams.Out)
	for _, s := range sessions {
		if onTerminal { // a script gets names as they are
			s.ID = printable(s.ID)
		}
		marker := ' '
		if s.Sidecar != "" {
			marker = '*'
		}
		fmt.Fprintf(out, "%c %s  %s  (%s)", marker, s.ID, s.Modified.Local().Format(time.RFC3339), s.Bucket)
		if len(roots) > 1 {
			fmt.Fprintf(out, "  %s", s.Root.Surface)
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprint(a.streams.Err, "\n(* = sidecar present)\n")
	return nil
}

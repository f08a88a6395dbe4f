package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"agy-reader/host/builtin"
	"agy-reader/host/store"
	"agy-reader/sources"
)

func (a *app) listCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the conversations of every store, newest first",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print JSON; times are UTC, unknown values are null"},
			&cli.BoolFlag{Name: "include-implicit", Usage: "background trajectories too"},
			rootFlag(),
		},
		Action: a.list,
	}
}

// listed is one conversation in `list --json`. A nil value is unknown.
type listed struct {
	ID          string  `json:"id"`
	Title       *string `json:"title"`
	TitleOrigin *string `json:"titleOrigin"`
	Surface     string  `json:"surface"`
	Bucket      string  `json:"bucket"`
	Updated     string  `json:"updated"`
	Created     *string `json:"created"`
	Steps       *uint32 `json:"steps"`
	Bytes       int64   `json:"bytes"`
	Path        string  `json:"path"`
	Sidecar     *string `json:"sidecar"`
	// Readable: some source of this version reads this kind of file.
	Readable bool `json:"readable"`
	// Error says why the file could not be opened; it is listed all the same.
	Error string `json:"error,omitempty"`
}

func (a *app) list(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	roots, err := a.allRoots(c)
	if err != nil {
		return err
	}
	sessions, err := store.List(roots, c.Bool("include-implicit"))
	if err != nil {
		return err
	}
	rows, err := describeSessions(c.Context, sessions)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(a.streams.Out, rows)
	}
	if len(rows) == 0 {
		fmt.Fprintf(a.streams.Err, "no sessions found under %s\n", store.Paths(roots))
		return nil
	}
	return a.printSessions(rows)
}

// describeSessions asks each database for what no file name says. One that cannot be read is listed with the reason.
func describeSessions(ctx context.Context, sessions []store.Session) ([]listed, error) {
	backends, err := builtin.Registry()
	if err != nil {
		return nil, err
	}
	rows := make([]listed, len(sessions))
	for i, s := range sessions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows[i] = listed{
			ID: s.ID, Surface: s.Root.Surface, Bucket: s.Bucket, Updated: s.Modified.UTC().Format(time.RFC3339),
			Bytes: s.Bytes, Path: s.Path,
		}
		if s.Sidecar != "" {
			rows[i].Sidecar = &sessions[i].Sidecar
		}
		source := sourceFor(backends, s.Kind)
		rows[i].Readable = source != nil
		if peeker, ok := source.(sources.Peeker); ok {
			rows[i].peek(ctx, peeker, s)
		}
	}
	return rows, nil
}

func (l *listed) peek(ctx context.Context, peeker sources.Peeker, s store.Session) {
	summary, err := peeker.Peek(ctx, s.Ref())
	if err != nil {
		l.Error = err.Error()
		return
	}
	l.Steps = &summary.Steps
	if summary.Title.GetValue() != "" {
		l.Title, l.TitleOrigin = &summary.Title.Value, &summary.Title.Origin
	}
	if summary.CreatedNS != nil {
		created := time.Unix(0, *summary.CreatedNS).UTC().Format(time.RFC3339)
		l.Created = &created
	}
}

func (a *app) printSessions(rows []listed) error {
	table := a.table()
	fmt.Fprintln(table, "ID\tUPDATED\tSURFACE\tSTEPS\tSIZE\tTITLE")
	for _, row := range rows {
		steps, title := "?", "(title not recorded)"
		if row.Steps != nil {
			steps = fmt.Sprint(*row.Steps)
		}
		switch {
		case row.Error != "":
			title = "(" + printable(row.Error) + ")"
		case !row.Readable:
			title = "(" + filepath.Ext(row.Path) + " file, listed but not readable by this version)"
		case row.Title != nil:
			title = shorten(printable(*row.Title), 70)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", printable(row.ID), row.Updated, row.Surface, steps, size(row.Bytes), title)
	}
	return table.Flush()
}

// shorten cuts text for one line of a table.
func shorten(s string, runes int) string {
	for i := range s {
		if runes == 0 {
			return s[:i] + "…"
		}
		runes--
	}
	return s
}

// size is a byte count for people.
func size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	default:
		return fmt.Sprintf("%d KB", (n+1023)>>10)
	}
}

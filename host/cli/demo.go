package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"agy-reader/host/artifact"
	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/host/demo"
	"agy-reader/host/diag"
	"agy-reader/sources"
)

func (a *app) demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "convert the built-in sample session, which shows everything a session can hold",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "demo", Usage: "`FOLDER` to write to"},
		},
		Action: a.demo,
	}
}

// demo takes the same way as any session: a database file, the source, the sinks.
func (a *app) demo(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	if c.String("out") == "-" {
		return diag.Usagef("the sample becomes three files; name a folder")
	}
	if err := outsideStores("--out", c.String("out"), a.knownStores(nil)); err != nil {
		return err
	}
	backends, err := builtin.Registry()
	if err != nil {
		return err
	}
	source, err := backends.Source("sqlite")
	if err != nil {
		return err
	}
	var targets []convert.Target
	for _, name := range []string{"markdown", "json", "html"} {
		sink, err := backends.Sink(name)
		if err != nil {
			return err
		}
		targets = append(targets, convert.Target{Sink: sink})
	}
	folder, err := os.MkdirTemp("", "agy-reader-demo-")
	if err != nil {
		return fmt.Errorf("unpack the sample session: %w", err)
	}
	defer os.RemoveAll(folder)
	session := filepath.Join(folder, demo.ConversationID+".db")
	if err := os.WriteFile(session, demo.Database(), 0o600); err != nil {
		return fmt.Errorf("unpack the sample session: %w", err)
	}
	out, err := artifact.Open(c.String("out"), artifact.Options{})
	if err != nil {
		return err
	}
	result, err := convert.Run(c.Context, convert.Job{
		Source: source, Ref: sources.Ref{ID: demo.ConversationID, Path: session}, Targets: targets, Out: out, BaseName: "demo", Log: a.log,
	})
	if err != nil {
		return err
	}
	for _, file := range result.Files {
		fmt.Fprintln(a.streams.Out, file.Path)
	}
	fmt.Fprintf(a.streams.Err, "%s\nThe unknown field is there on purpose: it shows how something newer than the decoder is kept and marked.\nOpen %s in a browser.\n",
		result.Footer.GetCompleteness(), filepath.Join(c.String("out"), "demo.html"))
	return nil
}

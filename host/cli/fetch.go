package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"agy-reader/host/artifact"
	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/host/diag"
	"agy-reader/host/endpoint"
	"agy-reader/host/facts"
	"agy-reader/host/registry"
	"agy-reader/host/store"
	"agy-reader/host/sync/fetch"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// fetchFlags belong to the bare command line: one conversation from the running product, as the reference reader has it.
func fetchFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Value: "md", Usage: "of agy-reader ID, `FORMAT`: md, json, or both (Markdown here, JSON in the sidecar)"},
		&cli.StringFlag{Name: "out", Usage: "of agy-reader ID: `FILE` to write, replaced when it exists (default: stdout)"},
		&cli.BoolFlag{Name: "sync", Usage: "of agy-reader ID: write the sidecar only, print nothing"},
	}
}

// fetch gets one conversation, from the running product when its answer is proved, else from the disk.
func (a *app) fetch(c *cli.Context) error {
	args, err := positional(c)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return diag.Usagef("one conversation id at a time, and there is no command %q", args[0])
	}
	format := c.String("format")
	if format != "md" && format != "json" && format != "both" {
		return diag.Usagef("invalid --format %q (want md|json|both)", format)
	}
	roots, err := a.roots(c, false)
	if err != nil {
		return err
	}
	backends, err := builtin.Registry()
	if err != nil {
		return err
	}
	source, err := backends.Source("auto")
	if err != nil {
		return err
	}
	verifier, err := verifierOf(backends)
	if err != nil {
		return err
	}
	fetcher := fetch.Fetcher{Roots: roots, Source: source, Verifier: verifier, Finder: endpoint.New(a.env), Warn: a.warn}
	if c.Bool("sync") {
		path, err := fetcher.Sync(c.Context, args[0])
		if err == nil {
			a.warn("wrote " + path)
		}
		return err
	}
	if out := c.String("out"); out != "" && out != "-" {
		if err := outsideStores("--out", out, a.knownStores(roots)); err != nil {
			return err
		}
	}
	found, err := fetcher.Fetch(c.Context, args[0])
	if err != nil {
		return err
	}
	if format == "both" && found.Sidecar == "" {
		a.warn("no sidecar holds the JSON of this conversation; for JSON here use --format json")
	}
	return a.write(c.String("out"), found, func(w io.Writer) error {
		if format != "json" {
			return a.render(c.Context, backends, roots, found, "markdown", w)
		}
		if found.From == fetch.Native {
			out := newIndenter(w)
			return errors.Join(a.render(c.Context, backends, roots, found, "json", out), out.Close())
		}
		text, err := sidecarText(found)
		if err != nil {
			return err
		}
		return indent(w, text)
	})
}

// render converts what was found: the session's file, which holds what a proved answer holds, or the trajectory itself when
// no file does.
func (a *app) render(ctx context.Context, backends *registry.Registry, roots []store.Root, found *fetch.Found, sinkName string, w io.Writer) error {
	sink, err := backends.Sink(sinkName)
	if err != nil {
		return err
	}
	request := &request{backends: backends, from: registry.Auto, targets: []convert.Target{{Sink: sink}}, subagents: convert.SubagentsInline}
	job := request.job(a.log)
	switch {
	case found.Session == nil:
		job.Ref = sources.Ref{ID: found.ID}
		job.Source = daemon.Held(found.Trajectory, "ordinary answer", "no disk holds this conversation: it is what a running daemon has in memory")
	case found.From == fetch.Unproved:
		job.Ref = sources.Ref{ID: found.Session.ID, Surface: found.Session.Root.Surface}
		job.Source = daemon.Held(found.Trajectory, "ordinary answer", "the session's own file cannot be read: this is what a running daemon has in memory, and nothing proves it")
	case found.From == fetch.Unverified:
		job.Ref = sources.Ref{ID: found.Session.ID, Surface: found.Session.Root.Surface}
		job.Source = daemon.Held(found.Trajectory, "sidecar", "the session's own file cannot be read: this is what its sidecar keeps, which may be older")
	default:
		session, err := store.NewFinder(roots).Find(found.Session.Path) // which knows the conversation's own folder
		if err != nil {
			return err
		}
		var loader facts.Loader
		job.Ref = session.Ref()
		job.Describe = loader.Of(ctx, session.Root).Describer(session)
		job.Family = newRelatives(request, roots, &loader, nil).of(session)
		if job.Source, err = request.source(); err != nil {
			return err
		}
	}
	if job.Out, err = artifact.OpenStream(w); err != nil {
		return err
	}
	_, err = convert.Run(ctx, job)
	return err
}

// verifierOf reads sessions with the built-in sources.
func verifierOf(backends *registry.Registry) (*verify.Verifier, error) {
	database, err := backends.Source("sqlite")
	if err != nil {
		return nil, err
	}
	legacy, err := backends.Source("legacypb")
	if err != nil {
		return nil, err
	}
	return verify.New(database, legacy), nil
}

// warn prints one line for people.
func (a *app) warn(text string) { fmt.Fprintln(a.streams.Err, printable(text)) }

package cli

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"agy-reader/host/convert"
	"agy-reader/host/diag"
	"agy-reader/host/registry"
	"agy-reader/host/store"
	"agy-reader/plugins/launch"
	"agy-reader/sinks"
	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// request is what a command line asked of every session it names.
type request struct {
	backends  *registry.Registry
	from      string
	targets   []convert.Target
	processes []*launch.Process

	selection, profile, zone string
	strict, keepWrappers     bool
	noRecords, noThinking    bool
	assets                   bool
	subagents                convert.Subagents
}

func (a *app) request(c *cli.Context) (*request, error) {
	backends, err := a.liveBackends(c)
	if err != nil {
		return nil, err
	}
	r := &request{
		backends: backends, from: c.String("from"),
		selection: c.String("select"), profile: c.String("profile"), zone: c.String("tz"),
		noRecords: c.Bool("no-records"), noThinking: c.Bool("no-thinking"), assets: c.Bool("assets"),
	}
	if r.strict, err = wanted(c, "unknown", "fail", "mark"); err != nil {
		return nil, err
	}
	if r.keepWrappers, err = wanted(c, "wrappers", "keep", "project"); err != nil {
		return nil, err
	}
	if _, err := time.LoadLocation(r.zone); err != nil {
		return nil, diag.Usagef("--tz: %w", err)
	}
	if _, err := backends.Source(r.from); err != nil {
		return nil, err
	}
	if err := ownProfiles(c); err != nil {
		return nil, err
	}
	if r.profile != "" {
		if _, err := profile.Load(r.profile); err != nil {
			return nil, diag.Advise(diag.Usagef("--profile: %w", err), seeProfiles)
		}
	}
	for _, name := range strings.Split(c.String("to"), ",") {
		sink, err := r.sink(c, strings.TrimSpace(name), a)
		if err != nil {
			r.close()
			return nil, err
		}
		r.targets = append(r.targets, convert.Target{Sink: sink})
	}
	return r, nil
}

// sink finds a built-in sink, or starts a plugin that lives until close.
func (r *request) sink(c *cli.Context, name string, a *app) (sinks.Sink, error) {
	if name == "md" { // as export-offline calls it
		name = "markdown"
	}
	if !strings.HasPrefix(name, launch.Scheme) {
		return r.backends.Sink(name)
	}
	ref, err := launch.ParseRef(name)
	if err != nil {
		return nil, diag.Usagef("--to %w", err)
	}
	process, err := launch.Start(c.Context, launch.Command{Path: ref.Path}, launch.Options{Log: a.log})
	if err != nil {
		return nil, err
	}
	r.processes = append(r.processes, process)
	return process.Sink(), nil
}

// close ends the plugins this request started.
func (r *request) close() {
	for _, process := range r.processes {
		_ = process.Close() // the conversions have said what was wrong with it
	}
}

// job is what every session has in common.
func (r *request) job(log *slog.Logger) convert.Job {
	return convert.Job{
		Targets: r.targets, Select: r.selection, Profile: r.profile, Strict: r.strict, KeepWrappers: r.keepWrappers,
		NoRecords: r.noRecords, NoThinking: r.noThinking, Assets: r.assets, Subagents: r.subagents, TimeZone: r.zone, Log: log,
	}
}

// source is who reads any session: the one that was asked for, else the one that chooses by what is there.
func (r *request) source() (sources.Source, error) { return r.backends.Source(r.from) }

// sourceOf is source for a session that was named. One that was asked for by name and reads other files is an error.
func (r *request) sourceOf(s store.Session) (sources.Source, error) {
	source, err := r.source()
	if err != nil {
		return nil, err
	}
	takes := source.Describe().Suffixes
	if len(takes) == 0 || s.Kind != ".db" && s.Kind != ".pb" && s.Path != "" || slices.Contains(takes, s.Kind) || r.from == "auto" {
		return source, nil
	}
	has := "is a " + s.Kind + " file"
	if s.Path == "" {
		has = "has transcript logs only"
	}
	return nil, fmt.Errorf("%w: --from %s reads %s files, and %s %s; leave out --from to read what is there", sources.ErrUnsupported, r.from, strings.Join(takes, ", "), s.ID, has)
}

// sourceFor returns the first source that reads files of this ending, or nil.
func sourceFor(backends *registry.Registry, suffix string) sources.Source {
	for _, source := range backends.Sources() {
		if slices.Contains(source.Describe().Suffixes, suffix) {
			return source
		}
	}
	return nil
}

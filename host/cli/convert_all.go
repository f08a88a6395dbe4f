package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"google.golang.org/protobuf/proto"

	"agy-reader/host/archive"
	"agy-reader/host/convert"
	"agy-reader/host/diag"
	"agy-reader/host/facts"
	"agy-reader/host/store"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// onlyAll are flags that mean something with --all only.
var onlyAll = []string{"jobs", "include-implicit", "project", "since", "verbose"}

// convertAll exports every conversation of the stores into an archive.
func (a *app) convertAll(c *cli.Context, args []string) error {
	switch {
	case len(args) > 0:
		return diag.Usagef("--all converts every conversation; leave out %s, or --all", args[0])
	case !c.IsSet("out"):
		return diag.Usagef("--all needs a folder of its own: --out DIR")
	case c.String("out") == "-":
		return diag.Usagef("--all makes many files; name a folder with --out")
	case c.String("select") != "":
		return diag.Usagef("--all keeps whole conversations; --select is for single ones")
	case c.IsSet("jobs") && c.Int("jobs") < 1:
		return diag.Usagef("--jobs takes a number above 0, not %d", c.Int("jobs"))
	}
	dir := c.String("out")
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return diag.Usagef("--out %s is a file; --all needs a folder", dir)
	}
	roots, err := a.allRoots(c)
	if err != nil {
		return err
	}
	if err := outsideStores("--out", dir, a.knownStores(roots)); err != nil {
		return err
	}
	request, err := a.request(c)
	if err != nil {
		return err
	}
	defer request.close()
	if request.subagents, err = parseSubagents(c.String("subagents"), convert.SubagentsSeparate); err != nil {
		return err
	}
	sessions, listErr := store.All(roots, c.Bool("include-implicit"))
	if err := a.foreign(c, roots, len(sessions), request.strict); err != nil {
		if len(sessions) == 0 {
			return errors.Join(err, listErr)
		}
		listErr = errors.Join(listErr, err)
	}
	listed := sessions
	sessions, filtered, err := a.chosen(c, sessions)
	if err != nil {
		return err
	}
	a.sayLinks(roots, c.Bool("include-implicit"))
	if len(sessions) == 0 {
		return errors.Join(nothingToExport(c, roots, len(listed)), listErr)
	}
	export := &export{app: a, request: request, asJSON: c.Bool("json"), every: c.Bool("verbose")}
	export.opt = archive.Options{
		Dir: dir, Sessions: sessions, Targets: request.targets, Key: optionsKey(c, request), Jobs: c.Int("jobs"), Force: c.Bool("force"),
		TimeZone: request.zone, Related: request.subagents != convert.SubagentsNone,
	}
	if !filtered && listErr == nil {
		for _, root := range roots {
			export.opt.Searched = append(export.opt.Searched, root.Surface)
		}
		export.opt.Buckets = []string{store.Conversations, "brain"}
		if c.Bool("include-implicit") {
			export.opt.Buckets = append(export.opt.Buckets, store.Implicit)
		}
	}
	export.relatives = newRelatives(request, roots, &export.facts, nil)
	export.relatives.all = func() ([]store.Session, error) {
		if c.Bool("include-implicit") {
			return listed, nil
		}
		return store.WithImplicit(listed, roots)
	}
	// What could not be listed is no reason to leave out the rest.
	return errors.Join(export.run(c.Context), listErr)
}

// nothingToExport is the error of a run that would export nothing: a folder or a filter is not what was meant.
func nothingToExport(c *cli.Context, roots []store.Root, listed int) error {
	if listed == 0 {
		return diag.Advise(fmt.Errorf("%w: none is under %s; nothing was written", sources.ErrNotFound, store.Paths(roots)), otherStore)
	}
	var filters []string
	for _, flag := range []string{"project", "since"} {
		if c.String(flag) != "" {
			filters = append(filters, "--"+flag+" "+c.String(flag))
		}
	}
	return fmt.Errorf("%w: none of %s under %s fits %s; nothing was written", sources.ErrNotFound,
		plural(listed, "conversation", "conversations"), store.Paths(roots), strings.Join(filters, " and "))
}

// foreign says that there are files of a kind nobody knows where sessions lie: something has changed. It is an error when
// there is nothing else, or when unknown things are not to be passed over.
func (a *app) foreign(c *cli.Context, roots []store.Root, known int, strict bool) error {
	unknown := store.Unknown(roots, c.Bool("include-implicit"))
	if len(unknown) == 0 {
		return nil
	}
	if known == 0 || strict {
		return fmt.Errorf("%w: %s under %s", sources.ErrUnsupported, recognised(known, unknown), store.Paths(roots))
	}
	fmt.Fprintf(a.streams.Err, "%s\n", printable(recognised(known, unknown)))
	return nil
}

// chosen are the sessions that --all converts; filtered is set when flags leave some of them out.
func (a *app) chosen(c *cli.Context, sessions []store.Session) (_ []store.Session, filtered bool, err error) {
	since, err := parseSince(c.String("since"), time.Now())
	if err != nil {
		return nil, false, err
	}
	project := c.String("project")
	filtered = project != "" || !since.IsZero()
	if !filtered {
		return sessions, false, nil
	}
	sessions = slices.Clone(sessions) // what is left out is still somebody's parent
	sessions = slices.DeleteFunc(sessions, func(s store.Session) bool { return s.Modified.Before(since) })
	if project == "" {
		return sessions, filtered, nil
	}
	rows, err := a.describe(c.Context, sessions)
	if err != nil {
		return nil, false, err
	}
	wanted := map[string]bool{}
	for _, row := range rows {
		wanted[row.ID] = row.belongsTo(project)
	}
	return slices.DeleteFunc(sessions, func(s store.Session) bool { return !wanted[s.ID] }), true, nil
}

// optionsKey is everything on the command line that decides the bytes of documents, and the program's version.
func optionsKey(c *cli.Context, r *request) string {
	key := "agy-reader " + Version
	for _, flag := range []string{"from", "profile", "unknown", "wrappers", "no-records", "no-thinking", "assets"} {
		key += fmt.Sprintf("\n%s=%v", flag, c.Value(flag))
	}
	for _, dir := range c.StringSlice("profile-dir") {
		key += "\nprofile-dir=" + contentOf(dir)
	}
	return key + "\nsubagents=" + string(r.subagents)
}

// contentOf is a hash over the files of a folder of profiles, wherever it lies.
func contentOf(dir string) string {
	hash := sha256.New()
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil //nolint:nilerr // reading the profiles has said what is wrong with them
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		fmt.Fprintf(hash, "%q %d %v\n%s", name, len(text), err == nil, text)
		return nil
	})
	return hex.EncodeToString(hash.Sum(nil))
}

// export is one run of `convert --all`.
type export struct {
	app       *app
	request   *request
	opt       archive.Options
	relatives *relatives
	facts     facts.Loader
	report    *exportReport
	// every: say a line for what is unchanged, too.
	asJSON, every bool
}

func (e *export) run(ctx context.Context) error {
	if e.opt.Jobs == 0 {
		e.opt.Jobs = runtime.GOMAXPROCS(0)
	}
	if len(e.request.processes) > 0 {
		e.opt.Jobs = 1 // a plugin need not be ready for two
	}
	e.report = newExportReport(e.app, e.asJSON, e.every, len(e.opt.Sessions))
	e.opt.Job, e.opt.Describe = e.job, e.describe
	e.opt.KeyOf = e.known
	e.opt.Named = func(names map[string]string) {
		e.relatives.href = func(id string) string { return hrefOf(names, id) }
	}
	e.opt.Report, e.opt.Progress = e.report.add, e.report.progress
	summary, err := archive.Run(ctx, e.opt)
	e.report.stop()
	for _, note := range e.facts.Notes() {
		fmt.Fprintf(e.app.streams.Err, "note: %s\n", printable(note))
	}
	if summary == nil {
		return err
	}
	if finishErr := e.report.finish(summary, e.opt.Dir); finishErr != nil {
		err = errors.Join(err, finishErr)
	}
	if ctx.Err() != nil {
		done := summary.Written + summary.Unchanged
		fmt.Fprintf(e.app.streams.Err, "agy-reader: interrupted; %d of %s are up to date\n", done, plural(summary.Total, "conversation", "conversations"))
		return errors.Join(errSaid, context.Canceled)
	}
	return errors.Join(err, e.report.worst)
}

// job is how one conversation is converted.
func (e *export) job(s store.Session) (convert.Job, error) {
	job := e.request.job(e.app.log)
	var err error
	if job.Source, err = e.request.sourceOf(s); err != nil {
		return job, err
	}
	job.Describe = e.facts.Of(context.Background(), s.Root).Describer(s)
	job.Family = e.relatives.of(s)
	if e.opt.Jobs > 1 {
		job.Workers = max(1, runtime.GOMAXPROCS(0)/e.opt.Jobs)
	}
	return job, nil
}

// known is what the indexes of the store say about a conversation: its document shows it.
func (e *export) known(s store.Session) string {
	header := &transcriptv1.Header{ConversationId: s.ID, Surface: s.Root.Surface, Provenance: &transcriptv1.Provenance{Source: sourceOf(s)}}
	e.facts.Of(context.Background(), s.Root).Describer(s)(header)
	text, err := proto.MarshalOptions{Deterministic: true}.Marshal(header)
	if err != nil {
		return err.Error() // a header of plain texts has nothing that fails
	}
	return string(text)
}

// describe is what the name of a new conversation is made of.
func (e *export) describe(ctx context.Context, s store.Session) archive.Known {
	index := e.facts.Of(ctx, s.Root)
	ref := s.Ref()
	ref.Titled = index.Title(s.ID).GetValue() != ""
	header := &transcriptv1.Header{}
	if summary, err := peekerFor(e.request.backends, s).Peek(ctx, ref); err == nil {
		if header = summary.Header; header == nil {
			header = &transcriptv1.Header{Title: summary.Title, CreatedNs: summary.CreatedNS}
		}
	}
	index.Describer(s)(header)
	return archive.Known{Title: header.GetTitle().GetValue(), CreatedNS: header.CreatedNs}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"agy-reader/host/diag"
	"agy-reader/host/facts"
	"agy-reader/host/lineage"
	"agy-reader/host/registry"
	"agy-reader/host/store"
	"agy-reader/sources"
)

func (a *app) showCommand() *cli.Command {
	return &cli.Command{
		Name:         "show",
		Usage:        "say what is known about one conversation, and from where",
		ArgsUsage:    "SESSION",
		Description:  "Title, project, times, sources, parent, children, files, and the command that goes on with it in the product. Nothing is converted.",
		Flags:        []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print JSON; times are UTC, unknown values are null"}, showFromFlag(), rootFlag()},
		BashComplete: a.complete(a.sessionIDs),
		Action:       a.show,
	}
}

// shown is one conversation in `show --json`: what `list --json` has, and what only a look at the others and into the folders
// tells.
type shown struct {
	listed
	Children []shownChild `json:"children"`
	// Files belong to the conversation: the session file and those that lie beside it, by their name; those of the brain
	// folder by their path in it.
	Files []shownFile `json:"files"`
	// MoreFiles were not counted.
	MoreFiles bool `json:"moreFiles,omitempty"`
}

// shownChild is a subagent. Step is the index of the step that started it.
type shownChild struct {
	ID       string  `json:"id"`
	Title    *string `json:"title"`
	Step     *uint32 `json:"step"`
	Evidence string  `json:"evidence"`
}

func (a *app) show(c *cli.Context) error {
	args, err := positional(c)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return diag.Usagef("show takes one session, got %s", plural(len(args), "argument", "arguments"))
	}
	roots, err := a.allRoots(c)
	if err != nil {
		return err
	}
	session, err := store.NewFinder(roots).Find(args[0])
	if err != nil && c.String("from") == daemonSource {
		session, err = unstored(args[0], err)
	}
	if err != nil {
		return err
	}
	all, err := store.All(roots, true)
	if err != nil && len(all) == 0 {
		return err
	}
	for _, s := range all { // which knows the copies in other stores
		if s.Path == session.Path && s.Brain == session.Brain {
			session = s
		}
	}
	backends, err := a.liveBackends(c)
	if err != nil {
		return err
	}
	peeker, err := showPeeker(backends, c.String("from"), session)
	if err != nil {
		return err
	}
	about, failure, err := a.look(c.Context, backends, peeker, session, all)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = writeJSON(a.streams.Out, about)
	} else {
		err = a.printShown(about)
	}
	return errors.Join(err, failure)
}

// look asks one conversation, the indexes of its store and those of all conversations that may be its children. failure is why the
// conversation itself could not be read.
func (a *app) look(ctx context.Context, backends *registry.Registry, peeker sources.Peeker, s store.Session, all []store.Session) (about *shown, failure, err error) {
	var loader facts.Loader
	about = &shown{listed: newListed(s), Children: []shownChild{}}
	failure = about.ask(ctx, peeker, loader.Of(ctx, s.Root), s)
	about.Files, about.MoreFiles = filesOf(s)
	family := lineage.New(lineage.Options{
		Sessions: func() ([]store.Session, error) { return all, nil },
		Source:   func(store.Session) (sources.Source, error) { return backends.Source("auto") },
		Index:    func(ctx context.Context, root store.Root) lineage.Index { return loader.Of(ctx, root) },
	})
	offspring, err := family.Children(ctx, s.ID, s.Ref())
	if err != nil {
		return nil, nil, err
	}
	for _, child := range offspring.Children {
		row := shownChild{ID: child.ID, Step: child.Step, Evidence: child.Evidence}
		for _, other := range all {
			if strings.EqualFold(other.ID, child.ID) {
				row.Title = known(loader.Of(ctx, other.Root).Title(other.ID).GetValue())
			}
		}
		about.Children = append(about.Children, row)
	}
	for _, note := range offspring.Notes {
		fmt.Fprintf(a.streams.Err, "note: %s\n", printable(note.GetText()))
	}
	for _, note := range loader.Notes() {
		fmt.Fprintf(a.streams.Err, "note: %s\n", printable(note))
	}
	return about, failure, ctx.Err()
}

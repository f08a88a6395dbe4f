package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"agy-reader/host/builtin"
	"agy-reader/host/diag"
	"agy-reader/host/registry"
	"agy-reader/host/store"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

// explained is what `profiles explain` prints.
type explained struct {
	Session     string `json:"session"`
	Storage     string `json:"storage"`
	Fingerprint string `json:"schemaFingerprint,omitempty"`
	FileKey     string `json:"fileKey,omitempty"`
	// Version is empty when none is recorded, which is always so in databases and encrypted files.
	Version    string      `json:"version,omitempty"`
	Samples    int         `json:"sampledSteps"`
	Profile    string      `json:"profile"`
	Verified   bool        `json:"verified"`
	Reason     string      `json:"reason"`
	Candidates []candidate `json:"candidates"`
}

// candidate is one profile and what of the whole session it does not know.
type candidate struct {
	profile.Candidate
	// Session lists what was met, in words and at most 20, and Places how much that was.
	Session []string `json:"unknownInSession,omitempty"`
	Places  int      `json:"unknownPlaces"`
	// Unread lists what is missing or damaged, in the same way: no profile can tell what it holds.
	Unread       []string `json:"unreadInSession,omitempty"`
	UnreadPlaces int      `json:"unreadPlaces"`
	Error        string   `json:"error,omitempty"`
}

// evidencer is a source whose storage form needs a profile.
type evidencer interface {
	Evidence(ctx context.Context, ref sources.Ref) (profile.Evidence, error)
}

func (a *app) explainProfile(c *cli.Context) error {
	args, err := positional(c)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return diag.Advise(diag.Usagef("profiles explain takes one session: a path or an id"), "see `agy-reader list` for the ids")
	}
	if err := ownProfiles(c); err != nil {
		return err
	}
	roots, err := a.allRoots(c)
	if err != nil {
		return err
	}
	session, err := store.NewFinder(roots).Find(args[0])
	if err != nil {
		return err
	}
	e, err := explain(c.Context, session)
	if err != nil {
		return fmt.Errorf("explain %s: %w", session.ID, err)
	}
	if c.Bool("json") {
		return writeJSON(a.streams.Out, e)
	}
	e.print(a.streams.Out)
	return nil
}

func explain(ctx context.Context, session store.Session) (*explained, error) {
	backends, err := builtin.Registry()
	if err != nil {
		return nil, err
	}
	if session.Path == "" {
		return explainLogs(ctx, backends, session)
	}
	source := sourceFor(backends, session.Kind)
	asked, ok := source.(evidencer)
	if !ok {
		return nil, fmt.Errorf("%w: only databases, encrypted files and logs are decoded by a profile", sources.ErrUnsupported)
	}
	ref := session.Ref()
	evidence, err := asked.Evidence(ctx, ref)
	if err != nil {
		return nil, err
	}
	all, reason, verified, err := profile.Explain(evidence)
	if err != nil {
		return nil, err
	}
	e := &explained{
		Session: session.ID, Storage: session.Kind, Fingerprint: evidence.SchemaFingerprint, FileKey: evidence.FileKey,
		Version: evidence.Version, Samples: len(evidence.Samples), Reason: reason, Verified: verified,
	}
	for _, one := range all {
		if one.Chosen {
			e.Profile = one.Name
		}
		found := candidate{Candidate: one}
		if err := found.read(ctx, source, ref); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			found.Error = err.Error()
		}
		e.Candidates = append(e.Candidates, found)
	}
	return e, nil
}

// explainLogs is explain for a conversation of which only logs are there. Their lines have names instead of numbers, so no
// profile knows more of them than another.
func explainLogs(ctx context.Context, backends *registry.Registry, session store.Session) (*explained, error) {
	source, err := backends.Source("mirror")
	if err != nil {
		return nil, err
	}
	reader, err := source.Open(ctx, session.Ref(), sources.Want{})
	if err != nil {
		return nil, err
	}
	used := reader.Header().GetProvenance()
	if _, err := reader.Close(); err != nil {
		return nil, err
	}
	return &explained{
		Session: session.ID, Storage: storedAsLogs, Profile: used.GetProfile(), Reason: used.GetProfileReason(), Verified: !used.GetUnverified(),
		Candidates: []candidate{},
	}, nil
}

const storedAsLogs = "transcript logs"

// read decodes the whole session with a candidate and collects the notes about what it does not know.
func (c *candidate) read(ctx context.Context, source sources.Source, ref sources.Ref) (err error) {
	reader, err := source.Open(ctx, ref, sources.Want{Profile: c.Name, Records: true})
	if err != nil {
		return err
	}
	defer func() {
		if _, closed := reader.Close(); err == nil {
			err = closed
		}
	}()
	seen := map[string]bool{}
	keep := func(list *[]string, text string) {
		if !seen[text] && len(*list) < 20 {
			seen[text] = true
			*list = append(*list, text)
		}
	}
	for {
		batch, err := reader.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		err = batch.Decode(func(ev *transcriptv1.Event) error {
			note := ev.GetNote()
			switch {
			case note.GetKind() == interpret.NoteUnknown:
				c.Places++
				keep(&c.Session, note.GetText())
			case note.GetIncomplete():
				c.UnreadPlaces++
				keep(&c.Unread, note.GetText())
			}
			return nil
		})
		batch.Release()
		if err != nil {
			return err
		}
	}
}

func (e *explained) print(out io.Writer) {
	fmt.Fprintf(out, "%s\n\nstorage:   %s\n", printable(e.Session), e.Storage)
	if e.Fingerprint != "" {
		fmt.Fprintf(out, "schema:    %s\n", e.Fingerprint)
	}
	if e.FileKey != "" {
		fmt.Fprintf(out, "key:       %s\n", printable(e.FileKey))
	}
	version := "not recorded"
	if e.Version != "" {
		version = "agy " + e.Version
	}
	fmt.Fprintf(out, "version:   %s\n", printable(version))
	if e.Storage != storedAsLogs {
		fmt.Fprintf(out, "sampled:   %s\n", plural(e.Samples, "step", "steps"))
	}
	state := "verified"
	if !e.Verified {
		state = "unverified"
	}
	fmt.Fprintf(out, "\nchosen:    %s, %s\n           %s\n", printable(e.Profile), state, printable(e.Reason))
	for _, c := range e.Candidates {
		fmt.Fprintf(out, "\n%s\n  why:     %s\n", printable(c.Name), printable(c.Reason))
		switch {
		case c.Error != "":
			fmt.Fprintf(out, "  session: cannot be read with it: %s\n", printable(c.Error))
		case c.Places == 0 && c.UnreadPlaces > 0:
			fmt.Fprintf(out, "  session: nothing is unknown in what can be read\n")
		case c.Places == 0:
			fmt.Fprintf(out, "  session: nothing in it is unknown\n")
		default:
			fmt.Fprintf(out, "  session: unknown in %s\n", plural(c.Places, "place", "places"))
		}
		printNotes(out, c.Session)
		if c.UnreadPlaces > 0 {
			fmt.Fprintf(out, "  unread:  %s, missing or damaged\n", plural(c.UnreadPlaces, "place", "places"))
			printNotes(out, c.Unread)
		}
	}
}

func printNotes(out io.Writer, texts []string) {
	for _, text := range texts {
		fmt.Fprintf(out, "    - %s\n", printable(text))
	}
}

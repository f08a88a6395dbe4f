package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
	"agy-reader/host/store"
	"agy-reader/sinks"
)

// Options say what to export.
type Options struct {
	// Dir is the archive; it is made when it does not exist.
	Dir string
	// Sessions are exported and reported in this order; each id once.
	Sessions []store.Session
	// Searched are the labels of the stores that Sessions is everything of, and Buckets their folders: what the archive holds
	// from there and Sessions lacks is gone.
	Searched, Buckets []string
	// Targets are the formats.
	Targets []convert.Target
	// Job makes the job of a conversation, complete but for Ref, Targets, Out, BaseName and Finish.
	Job func(store.Session) (convert.Job, error)
	// Key says everything that decides the bytes of all documents, KeyOf (may be nil) of one: what indexes and lineage know.
	Key   string
	KeyOf func(store.Session) string
	// Related: documents also show what became of the conversations that theirs started.
	Related bool
	// Describe says what the name of a new conversation is made of.
	Describe func(context.Context, store.Session) Known
	// Named is called once, before anything is written, with the base name of every conversation in the archive by its id in
	// lower case; may be nil.
	Named func(map[string]string)
	// Jobs is how many conversations are converted at once; 0 means GOMAXPROCS.
	Jobs int
	// Force replaces files that were edited, or that this program did not write.
	Force bool
	// TimeZone is that of times in the index; empty means UTC.
	TimeZone string
	// Report is called for each session, in their order, by one goroutine; may be nil. Progress likewise, as soon as one is
	// done, in any order.
	Report   func(Outcome)
	Progress func(done, total int)
}

// State is what became of a conversation.
type State string

// States of an outcome.
const (
	// Written: the files changed, or are new.
	Written State = "written"
	// Unchanged: the files are what they were.
	Unchanged State = "unchanged"
	// Failed: nothing was written; files of an earlier run stay.
	Failed State = "failed"
)

// Outcome is what became of one session.
type Outcome struct {
	Session store.Session
	State   State
	// Entry is what the archive now knows of it; nil when the run was cancelled before.
	Entry *Entry
	// Earlier is set when this run kept an earlier version.
	Earlier *Earlier
	Err     error
	Took    time.Duration
}

// Summary is what a run did.
type Summary struct {
	Total, Written, Unchanged, Failed, Incomplete int
	// Earlier counts conversations of which this run kept an earlier version, Gone those that no store holds any more.
	Earlier, Gone int
	// Index are the index files.
	Index []string
}

// Run brings the archive up to date. A conversation that fails is reported and never stops the rest; the error is about
// the archive itself, or the cause of ctx: then what was done until then is kept and listed.
func Run(ctx context.Context, opt Options) (summary *Summary, err error) {
	if info, err := os.Lstat(opt.Dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a symbolic link; name the folder it leads to: %w", opt.Dir, artifact.ErrExists)
	}
	if err := os.MkdirAll(opt.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("open the archive: %w: %w", sinks.ErrOutput, err)
	}
	root, err := os.OpenRoot(opt.Dir)
	if err != nil {
		return nil, fmt.Errorf("open the archive: %w: %w", sinks.ErrOutput, err)
	}
	defer func() { _ = root.Close() }() // nothing is pending on it
	journal, done, unsure, err := openJournal(root)
	if err != nil {
		return nil, err
	}
	finished := false
	defer func() { err = errors.Join(err, journal.end(finished || journal.empty)) }()
	a, err := load(root, opt, done, unsure)
	if err != nil {
		return nil, err
	}
	a.journal = journal
	if err := artifact.Settle(opt.Dir); err != nil { // a killed run may have stopped between two renames
		return nil, err
	}
	summary, runErr := a.run(ctx)
	if summary == nil {
		return nil, runErr
	}
	if err := a.finish(context.WithoutCancel(ctx), summary); err != nil {
		return summary, errors.Join(runErr, err)
	}
	finished = true
	return summary, runErr
}

// archive is one run.
type archive struct {
	opt     Options
	root    *os.Root
	journal *journal
	// entries are the conversations of the archive by key; known is set when a manifest was there.
	entries map[string]*Entry
	known   bool
	// written is when the manifest was.
	written time.Time
	// unsure are ids whose files a killed run may have replaced.
	unsure map[string]bool
	names  map[string]string
	// shared are texts of entries.
	shared map[string]string
	// fresh are the conversations that this run converted.
	fresh map[string]bool
	// options is the hash over Key and targets.
	options string
	taken   artifact.Run
}

func load(root *os.Root, opt Options, done map[string]*Entry, unsure map[string]bool) (*archive, error) {
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.GOMAXPROCS(0)
	}
	manifest, err := readManifest(root)
	if err != nil {
		return nil, err
	}
	a := &archive{opt: opt, root: root, entries: map[string]*Entry{}, shared: map[string]string{}, fresh: map[string]bool{}, unsure: unsure, options: optionsHash(opt)}
	if manifest != nil {
		a.known = true
		if info, err := root.Lstat(ManifestName); err == nil {
			a.written = info.ModTime()
		}
		for _, e := range manifest.Conversations {
			a.entries[key(e.ID)] = e
		}
	}
	for id, e := range done {
		a.entries[id] = e
	}
	if err := a.checkIndex(); err != nil {
		return nil, err
	}
	return a, nil
}

// checkIndex refuses, before anything is written, an index that the archive could not publish later.
func (a *archive) checkIndex() error {
	for _, name := range []string{indexHTML, indexJSON, indexMarkdown} {
		info, err := a.root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && (a.known || a.opt.Force) {
			continue
		}
		if err != nil {
			return fmt.Errorf("look at %s: %w: %w", name, sinks.ErrOutput, err)
		}
		return fmt.Errorf("%s: %w; an archive needs a folder of its own", name, artifact.ErrExists)
	}
	return nil
}

// plan chooses the name of every conversation.
func (a *archive) plan(ctx context.Context) error {
	taken := names{}
	a.names = make(map[string]string, len(a.entries)+len(a.opt.Sessions))
	for id, e := range a.entries {
		taken.take(e.Name)
		a.names[id] = e.Name
	}
	for _, s := range sortedByID(a.opt.Sessions) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if id := key(s.ID); a.names[id] == "" {
			a.names[id] = taken.choose(s.ID, a.opt.Describe(ctx, s))
		}
	}
	if a.opt.Named != nil {
		a.opt.Named(a.names)
	}
	return nil
}

// withoutRoot takes the place of the store out of a message that goes into the archive.
func withoutRoot(message string, s store.Session) string {
	if path := s.Root.Path; len(path) > 1 {
		message = strings.ReplaceAll(message, path+string(os.PathSeparator), "")
		message = strings.ReplaceAll(message, path, s.Root.Surface)
	}
	return message
}

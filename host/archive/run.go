package archive

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"agy-reader/host/artifact"
	"agy-reader/host/store"
)

// run plans, converts and reports.
func (a *archive) run(ctx context.Context) (*Summary, error) {
	if err := a.plan(ctx); err != nil {
		return nil, err
	}
	if err := artifact.Sweep(a.opt.Dir, a.leftBehind); err != nil {
		return nil, err
	}
	work, pending := a.survey()
	if len(pending) > 0 {
		if err := a.journal.begin(pending); err != nil {
			return nil, err
		}
	}
	done := a.start(ctx, work)
	summary := &Summary{Total: len(work)}
	early := map[int]Outcome{} // of those behind one that takes long
	for i := range work {
		for {
			if _, ready := early[i]; ready {
				break
			}
			d := <-done
			early[d.at] = d.Outcome
		}
		o := early[i]
		delete(early, i)
		if o.Entry == nil {
			continue // cancelled before its turn
		}
		a.share(o.Entry)
		a.entries[key(o.Entry.ID)] = o.Entry
		if o.State != Failed && !work[i].whole {
			a.fresh[key(o.Entry.ID)] = true
		}
		summary.add(o)
		if a.opt.Report != nil {
			a.opt.Report(o)
		}
		work[i] = nil
	}
	return summary, context.Cause(ctx)
}

// share makes equal texts of entries one in memory: a project is that of many conversations, and most are complete.
func (a *archive) share(e *Entry) {
	for _, text := range []*string{&e.Project, &e.ProjectOrigin, &e.Profile, &e.Completeness} {
		if known, found := a.shared[*text]; found {
			*text = known
		} else {
			a.shared[*text] = *text
		}
	}
}

// leftBehind recognises what only this archive writes: temporary files of that name are those of a killed run.
func (a *archive) leftBehind(file string) bool {
	if own(file) {
		return true
	}
	for _, name := range a.names {
		if rest, ok := strings.CutPrefix(file, name); ok && strings.HasPrefix(rest, ".") {
			return true
		}
	}
	return false
}

// numbered is the outcome of a session by its place in the list.
type numbered struct {
	at int
	Outcome
}

// task is one session with what is known before it is converted.
type task struct {
	session store.Session
	sources []Source
	options string
	old     *Entry
	// prompts is the store's list of prompts: it speaks where no step is left.
	prompts []Source
	// whole: the sources and options are those of old, and so are its files.
	whole bool
	// edited is why old files may not be replaced.
	edited error
}

// survey looks at every session and returns the ids that will be written.
func (a *archive) survey() (work []*task, pending []string) {
	work = make([]*task, len(a.opt.Sessions))
	var group sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i, s := range a.opt.Sessions {
		slots <- struct{}{}
		group.Go(func() {
			work[i] = a.look(s)
			<-slots
		})
	}
	group.Wait()
	a.checkFamilies(work)
	for _, t := range work {
		if !t.whole {
			pending = append(pending, t.session.ID)
		}
	}
	return work, pending
}

// sourcesOf is what a document with so many steps is made of.
func (t *task) sourcesOf(steps uint32) []Source {
	if steps > 0 {
		return t.sources
	}
	return slices.Concat(t.sources, t.prompts)
}

func (a *archive) look(s store.Session) *task {
	t := &task{session: s, sources: stateOf(s), prompts: promptsOf(s), options: a.options, old: a.entries[key(s.ID)]}
	if a.opt.KeyOf != nil {
		t.options = hashOf(t.options, a.opt.KeyOf(s))
	}
	if t.old == nil || a.unsure[key(s.ID)] {
		return t
	}
	var missing bool
	missing, t.edited = a.checkFiles(t.old)
	if a.opt.Force {
		missing, t.edited = missing || t.edited != nil, nil
	}
	same := t.old.Options == t.options && slices.Equal(t.old.Sources, t.sourcesOf(t.old.Steps))
	t.whole = same && !missing && t.edited == nil && t.old.Error == "" && len(t.old.Files) > 0
	return t
}

// start converts in the order of the sessions. Outcomes come as they are done, one for each.
func (a *archive) start(ctx context.Context, work []*task) <-chan numbered {
	outcomes := make(chan numbered, a.opt.Jobs)
	type numberedTask struct {
		at int
		*task
	}
	tasks := slices.Clone(work) // the reader drops what it has seen
	next := make(chan numberedTask)
	go func() {
		defer close(next)
		for i := range tasks {
			next <- numberedTask{i, tasks[i]}
			tasks[i] = nil
		}
	}()
	var mu sync.Mutex
	done := 0
	for range min(a.opt.Jobs, max(len(work), 1)) {
		go func() {
			for t := range next {
				outcomes <- numbered{t.at, a.one(ctx, t.task)}
				if a.opt.Progress != nil {
					mu.Lock()
					done++
					a.opt.Progress(done, len(tasks))
					mu.Unlock()
				}
			}
		}()
	}
	return outcomes
}

// one brings one conversation up to date. It never panics.
func (a *archive) one(ctx context.Context, t *task) (o Outcome) {
	started := time.Now()
	o = Outcome{Session: t.session}
	defer func() {
		o.Took = time.Since(started)
		if o.Err != nil && ctx.Err() == nil {
			o.State, o.Entry = Failed, a.failure(t, o.Err)
		}
	}()
	switch {
	case t.whole:
		entry := *t.old
		entry.Gone = false
		o.State, o.Entry = Unchanged, &entry
	case ctx.Err() != nil:
		o.Err = ctx.Err()
	case t.edited != nil:
		o.Err = t.edited
	default:
		a.convert(ctx, t, &o)
	}
	return o
}

// failure is the entry of a conversation that could not be converted: what was there stays.
func (a *archive) failure(t *task, err error) *Entry {
	e := &Entry{ID: t.session.ID, Root: t.session.Root.Surface, Bucket: t.session.Bucket, Name: a.names[key(t.session.ID)]}
	if t.old != nil {
		*e = *t.old
	}
	e.Gone = false
	e.Error = withoutRoot(err.Error(), t.session)
	return e
}

func (s *Summary) add(o Outcome) {
	switch o.State {
	case Written:
		s.Written++
	case Unchanged:
		s.Unchanged++
	case Failed:
		s.Failed++
	}
	if o.State != Failed && o.Entry.Incomplete {
		s.Incomplete++
	}
	if o.Earlier != nil {
		s.Earlier++
	}
}

func sortedByID(sessions []store.Session) []store.Session {
	sorted := slices.Clone(sessions)
	slices.SortStableFunc(sorted, func(a, b store.Session) int { return cmp.Compare(key(a.ID), key(b.ID)) })
	return sorted
}

// optionsHash is the part of Entry.Options that all conversations share.
func optionsHash(opt Options) string {
	parts := []string{fmt.Sprint(manifestVersion), opt.Key, opt.TimeZone}
	for _, t := range opt.Targets {
		info := t.Sink.Describe()
		parts = append(parts, info.Name, info.Suffix, string(t.Options))
	}
	return hashOf(parts...)
}

func hashOf(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%d:%s\n", len(part), part)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

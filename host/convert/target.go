package convert

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"agy-reader/host/artifact"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// target is one sink while a conversation goes through it. But for root and withhold, which workers use, it belongs to the
// ordering goroutine.
type target struct {
	sink     sinks.Sink
	info     sinks.Info
	needs    sinks.Needs
	withhold sinks.Withhold
	request  sinks.Request
	out      *owners

	// open are the sessions not yet closed, the conversation's own first. More than one only without Needs.Nested.
	open []*session
	// depth counts nested trajectories that go through the innermost session.
	depth int
	// used counts base names of nested sessions.
	used map[string]int
	// first is open[0] for as long as the target lives.
	first sinks.Session
}

// session is one opened session with what it created.
type session struct {
	sinks.Session
	guard *guard
}

func (p *plan) newTarget(t Target, h *transcriptv1.Header, out *owners) *target {
	info := t.Sink.Describe()
	needs := p.needs(info)
	withhold := sinks.WithholdFrom(needs, false)
	// Who would never have had a section is not told that it was left out: a document must not depend on what else is made.
	withhold.Sections = !info.Needs.Records
	return &target{
		sink: t.Sink, info: info, needs: needs, out: out,
		withhold: withhold,
		request: sinks.Request{
			BaseName: p.baseName(h), Options: t.Options, TimeZone: p.TimeZone,
			KeepWrappers: p.KeepWrappers, Notice: p.Notice,
		},
		used: map[string]int{},
	}
}

// begin opens a session for the conversation, or for a nested trajectory when the sink does not nest, and passes the header.
func (t *target) begin(ctx context.Context, ev *transcriptv1.Event) error {
	if len(t.open) > 0 && t.needs.Nested {
		t.depth++
		return t.event(ev)
	}
	request := t.request
	if len(t.open) > 0 {
		request.BaseName = artifact.SafeName(t.request.BaseName + "-" + ev.GetBegin().GetParentAnchor())
		t.used[request.BaseName]++
		if n := t.used[request.BaseName]; n > 1 {
			request.BaseName += "-" + strconv.Itoa(n)
		}
	}
	s := &session{guard: &guard{owners: t.out, many: t.needs.ManyFiles}}
	var err error
	if s.Session, err = t.sink.Open(ctx, &request, s.guard); err != nil {
		return t.failed(err)
	}
	if t.first == nil {
		t.first = s.Session
	}
	t.open = append(t.open, s)
	return t.event(ev)
}

// end passes the footer and closes the session that ends with it.
func (t *target) end(ev *transcriptv1.Event) error {
	if err := t.event(ev); err != nil {
		return err
	}
	if t.depth > 0 {
		t.depth--
		return nil
	}
	last := t.open[len(t.open)-1]
	if err := last.Close(); err != nil {
		return t.failed(err)
	}
	t.open = t.open[:len(t.open)-1]
	return t.failed(last.guard.check())
}

// event passes an event that was not rendered ahead.
func (t *target) event(ev *transcriptv1.Event) error {
	hidden, ok := t.withhold.Hide(ev)
	if !ok {
		return nil
	}
	defer hidden.Restore(ev)
	return t.failed(t.open[len(t.open)-1].Event(ev))
}

// rendered passes a step with what the conversation's own session rendered for it ahead, or now if the step is big: then
// into room, which the next target uses again.
func (t *target) rendered(ev *transcriptv1.Event, ahead *rendering, i int, room *[]byte) error {
	out, ok := ahead.piece(i)
	size := textSize(ev.GetStep())
	if len(t.open) != 1 || ahead.session == nil || (!ok && size < bigStep) {
		return t.event(ev)
	}
	hidden, _ := t.withhold.Hide(ev)
	defer hidden.Restore(ev)
	if !ok {
		var err error
		if out, err = ahead.session.Render(slices.Grow((*room)[:0], size+size/4), ev); err != nil {
			return t.failed(err)
		}
		*room = out
	}
	return t.failed(ahead.session.Rendered(ev, out))
}

// root is the conversation's own session.
func (t *target) root() sinks.Session { return t.first }

// abort drops every open session.
func (t *target) abort() {
	for i := len(t.open) - 1; i >= 0; i-- {
		t.open[i].Abort()
	}
	t.open = nil
}

func (t *target) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sink %s: %w", t.info.Name, err)
}

// owners remembers which session an artifact name belongs to.
type owners struct {
	out sinks.Artifacts
	mu  sync.Mutex
	by  map[string]*guard
}

// guard is the Artifacts of one session: it keeps sessions out of each other's files and counts what is still open.
type guard struct {
	owners *owners
	many   bool
	names  int
	open   int
}

// Create implements sinks.Artifacts.
func (g *guard) Create(name, mediaType string, part uint32) (io.WriteCloser, error) {
	if strings.ContainsRune(name, '/') {
		return nil, fmt.Errorf("create %q: %w: the name holds a path separator", name, sinks.ErrOutput)
	}
	g.owners.mu.Lock()
	defer g.owners.mu.Unlock()
	owner, taken := g.owners.by[name]
	switch {
	case taken && owner != g:
		return nil, fmt.Errorf("create %q: %w: another sink writes it", name, sinks.ErrOutput)
	case !taken && g.names > 0 && !g.many:
		return nil, fmt.Errorf("create %q: %w: the sink declares one file only", name, sinks.ErrOutput)
	}
	w, err := g.owners.out.Create(name, mediaType, part)
	if err != nil {
		return nil, err
	}
	if !taken {
		g.owners.by[name] = g
		g.names++
	}
	g.open++
	return &guarded{WriteCloser: w, guard: g}, nil
}

// check reports a session that ended with nothing written, or with a part still open.
func (g *guard) check() error {
	g.owners.mu.Lock()
	defer g.owners.mu.Unlock()
	switch {
	case g.open > 0:
		return fmt.Errorf("%w: %d parts are not closed", sinks.ErrOutput, g.open)
	case g.names == 0:
		return fmt.Errorf("%w: nothing was written", sinks.ErrOutput)
	}
	return nil
}

// guarded is a part that tells its guard when it is closed.
type guarded struct {
	io.WriteCloser
	guard *guard
	once  sync.Once
}

func (w *guarded) Close() error {
	w.once.Do(func() {
		w.guard.owners.mu.Lock()
		w.guard.open--
		w.guard.owners.mu.Unlock()
	})
	return w.WriteCloser.Close()
}

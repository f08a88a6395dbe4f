package cli

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"agy-reader/host/builtin"
	"agy-reader/host/facts"
	"agy-reader/host/registry"
	"agy-reader/host/store"
	"agy-reader/sources"
)

// describe asks conversations, several at a time, for what no file name says, and the indexes of their stores. One that
// cannot be read is listed with the reason.
func (a *app) describe(ctx context.Context, sessions []store.Session) ([]listed, error) {
	backends, err := builtin.Registry()
	if err != nil {
		return nil, err
	}
	rows := make([]listed, len(sessions))
	var loader facts.Loader
	var next, done atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(sessions)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(sessions) {
					return
				}
				s := sessions[i]
				rows[i] = newListed(s)
				_ = rows[i].ask(ctx, peekerFor(backends, s), loader.Of(ctx, s.Root), s) // the row says it
				done.Add(1)
			}
		})
	}
	stop := a.showProgress("reading titles", &done, len(sessions))
	workers.Wait()
	stop()
	for _, note := range loader.Notes() {
		fmt.Fprintf(a.streams.Err, "note: %s\n", printable(note))
	}
	return rows, ctx.Err()
}

// showProgress shows a bar on a terminal's stderr when something takes longer than half a second, until stop.
func (a *app) showProgress(what string, done *atomic.Int64, total int) (stop func()) {
	if !isTerminal(a.streams.Err) {
		return func() {}
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-quit:
			return
		case <-time.After(500 * time.Millisecond):
		}
		bar := progressbar.NewOptions(total, progressbar.OptionSetWriter(a.streams.Err), progressbar.OptionSetDescription(what),
			progressbar.OptionClearOnFinish(), progressbar.OptionShowCount())
		for {
			_ = bar.Set64(done.Load()) // a bar that cannot be drawn is no reason to stop
			select {
			case <-quit:
				_ = bar.Finish()
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// peekerFor chooses who says what a list needs of a conversation.
func peekerFor(backends *registry.Registry, s store.Session) sources.Peeker {
	if auto, err := backends.Source("auto"); err == nil {
		if peeker, ok := auto.(sources.Peeker); ok {
			return peeker
		}
	}
	if peeker, ok := sourceFor(backends, s.Kind).(sources.Peeker); ok {
		return peeker
	}
	return unreadable{s.Kind}
}

// unreadable stands for a source that this version does not have.
type unreadable struct{ kind string }

// Peek implements sources.Peeker.
func (u unreadable) Peek(context.Context, sources.Ref) (sources.Summary, error) {
	if u.kind == "" {
		return sources.Summary{}, fmt.Errorf("%w: only logs are left, which this version lists but cannot read", sources.ErrUnsupported)
	}
	return sources.Summary{}, fmt.Errorf("%w: a %s file, which this version lists but cannot read", sources.ErrUnsupported, u.kind)
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
	"agy-reader/host/diag"
	"agy-reader/host/facts"
	"agy-reader/host/store"
)

// conversion converts the sessions of one command.
type conversion struct {
	app     *app
	request *request
	plan    *outputPlan
	find    *store.Finder
	report  *report
	facts   facts.Loader
	// unstored, if not nil, says what a session is that no store holds.
	unstored func(arg string, err error) (store.Session, error)
	// relatives are the subagents of the sessions.
	relatives *relatives
}

// outcome is what became of one session.
type outcome struct {
	session store.Session
	result  *convert.Result
	took    time.Duration
	err     error
}

// all converts every session, several at a time, and reports them in the order they were named. One that fails never stops
// the rest. The error is the first failure, else «incomplete» if any session was.
func (c *conversion) all(ctx context.Context, args []string) (worst error) {
	atOnce := min(len(args), runtime.GOMAXPROCS(0))
	if len(c.request.processes) > 0 {
		atOnce = 1 // a plugin need not be ready for two
	}
	slots := make(chan struct{}, atOnce)
	outcomes := make([]chan outcome, len(args))
	for i := range outcomes {
		outcomes[i] = make(chan outcome, 1)
	}
	go func() {
		for i, arg := range args {
			slots <- struct{}{}
			go func() {
				outcomes[i] <- c.one(ctx, arg, atOnce)
				<-slots
			}()
		}
	}()
	for i, arg := range args {
		done := <-outcomes[i]
		c.report.endProgress()
		switch {
		case done.err == nil:
			c.report.add(done)
			if done.result.Incomplete {
				worst = worse(worst, errors.Join(errSaid, diag.ErrIncomplete))
			}
		case ctx.Err() == nil:
			c.app.complain(arg, done.err)
			worst = worse(worst, errors.Join(errSaid, done.err))
		}
	}
	for _, note := range c.facts.Notes() {
		fmt.Fprintf(c.app.streams.Err, "note: %s\n", printable(note))
	}
	if ctx.Err() != nil {
		fmt.Fprintf(c.app.streams.Err, "agy-reader: interrupted; %d of %s written\n", c.report.written, plural(len(args), "session", "sessions"))
		return errors.Join(errSaid, context.Canceled)
	}
	return worst
}

// one converts one session.
func (c *conversion) one(ctx context.Context, arg string, atOnce int) (done outcome) {
	started := time.Now()
	defer func() { done.took = time.Since(started) }()
	if done.err = ctx.Err(); done.err != nil {
		return done
	}
	done.session, done.err = c.find.Find(arg)
	if done.err != nil && c.unstored != nil {
		done.session, done.err = c.unstored(arg, done.err)
	}
	if done.err != nil {
		return done
	}
	job := c.request.job(c.app.log)
	if job.Source, done.err = c.request.sourceOf(done.session); done.err != nil {
		return done
	}
	if job.Out, done.err = c.plan.open(done.session); done.err != nil {
		return done
	}
	job.Ref = done.session.Ref()
	job.Describe = c.facts.Of(ctx, done.session.Root).Describer(done.session)
	job.Family = c.relatives.of(done.session)
	if atOnce == 1 { // several at once show their progress by the lines they report
		job.Progress = c.report.progress(done.session.ID)
	}
	done.result, done.err = convert.Run(ctx, job)
	return done
}

// links says where the documents of the sessions of this command are, by conversation id. Those of other sessions are none.
func (c *conversion) links(args []string) func(id string) string {
	names := sync.OnceValue(func() map[string]string {
		names := map[string]string{}
		for _, arg := range args {
			if session, err := c.find.Find(arg); err == nil && c.plan.dir != "" {
				names[strings.ToLower(session.ID)] = artifact.SafeName(session.ID)
			}
		}
		return names
	})
	return func(id string) string { return hrefOf(names(), id) }
}

// worse keeps the error whose exit code matters more: a failure over «incomplete», the earlier over the later.
func worse(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil || !errors.Is(a, diag.ErrIncomplete):
		return a
	case errors.Is(b, diag.ErrIncomplete):
		return a
	default:
		return b
	}
}

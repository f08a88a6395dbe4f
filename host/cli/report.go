package cli

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"agy-reader/host/artifact"
)

// report tells what became of each session: paths (or JSON) on stdout, a sentence on stderr.
type report struct {
	app      *app
	asJSON   bool
	toStdout bool
	written  int
	bar      *progressbar.ProgressBar
	sessions []sessionReport
}

// sessionReport is one session in `convert --json`.
type sessionReport struct {
	ID           string          `json:"id"`
	Path         string          `json:"path"`
	Steps        uint32          `json:"steps"`
	Notes        uint32          `json:"notes"`
	Incomplete   bool            `json:"incomplete"`
	Completeness string          `json:"completeness"`
	Files        []artifact.File `json:"files"`
}

func newReport(a *app, asJSON, toStdout bool) *report {
	return &report{app: a, asJSON: asJSON, toStdout: toStdout}
}

// progress shows a bar on a terminal's stderr, for sessions long enough to wait for.
func (r *report) progress(id string) func(steps, announced uint32) {
	if !isTerminal(r.app.streams.Err) {
		return nil
	}
	started := time.Now()
	return func(steps, announced uint32) {
		if r.bar == nil {
			if time.Since(started) < 300*time.Millisecond {
				return
			}
			r.bar = progressbar.NewOptions64(int64(max(announced, steps)),
				progressbar.OptionSetWriter(r.app.streams.Err),
				progressbar.OptionSetDescription(printable(id)),
				progressbar.OptionClearOnFinish(),
				progressbar.OptionThrottle(100*time.Millisecond))
		}
		_ = r.bar.Set64(int64(steps)) // a bar that cannot be drawn is no reason to stop
	}
}

func (r *report) endProgress() {
	if r.bar != nil {
		_ = r.bar.Finish() // see progress
		r.bar = nil
	}
}

func (r *report) add(done outcome) {
	r.written++
	session, result := done.session, done.result
	completeness := result.Footer.GetCompleteness()
	if r.asJSON {
		r.sessions = append(r.sessions, sessionReport{
			ID: session.ID, Path: session.Path, Steps: result.Steps, Notes: result.Notes,
			Incomplete: result.Incomplete, Completeness: completeness, Files: result.Files,
		})
	} else if !r.toStdout {
		for _, file := range result.Files {
			fmt.Fprintln(r.app.streams.Out, file.Path)
		}
	}
	fmt.Fprintf(r.app.streams.Err, "%s: %s (%s)\n", printable(session.ID), printable(completeness), done.took.Round(time.Millisecond))
}

// finish prints what is printed once.
func (r *report) finish() error {
	if !r.asJSON || r.toStdout {
		return nil
	}
	return writeJSON(r.app.streams.Out, r.sessions)
}

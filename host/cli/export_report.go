package cli

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"agy-reader/host/archive"
	"agy-reader/host/diag"
)

// exportReport tells what became of each conversation of an archive: the index (or JSON) on stdout, a line on stderr for each
// that was written or failed (with every, for all), and a bar there when it is a terminal.
type exportReport struct {
	app    *app
	asJSON bool
	every  bool
	worst  error

	mu            sync.Mutex
	bar           *progressbar.ProgressBar
	conversations []exported
}

// exported is one conversation in `convert --all --json`.
type exported struct {
	ID            string         `json:"id"`
	State         archive.State  `json:"state"`
	StoredSteps   uint32         `json:"storedSteps"`
	Steps         uint32         `json:"steps"`
	Gaps          uint32         `json:"gaps"`
	UnknownFields uint32         `json:"unknownFields"`
	Incomplete    bool           `json:"incomplete"`
	Completeness  string         `json:"completeness"`
	Files         []archive.File `json:"files"`
	KeptEarlier   bool           `json:"keptEarlier,omitempty"`
	Error         string         `json:"error,omitempty"`
}

// exportedAll is the whole report.
type exportedAll struct {
	Conversations []exported `json:"conversations"`
	Total         int        `json:"total"`
	Written       int        `json:"written"`
	Unchanged     int        `json:"unchanged"`
	Failed        int        `json:"failed"`
	Incomplete    int        `json:"incomplete"`
	Gone          int        `json:"gone"`
	Index         []string   `json:"index"`
}

func newExportReport(a *app, asJSON, every bool, total int) *exportReport {
	r := &exportReport{app: a, asJSON: asJSON, every: every}
	if isTerminal(a.streams.Err) && total > 1 {
		r.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(a.streams.Err), progressbar.OptionSetDescription("conversations"),
			progressbar.OptionClearOnFinish(), progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond))
	}
	return r
}

// progress moves the bar.
func (r *exportReport) progress(done, _ int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bar != nil {
		_ = r.bar.Set(done) // a bar that cannot be drawn is no reason to stop
	}
}

func (r *exportReport) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bar != nil {
		_ = r.bar.Finish() // see progress
		r.bar = nil
	}
}

// add tells of one conversation.
func (r *exportReport) add(o archive.Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bar != nil {
		_ = r.bar.Clear() // see progress
	}
	e := o.Entry
	switch {
	case o.Err != nil:
		r.app.complain(o.Session.ID, o.Err)
		r.worst = worse(r.worst, errors.Join(errSaid, o.Err))
	default:
		if r.every || o.State != archive.Unchanged {
			fmt.Fprintf(r.app.streams.Err, "%s: %s\n", printable(o.Session.ID), printable(exportLine(o)))
		}
		if e.Incomplete {
			r.worst = worse(r.worst, errors.Join(errSaid, diag.ErrIncomplete))
		}
	}
	if !r.asJSON {
		return
	}
	row := exported{ID: o.Session.ID, State: o.State, Files: []archive.File{}, KeptEarlier: o.Earlier != nil}
	if o.Err != nil {
		row.Error = o.Err.Error()
	} else {
		row.StoredSteps, row.Steps, row.Gaps, row.UnknownFields = e.Stored, e.Steps, e.Gaps, e.Unknown
		row.Incomplete, row.Completeness, row.Files = e.Incomplete, e.Completeness, e.Files
	}
	r.conversations = append(r.conversations, row)
}

// exportLine is `30 steps in, 30 out, 1 gap, 2 unknown fields → NAME.md, NAME.html`.
func exportLine(o archive.Outcome) string {
	e := o.Entry
	line := fmt.Sprintf("%s in, %d out", plural(int(e.Stored), "step", "steps"), e.Steps)
	if e.Gaps > 0 {
		line += ", " + plural(int(e.Gaps), "gap", "gaps")
	}
	if e.Unknown > 0 {
		line += ", " + plural(int(e.Unknown), "unknown field", "unknown fields")
	}
	if e.Incomplete {
		line += ", incomplete"
	}
	if o.State == archive.Unchanged {
		return line + ", unchanged"
	}
	var names []string
	beside := 0
	for _, f := range e.Files {
		switch {
		case f.Stale:
		case f.Format == "":
			beside++
		default:
			names = append(names, f.Name)
		}
	}
	line += " → " + strings.Join(names, ", ")
	if beside > 0 {
		line += " and " + plural(beside, "file", "files") + " beside"
	}
	if o.Earlier != nil {
		line += fmt.Sprintf("; the stores hold fewer or other steps than before: the earlier document with %s is kept as earlier-%d", plural(int(o.Earlier.Steps), "step", "steps"), o.Earlier.N)
	}
	return line
}

// finish prints the totals, and on stdout where the index is, or everything as JSON.
func (r *exportReport) finish(s *archive.Summary, dir string) error {
	line := fmt.Sprintf("%s: %d written, %d unchanged", plural(s.Total, "conversation", "conversations"), s.Written, s.Unchanged)
	for _, part := range []struct {
		n    int
		what string
	}{{s.Failed, "failed"}, {s.Incomplete, "incomplete"}, {s.Earlier, "with an earlier version kept"}, {s.Gone, "no longer in the stores, kept"}} {
		if part.n > 0 {
			line += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	fmt.Fprintln(r.app.streams.Err, line)
	if r.asJSON {
		report := exportedAll{
			Conversations: r.conversations, Total: s.Total, Written: s.Written, Unchanged: s.Unchanged, Failed: s.Failed,
			Incomplete: s.Incomplete, Gone: s.Gone, Index: s.Index,
		}
		if report.Conversations == nil {
			report.Conversations = []exported{}
		}
		return writeJSON(r.app.streams.Out, report)
	}
	if len(s.Index) > 0 {
		fmt.Fprintln(r.app.streams.Out, filepath.Join(dir, "index.html"))
	}
	return nil
}

// hrefOf is the link to the document of a conversation in the same folder, without the suffix of a format.
func hrefOf(names map[string]string, id string) string {
	return url.PathEscape(names[strings.ToLower(id)])
}

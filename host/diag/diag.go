// Package diag is the one table from what went wrong to an exit code, a short name and the next step for the person at
// the keyboard. The error kinds themselves live with the seams that report them.
package diag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agy-reader/host/artifact"
	"agy-reader/sinks"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// Exit codes of the new commands. Commands taken over from the reference keep the reference's codes: Failed for any
// failure, and 3 where shape-fingerprint finds no sidecar, which is why 3 is not in this table.
const (
	Complete    = 0
	Failed      = 1
	Usage       = 2
	Incomplete  = 4
	NotFound    = 5
	Unreadable  = 6
	Unsupported = 7
	Plugin      = 8
	Limit       = 9
	Output      = 10
	Timeout     = 11
	Busy        = 12
	Cancelled   = 130
)

// Error kinds that belong to no seam.
var (
	// ErrUsage: what was asked makes no sense, whatever the session holds.
	ErrUsage = errors.New("usage")
	// ErrIncomplete: everything was written, but the source held less than a whole conversation or more than the decoder
	// knows. The document says where.
	ErrIncomplete = errors.New("written but incomplete")
)

// Usagef returns an error of kind ErrUsage whose text is the formatted message alone. %w in format is honoured.
func Usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

type usageError struct{ error }

func (e *usageError) Unwrap() []error { return []error{ErrUsage, e.error} }

// row is one kind of error. The first row that an error matches explains it.
type row struct {
	code    int
	kind    string
	meaning string
	next    string
	errs    []error
}

// rows are ordered by what a person has to know first: that they cancelled, then what is theirs to fix, then the rest.
var rows = []row{
	{Cancelled, "cancelled", "interrupted; what was not finished was not published", "run the command again", []error{context.Canceled}},
	{
		Usage, "usage", "options or arguments make no sense", "see `agy-reader COMMAND --help`",
		[]error{ErrUsage, sinks.ErrOptions, artifact.ErrMany},
	},
	{Busy, "busy", "another process held the session or the archive for longer than the bounded wait", "try again in a moment, or close what holds it: Antigravity, or another agy-reader", []error{sources.ErrBusy}},
	{
		Failed, "daemon", "no running daemon answers, or it rejects the token",
		"start agy or the IDE and try again; `convert` and `show` read the conversation's file without --from daemon",
		[]error{daemon.ErrUnavailable, daemon.ErrAuth, daemon.ErrEndpoint},
	},
	{NotFound, "not-found", "no such session", "see `agy-reader list` for the sessions there are", []error{sources.ErrNotFound}},
	{NotFound, "ambiguous", "an id that several sessions begin with", "type more of the id", []error{sources.ErrAmbiguous}},
	{Unsupported, "unsupported", "a file of a kind that no source reads", "see `agy-reader sources` for what can be read", []error{sources.ErrUnsupported}},
	{
		Unreadable, "unknown", "strict reading met something the decoder profile does not know",
		"use `convert --unknown mark` to keep and mark it, or a newer profile",
		[]error{sources.ErrUnknown},
	},
	{
		Unreadable, "partial", "strict reading met something missing or damaged",
		"use `convert --unknown mark` to write what is left, with notes about the rest; a copy from a backup may be whole",
		[]error{sources.ErrPartial},
	},
	{
		Unreadable, "unreadable", "the session cannot be read, or holds nothing that can be shown",
		"check the file and its permissions; a copy from a backup may be whole",
		[]error{sources.ErrUnreadable},
	},
	{Limit, "limit", "a stated limit was exceeded", "the message names the limit and what exceeded it", []error{sources.ErrLimit}},
	{
		Timeout, "timeout", "a sink or plugin did not answer in time", "run it again; if it stays silent, report it to the plugin's author",
		[]error{sinks.ErrTimeout, context.DeadlineExceeded},
	},
	{Plugin, "plugin", "a plugin crashed, hung up or broke the protocol", "check that the file is a plugin; when it crashed, its last lines above are for its author", []error{sinks.ErrPlugin}},
	{Output, "output-exists", "a file that agy-reader did not write is in the way", "choose another name; with `convert`, --force replaces it", []error{artifact.ErrExists}},
	{Output, "output-taken", "two sessions of one run have the same name", "convert sessions with the same id into different folders", []error{artifact.ErrTaken}},
	{Output, "output", "an output file cannot be written; nothing published", "check the name, the space and the permissions of the target", []error{sinks.ErrOutput}},
	{Incomplete, "incomplete", "written, but with gaps, damage or unknown data; the document says where", "read the notes at the end of the document", []error{ErrIncomplete}},
}

// failed explains every error that no row knows.
var failed = row{Failed, "failed", "any other failure, and the failure code of the commands kept from the reference reader", "report it with the message above", nil}

// Explain returns the exit code, a short stable name and one next step for err. An error that wraps several kinds is
// explained by the most urgent one; nil is complete. An error that brings its own next step along keeps it, unless it was
// cancelled.
func Explain(err error) (code int, kind, next string) {
	if err == nil {
		return Complete, "complete", ""
	}
	for _, r := range rows {
		for _, target := range r.errs {
			if errors.Is(err, target) {
				if own := advice(err); own != "" && r.code != Cancelled {
					return r.code, r.kind, own
				}
				return r.code, r.kind, r.next
			}
		}
	}
	return failed.code, failed.kind, cmp.Or(advice(err), stranger(err))
}

// List is the exit codes as plain lines that start with indent, as help shows them.
func List(indent string) string {
	var b strings.Builder
	for _, c := range codes() {
		fmt.Fprintf(&b, "%s%3d  %s\n", indent, c.code, c.meaning)
	}
	return b.String()
}

// codes are all exit codes in ascending order, the meanings of one code joined.
func codes() []row {
	list := []row{{code: Complete, meaning: "complete"}}
	for _, r := range append([]row{failed}, rows...) {
		if at := slices.IndexFunc(list, func(c row) bool { return c.code == r.code }); at >= 0 {
			list[at].meaning += "; or " + r.meaning
			continue
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b row) int { return a.code - b.code })
	return list
}

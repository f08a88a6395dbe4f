package diag_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"agy-reader/host/artifact"
	"agy-reader/host/diag"
	"agy-reader/sinks"
	"agy-reader/sources"
)

// An error's own next step is the one that is told, the outermost first; its kind stays.
func TestAdvise(t *testing.T) {
	t.Parallel()
	missing := fmt.Errorf("list: %w", diag.Advise(fmt.Errorf("x: %w", sources.ErrNotFound), "look there"))
	for _, tc := range []struct {
		name string
		err  error
		kind string
		next string
	}{
		{"of a kind", missing, "not-found", "look there"},
		{"outermost", diag.Advise(missing, "look here"), "not-found", "look here"},
		{"joined", errors.Join(errors.New("one"), missing), "not-found", "look there"},
		{"of no kind", diag.Advise(errors.New("boom"), "duck"), "failed", "duck"},
		{"cancelled", errors.Join(missing, context.Canceled), "cancelled", "run the command again"},
		{"a file that is not there", &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, "failed", "check the path in the message"},
	} {
		if _, kind, next := diag.Explain(tc.err); kind != tc.kind || next != tc.next {
			t.Errorf("%s: %s, %q", tc.name, kind, next)
		}
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		err  error
		code int
		kind string
	}{
		{"nil", nil, 0, "complete"},
		{"stranger", errors.New("boom"), 1, "failed"},
		{"usage", diag.Usagef("no session named"), 2, "usage"},
		{"sink options", fmt.Errorf("sink html: %w", sinks.ErrOptions), 2, "usage"},
		{"two artifacts to stdout", fmt.Errorf("x: %w", artifact.ErrMany), 2, "usage"},
		{"incomplete", fmt.Errorf("a.md: %w", diag.ErrIncomplete), 4, "incomplete"},
		{"not found", sources.ErrNotFound, 5, "not-found"},
		{"unreadable", sources.ErrUnreadable, 6, "unreadable"},
		{"unknown content", sources.ErrUnknown, 6, "unknown"},
		{"not whole", sources.ErrPartial, 6, "partial"},
		{"unsupported", sources.ErrUnsupported, 7, "unsupported"},
		{"plugin", sinks.ErrPlugin, 8, "plugin"},
		{"limit", sources.ErrLimit, 9, "limit"},
		{"output", sinks.ErrOutput, 10, "output"},
		{"foreign file", fmt.Errorf("a.md: %w", artifact.ErrExists), 10, "output-exists"},
		{"same name twice", fmt.Errorf("a.md: %w", artifact.ErrTaken), 10, "output-taken"},
		{"sink timeout", sinks.ErrTimeout, 11, "timeout"},
		{"deadline", context.DeadlineExceeded, 11, "timeout"},
		{"busy", sources.ErrBusy, 12, "busy"},
		{"cancelled", context.Canceled, 130, "cancelled"},
		{"cancelled plugin", errors.Join(sinks.ErrPlugin, context.Canceled), 130, "cancelled"},
		{"failure beats incomplete", errors.Join(diag.ErrIncomplete, sources.ErrUnreadable), 6, "unreadable"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			code, kind, next := diag.Explain(tc.err)
			if code != tc.code || kind != tc.kind {
				t.Errorf("want %d %s, got %d %s", tc.code, tc.kind, code, kind)
			}
			if (next == "") != (tc.err == nil) {
				t.Errorf("next step of %s: %q", kind, next)
			}
		})
	}
}

func TestUsagefKeepsTheMessage(t *testing.T) {
	t.Parallel()
	inner := errors.New("inner")
	err := diag.Usagef("--select %q: %w", "x", inner)
	if got, want := err.Error(), `--select "x": inner`; got != want {
		t.Errorf("want %q, got %q", want, got)
	}
	if !errors.Is(err, inner) || !errors.Is(err, diag.ErrUsage) {
		t.Error("kind or cause is lost")
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	table := diag.Table()
	for _, code := range []int{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 130} {
		if n := strings.Count(table, fmt.Sprintf("\n| %d | ", code)); n != 1 {
			t.Errorf("code %d stands in %d rows", code, n)
		}
	}
	if strings.Contains(table, "| 3 |") {
		t.Error("3 means something else in the reference")
	}
}

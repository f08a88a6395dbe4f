package fetch

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agy-reader/host/diag"
	"agy-reader/host/endpoint"
	"agy-reader/host/sync/refresh"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// Every reason for which a session is not synced has a step that helps, and keeps its kind.
func TestUnsynced(t *testing.T) {
	t.Parallel()
	const id = "aaaaaaaa-0000-4000-8000-000000000001"
	for _, tc := range []struct {
		name string
		err  error
		next string
	}{
		{"held by another process", fmt.Errorf("%w: %w", verify.ErrStale, sources.ErrBusy), "try again in a moment, or close what holds it"},
		{"no permission to write", &refresh.WriteError{Path: "p", Err: errors.New("no")}, "check the permissions and the space of the folder"},
		{"token refused", fmt.Errorf("load: %w", daemon.ErrAuth), "run `agy-reader doctor`"},
		{"not the daemon's", &daemon.StatusError{Code: 404, Method: "LoadTrajectory", Message: "trajectory not found"}, "check that `agy-reader --list` has it"},
		{"written meanwhile", verify.ErrChanged, "try again when the agent pauses"},
		{"damaged", fmt.Errorf("%w: %w", verify.ErrSource, sources.ErrPartial), "see `agy-reader profiles explain " + id + "`"},
		{"another answer", &verify.MismatchError{}, "try again when the conversation is idle"},
		{"no daemon", &endpoint.NotFoundError{Cause: errors.New("no")}, "start agy or the IDE"},
		{"nobody listens", &endpoint.PinnedError{Cause: errors.New("no")}, "set ANTIGRAVITY_DAEMON_URL"},
		{"connection lost", fmt.Errorf("call: %w", daemon.ErrUnavailable), "see `agy-reader doctor`"},
		{"bad answer", daemon.ErrMalformed, "see `agy-reader doctor`"},
	} {
		got := unsynced(tc.err, id)
		if _, _, next := diag.Explain(got); !strings.HasPrefix(next, tc.next) || !errors.Is(got, tc.err) || got.Error() != tc.err.Error() {
			t.Errorf("%s: %v → %q", tc.name, got, next)
		}
	}
	if unsynced(nil, id) != nil {
		t.Error("success is no error")
	}
}

package fetch

import (
	"errors"
	"fmt"

	"agy-reader/host/diag"
	"agy-reader/host/endpoint"
	"agy-reader/host/sync/refresh"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/daemon"
)

// unsynced gives an error of Sync the next step that helps for this session. Errors whose kind has the right one already,
// or which bring one along, stay as they are.
func unsynced(err error, id string) error {
	var unwritten *refresh.WriteError
	var answered *daemon.StatusError
	read := fmt.Sprintf("`agy-reader convert %s` reads its file without the daemon", id)
	switch {
	case err == nil, errors.Is(err, sources.ErrBusy):
		return err
	case errors.As(err, &unwritten):
		return diag.Advise(err, "check the permissions and the space of the folder; "+read)
	case errors.Is(err, daemon.ErrAuth):
		return diag.Advise(err, "run `agy-reader doctor`: it says whether a token is known, and what to do; "+read)
	case errors.As(err, &answered):
		return diag.Advise(err, "check that `agy-reader --list` has it as (conversations) in the store of the agy that runs; "+read)
	case errors.Is(err, verify.ErrChanged):
		return diag.Advise(err, "try again when the agent pauses; "+read)
	case errors.Is(err, verify.ErrSource):
		return diag.Advise(err, fmt.Sprintf("see `agy-reader profiles explain %s` for what is damaged or not known; %s", id, read))
	case errors.Is(err, verify.ErrStale), errors.Is(err, verify.ErrAnswer):
		return diag.Advise(err, "try again when the conversation is idle; "+read)
	case isMissing(err):
		return err
	case errors.Is(err, daemon.ErrUnavailable), errors.Is(err, daemon.ErrMalformed):
		return diag.Advise(err, "see `agy-reader doctor` for the daemon; "+read)
	}
	return err
}

// isMissing reports whether no daemon was found or listens, which has a next step of its own.
func isMissing(err error) bool {
	var missing *endpoint.NotFoundError
	var pinned *endpoint.PinnedError
	return errors.As(err, &missing) || errors.As(err, &pinned)
}

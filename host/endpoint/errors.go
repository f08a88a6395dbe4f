package endpoint

import (
	"errors"
	"fmt"

	"agy-reader/sources/daemon"
)

// NotFoundError says that no daemon was found for a store, and what to do. It is of the kinds daemon.ErrUnavailable and of
// its Cause.
type NotFoundError struct {
	// Root is the store's path.
	Root string
	// Cause is the reason on one line, without the advice: for a log that says it again and again.
	Cause error
}

// Error implements error (behaviour.md a.6.9).
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("auto-discovery failed and %s is not set: %v; start agy, or find its port with `ss -tlnp | grep agy` (macOS: `lsof -iTCP -sTCP:LISTEN -anP | grep agy`), "+
		"use the port logged for HTTP and `export %s=http://127.0.0.1:<port>`; a daemon that asks for a token needs %s too", urlVariable, e.Cause, urlVariable, tokenVariable)
}

// Unwrap implements errors.Is.
func (e *NotFoundError) Unwrap() []error { return []error{daemon.ErrUnavailable, e.Cause} }

// PinnedError says that nothing listens at the address that the user set. It is of the kinds daemon.ErrUnavailable and of its
// Cause.
type PinnedError struct {
	// URL is the address without a password in it.
	URL   string
	Cause error
}

// Error implements error.
func (e *PinnedError) Error() string {
	return fmt.Sprintf("%s is set to %s, which does not answer: %v; set it to the port that the running agy logs for HTTP, or unset it", urlVariable, e.URL, e.Cause)
}

// Unwrap implements errors.Is.
func (e *PinnedError) Unwrap() []error { return []error{daemon.ErrUnavailable, e.Cause} }

// ErrUnknown says that it cannot be known which watchers run.
var ErrUnknown = errors.New("running processes cannot be looked at here")

package daemon

import (
	"errors"
	"fmt"

	"agy-reader/sources"
)

// Error kinds of a daemon. Nothing here ever holds a token or the body of a rejected call.
var (
	// ErrUnavailable: no answer came: nobody listens, the connection broke, the time ran out.
	ErrUnavailable = errors.New("the daemon does not answer")
	// ErrRefused, of the kind ErrUnavailable: nobody listens at the address, or its host is not known.
	ErrRefused = fmt.Errorf("%w: connection refused", ErrUnavailable)
	// ErrAuth: the daemon rejects the token, or asks for one that is not known. Trying again does not help.
	ErrAuth = errors.New("authentication failed")
	// ErrMalformed, of the kind sources.ErrUnreadable: the answer is not what the method returns.
	ErrMalformed = fmt.Errorf("%w: malformed answer of the daemon", sources.ErrUnreadable)
	// ErrEndpoint: the address is not one that may be called.
	ErrEndpoint = errors.New("not a usable daemon address")
)

// StatusError is an error that the daemon itself answered with. One that says there is no such conversation is also of the
// kind sources.ErrNotFound.
type StatusError struct {
	// Code is the HTTP status, or what the error inside a good answer corresponds to.
	Code int
	// Method is the RPC's name.
	Method string
	// Message is the daemon's own text on one line, at most 500 bytes of it.
	Message string
	missing bool
}

// Error implements error.
func (e *StatusError) Error() string {
	return fmt.Sprintf("daemon error %d on %s: %s", e.Code, e.Method, e.Message)
}

// Is implements errors.Is for sources.ErrNotFound.
func (e *StatusError) Is(target error) bool { return target == sources.ErrNotFound && e.missing }

package endpoint

import (
	"errors"
	"fmt"
	"net"

	"agy-reader/sources/daemon"
)

// NotFoundError says that no daemon was found for a store. It is of the kinds daemon.ErrUnavailable and of
// its Cause.
type NotFoundError struct {
	// Root is the store's path.
	Root string
	// Cause is the reason on one line, without the advice: for a log that says it again and again.
	Cause error
}

// Error implements error. Together with Next it says what behaviour.md a.6.9 lists.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("auto-discovery failed and %s is not set: %v", urlVariable, e.Cause)
}

// Next is what to do about it, in several lines.
func (e *NotFoundError) Next() string {
	return fmt.Sprintf("start agy or the IDE and try again. If it runs already, find its port with\n"+
		"`ss -tlnp | grep agy` (macOS: `lsof -iTCP -sTCP:LISTEN -anP | grep agy`), use the port logged for HTTP:\n"+
		"`export %s=http://127.0.0.1:<port>`\n"+
		"and, when the daemon asks for a token, %s too", urlVariable, tokenVariable)
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
	return fmt.Sprintf("%s is set to %s, which does not answer: %v", urlVariable, e.URL, reason(e.Cause))
}

// Next is what to do about it.
func (e *PinnedError) Next() string {
	return fmt.Sprintf("set %s to the port that the running agy logs for HTTP, or unset it", urlVariable)
}

// Unwrap implements errors.Is.
func (e *PinnedError) Unwrap() []error { return []error{daemon.ErrUnavailable, e.Cause} }

// reason is why connecting failed, without the address, which the message around it has.
func reason(err error) error {
	var connecting *net.OpError
	if errors.As(err, &connecting) {
		return connecting.Err
	}
	return err
}

// ErrUnknown says that it cannot be known which watchers run.
var ErrUnknown = errors.New("running processes cannot be looked at here")

package diag

import (
	"errors"
	"io/fs"
)

// adviser is an error that knows its own next step better than its kind does.
type adviser interface {
	error
	Next() string
}

// Advise gives an error a next step of its own. What err is stays as it is.
func Advise(err error, next string) error { return &advised{err, next} }

type advised struct {
	error
	next string
}

func (e *advised) Unwrap() error { return e.error }

// Next is the step.
func (e *advised) Next() string { return e.next }

// advice is the outermost next step that an error brings along, or empty. Errors of other packages bring one with a method
// Next too.
func advice(err error) string {
	var a adviser
	if errors.As(err, &a) {
		return a.Next()
	}
	return ""
}

// stranger is the next step for an error of no kind.
func stranger(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "check the permissions of what the message names; it must be yours to read, and what is written yours to write"
	case errors.Is(err, fs.ErrNotExist):
		return "check the path in the message"
	}
	return failed.next
}

package verify

import (
	"errors"
	"fmt"
)

// Kinds of errors. Every error of this package but a cancelled context wraps exactly one of the first three.
var (
	// ErrSource: the source itself cannot be verified: unreadable, not whole, or outside what the profile supports. Asking
	// again makes no sense before it changes. The kind of package sources is wrapped too.
	ErrSource = errors.New("the session cannot be verified")
	// ErrStale: the answer is not what is stored, which is a *MismatchError, or the source changed meanwhile (ErrChanged), or was
	// busy. Asking again later may help.
	ErrStale = errors.New("the answer is not what is stored")
	// ErrAnswer: the answer is malformed, or holds something that the profile does not know.
	ErrAnswer = errors.New("the answer cannot be compared")
	// ErrChanged, of the kind ErrStale: the source changed after the snapshot.
	ErrChanged = fmt.Errorf("%w: the session changed while it was checked", ErrStale)
)

// MismatchError is the first difference found, of the kind ErrStale.
type MismatchError struct {
	// Form is "full" or "ordinary": which answer differs.
	Form string
	// Step is the index of the step, -1 for what belongs to no step.
	Step int
	// Path is the JSON path within the step, or within the trajectory; empty for the step as a whole.
	Path string
	// Stored and Answered are the beginnings of the two values, cut short; "nothing" where there is none.
	Stored, Answered string
}

// Error implements error.
func (m *MismatchError) Error() string {
	where := m.Path
	if m.Step >= 0 {
		where = fmt.Sprintf("step %d", m.Step)
		if m.Path != "" {
			where += " " + m.Path
		}
	}
	return fmt.Sprintf("%v: %s answer, %s: stored %s, answered %s", ErrStale, m.Form, where, m.Stored, m.Answered)
}

// Is implements errors.Is for ErrStale.
func (m *MismatchError) Is(target error) bool { return target == ErrStale }

// answerf returns an error of the kind ErrAnswer.
func answerf(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrAnswer, fmt.Errorf(format, args...))
}

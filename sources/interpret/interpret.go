// Package interpret turns stored steps into document steps. It is written once, against names; a decoder profile says
// where the names are.
package interpret

import (
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// Interpreter interprets steps of one profile. Safe for concurrent use.
type Interpreter struct{}

// New binds the interpreter to a profile.
func New(p *profile.Profile) *Interpreter { return &Interpreter{} }

// Session is what the steps of one trajectory have in common. It is read-only once steps are being interpreted.
type Session struct {
	ConversationID string
	TrajectoryID   string
	Want           sources.Want
	// Models maps a model call's response id to the model name people know, from generator metadata.
	Models map[string]string
}

// Input is one stored step.
type Input struct {
	Index uint32
	// Payload is a gemini_coder.Step. Strings of the resulting events point into it.
	Payload []byte
	// StepType and Status are the row's own columns; they speak when the payload does not. Negative when there is no row.
	StepType, Status int64
	// Metadata, Error, TaskDetails and Permissions are the row's copies; used only when the payload lacks the field.
	Metadata, Error, TaskDetails []byte
}

// Step interprets one stored step and yields its events: the step, and behind it Begin … End of a trajectory it holds.
// Notes about the step itself (repaired text, unknown fields) follow directly. Events live in a and in in.Payload. With
// Session.Want.Strict anything the profile does not know is an error that wraps sources.ErrUnknown and names the step.
func (ip *Interpreter) Step(s *Session, in *Input, a *Arena, yield func(*transcriptv1.Event) error) error {
	return nil
}

// Arena owns the memory of the events of one batch. It is not safe for concurrent use; Reset makes every event that came
// out of it invalid.
type Arena struct{}

// Reset gives everything back for reuse.
func (a *Arena) Reset() {}

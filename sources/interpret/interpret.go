package interpret

import (
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// Interpreter interprets steps of one profile. Safe for concurrent use.
type Interpreter struct {
	profile *profile.Profile
	res     *profile.Resolved
	// forms are the profile's own, by body.
	forms map[string]form
}

// New binds the interpreter to a profile.
func New(p *profile.Profile) *Interpreter {
	if len(p.Manifest().Steps) == 0 {
		return &Interpreter{profile: p, res: p.Resolve(&names)}
	}
	more := names.Clone()
	ip := &Interpreter{profile: p, forms: formsOf(p, more)}
	ip.res = p.Resolve(more)
	for _, f := range ip.forms {
		for i := range f {
			f[i].json = ip.res.JSONName(f[i].field)
		}
	}
	return ip
}

// Session is what the steps of one trajectory have in common. It is read-only once steps are being interpreted.
type Session struct {
	ConversationID string
	TrajectoryID   string
	Want           sources.Want
	// Models maps a model call's response id, and the enum name of a model, to the model name people know, from generator
	// metadata.
	Models map[string]string
}

// Input is one stored step.
type Input struct {
	Index uint32
	// Payload is a gemini_coder.Step. Strings of the resulting events point into it.
	Payload []byte
	// StepType and Status are the row's own columns; they speak when the payload does not. Negative when there is no row.
	StepType, Status int64
	// Metadata, Error and TaskDetails are the row's copies; used only when the payload lacks the field.
	Metadata, Error, TaskDetails []byte
}

// Step interprets one stored step and yields its events: the step, and behind it Begin … End of a trajectory it holds.
// Notes about the step itself (repaired text, unknown fields) follow directly. Events live in a and in in.Payload. With
// Session.Want.Strict anything the profile does not know is an error that wraps sources.ErrUnknown and names the step.
// A payload that cannot be decoded is then sources.ErrPartial; without Strict it becomes a step that keeps its bytes and a note.
func (ip *Interpreter) Step(s *Session, in *Input, a *Arena, yield func(*doc.Event) error) error {
	return ip.stored(s, in, a, yield)
}

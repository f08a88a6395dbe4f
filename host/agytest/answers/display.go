package answers

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// stepURL is the type of what a wrapper holds.
const stepURL = "type.googleapis.com/" + stepName

// Display is a copy in the form of an ordinary answer: each step that is a generic wrapper with a typed step inside is that
// step, at any depth. What belongs to the run of the step (its status, metadata, error, permissions, interactions, task)
// is the wrapper's where it has it; the wrapper's arguments and texts are gone. Other steps are as stored.
func (s *Session) Display() *Session {
	c := s.Clone()
	s.displayTrajectory(c.Trajectory)
	return c
}

// displayTrajectory changes the steps of a trajectory and those of its subtrajectories.
func (s *Schema) displayTrajectory(m protoreflect.Message) {
	field := m.Descriptor().Fields().ByName("steps")
	if !m.Has(field) {
		return
	}
	steps := m.Mutable(field).List()
	for i := range steps.Len() {
		step := s.displayStep(steps.Get(i).Message())
		below := step.Descriptor().Fields().ByName("subtrajectory")
		if step.Has(below) {
			s.displayTrajectory(step.Mutable(below).Message())
		}
		steps.Set(i, protoreflect.ValueOfMessage(step))
	}
}

// displayStep returns what is shown for a step.
func (s *Schema) displayStep(outer protoreflect.Message) protoreflect.Message {
	inner := s.wrapped(outer)
	if inner == nil {
		return outer
	}
	shown := proto.Clone(inner.Interface()).ProtoReflect()
	outer.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if f.ContainingOneof() == nil && f.Name() != "type" {
			shown.Set(f, v)
		}
		return true
	})
	return shown
}

// wrapped returns the step inside a generic wrapper, nil when the step is none.
func (s *Schema) wrapped(step protoreflect.Message) protoreflect.Message {
	generic := sub(step, "generic")
	result := sub(generic, "result")
	for _, name := range []protoreflect.Name{"payload", "data"} {
		payload := sub(result, name)
		if payload == nil || payload.Descriptor().FullName() != anyName {
			continue
		}
		fields := payload.Descriptor().Fields()
		value := payload.Get(fields.ByName("value")).Bytes()
		if payload.Get(fields.ByName("type_url")).String() != stepURL || len(value) == 0 {
			return nil
		}
		inner, err := s.decode(s.step, value)
		if err != nil {
			return nil // shown as it is stored
		}
		return inner
	}
	return nil
}

// sub returns a message field that is set, else nil.
func sub(m protoreflect.Message, name protoreflect.Name) protoreflect.Message {
	if m == nil {
		return nil
	}
	f := m.Descriptor().Fields().ByName(name)
	if f == nil || f.Message() == nil || f.IsList() || f.IsMap() || !m.Has(f) {
		return nil
	}
	return m.Get(f).Message()
}

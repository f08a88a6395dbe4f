package rpc

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// stripper leaves out of events what a sink did not ask for, so that it never sees the content of somebody else's request.
type stripper struct {
	blocks, native, display, records bool
}

func newStripper(n sinks.Needs, keepWrappers bool) stripper {
	return stripper{
		blocks:  n.Blocks,
		native:  n.Native || n.Display && keepWrappers,
		display: n.Display,
		records: n.Records,
	}
}

// strip returns ev itself when nothing is to be left out, a copy that shares the rest with ev, or nil when the sink gets
// no such event. ev is not changed.
func (s stripper) strip(ev *transcriptv1.Event) *transcriptv1.Event {
	switch body := ev.GetBody().(type) {
	case nil:
		return nil
	case *transcriptv1.Event_Begin:
		if !s.native && !s.display && len(body.Begin.GetMembersJson()) > 0 {
			return &transcriptv1.Event{Body: &transcriptv1.Event_Begin{Begin: without(body.Begin, "members_json")}}
		}
	case *transcriptv1.Event_Step:
		if drop := s.stepFields(body.Step); len(drop) > 0 {
			return &transcriptv1.Event{Body: &transcriptv1.Event_Step{Step: without(body.Step, drop...)}}
		}
	case *transcriptv1.Event_Attachment:
		if !s.blocks && len(body.Attachment.GetBlocks()) > 0 {
			return &transcriptv1.Event{Body: &transcriptv1.Event_Attachment{Attachment: without(body.Attachment, "blocks")}}
		}
	case *transcriptv1.Event_Record:
		if !s.records {
			return nil
		}
	}
	return ev
}

func (s stripper) stepFields(st *transcriptv1.Step) []protoreflect.Name {
	var drop []protoreflect.Name
	if !s.blocks && (len(st.GetBlocks()) > 0 || st.GetSummary() != "" || st.GetCall() != nil || st.GetUsage() != nil ||
		len(st.GetExtraUsage()) > 0) {
		drop = append(drop, "blocks", "summary", "call", "usage", "extra_usage")
	}
	if !s.native && len(st.GetNativeJson()) > 0 {
		drop = append(drop, "native_json")
	}
	if !s.display && (len(st.GetDisplayJson()) > 0 || len(st.GetSourceOnly()) > 0) {
		drop = append(drop, "display_json", "source_only")
	}
	return drop
}

// without copies the top level of m except the named fields. What lies below is shared.
func without[M proto.Message](m M, drop ...protoreflect.Name) M {
	src := m.ProtoReflect()
	dst := src.New()
	src.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		for _, name := range drop {
			if fd.Name() == name {
				return true
			}
		}
		dst.Set(fd, v)
		return true
	})
	dst.SetUnknown(src.GetUnknown())
	return dst.Interface().(M)
}

package sinks

import transcriptv1 "agy-reader/proto/agyreader/transcript/v1"

// Withhold says which parts of events a sink does not get because it did not ask for them, so that it never sees the
// content of somebody else's request. The zero value withholds nothing.
type Withhold struct {
	// Blocks: interpreted content of steps and attachments.
	Blocks bool
	// Native, Display: the stored steps in either form. Members: the trajectory's own members.
	Native, Display, Members bool
	// Records: the whole event.
	Records bool
	// Sections: what the end says about sections that were not read.
	Sections bool
}

// WithholdFrom is what a sink with these needs does not get. keepWrappers: it gets the stored form in place of the display
// form.
func WithholdFrom(n Needs, keepWrappers bool) Withhold {
	native, display := n.Native || n.Display && keepWrappers, n.Display
	return Withhold{Blocks: !n.Blocks, Native: !native, Display: !display, Members: !native && !display, Records: !n.Records}
}

// Hidden is what was taken out of one event.
type Hidden struct {
	withhold   Withhold
	blocks     []*transcriptv1.Block
	summary    string
	call       *transcriptv1.ToolCall
	usage      *transcriptv1.Usage
	extra      []*transcriptv1.Usage
	native     []byte
	display    []byte
	sourceOnly []*transcriptv1.SourceOnly
	members    []byte
	sections   []string
}

// Hide takes out of ev what the sink does not get; Restore puts it back. Nobody else may use ev in between. ok is false
// for an event that the sink does not get at all; ev is then as it was.
func (w Withhold) Hide(ev *transcriptv1.Event) (h Hidden, ok bool) {
	h.withhold = w
	switch body := ev.GetBody().(type) {
	case *transcriptv1.Event_Begin:
		if w.Members {
			h.members, body.Begin.MembersJson = body.Begin.MembersJson, nil
		}
	case *transcriptv1.Event_Step:
		h.hideStep(body.Step)
	case *transcriptv1.Event_Attachment:
		if w.Blocks {
			h.blocks, body.Attachment.Blocks = body.Attachment.Blocks, nil
		}
	case *transcriptv1.Event_Record:
		return h, !w.Records
	case *transcriptv1.Event_End:
		if w.Sections {
			h.sections, body.End.SkippedSections = body.End.SkippedSections, nil
		}
	}
	return h, true
}

func (h *Hidden) hideStep(st *transcriptv1.Step) {
	if h.withhold.Blocks {
		h.blocks, h.summary, h.call, h.usage, h.extra = st.Blocks, st.Summary, st.Call, st.Usage, st.ExtraUsage
		st.Blocks, st.Summary, st.Call, st.Usage, st.ExtraUsage = nil, "", nil, nil, nil
	}
	if h.withhold.Native {
		h.native, st.NativeJson = st.NativeJson, nil
	}
	if h.withhold.Display {
		h.display, h.sourceOnly = st.DisplayJson, st.SourceOnly
		st.DisplayJson, st.SourceOnly = nil, nil
	}
}

// Restore puts back into ev what Hide took out of it.
func (h *Hidden) Restore(ev *transcriptv1.Event) {
	switch body := ev.GetBody().(type) {
	case *transcriptv1.Event_Begin:
		if h.withhold.Members {
			body.Begin.MembersJson = h.members
		}
	case *transcriptv1.Event_Step:
		st := body.Step
		if h.withhold.Blocks {
			st.Blocks, st.Summary, st.Call, st.Usage, st.ExtraUsage = h.blocks, h.summary, h.call, h.usage, h.extra
		}
		if h.withhold.Native {
			st.NativeJson = h.native
		}
		if h.withhold.Display {
			st.DisplayJson, st.SourceOnly = h.display, h.sourceOnly
		}
	case *transcriptv1.Event_Attachment:
		if h.withhold.Blocks {
			body.Attachment.Blocks = h.blocks
		}
	case *transcriptv1.Event_End:
		if h.withhold.Sections {
			body.End.SkippedSections = h.sections
		}
	}
}

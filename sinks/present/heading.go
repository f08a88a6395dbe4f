package present

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Started is the one moment a document shows for a step: when it was created, or when it was started where that is not
// recorded. nil: neither is.
func Started(s *transcriptv1.Step) *int64 {
	for _, ns := range [...]*int64{s.CreatedNs, s.StartedNs} {
		if Recorded(ns) {
			return ns
		}
	}
	return nil
}

// Heading is what stands above a step: `Edit file`, `app.js (+12 −3)`.
type Heading struct {
	Title string
	// Detail is one line or more of what the step is about; the caller clips it. Empty where the step speaks for itself.
	Detail string
	// Verbatim: the detail is a command line.
	Verbatim bool
}

// StepHeading names a step. An edit names its file and never what the model said about it, which is in the body; a move
// names both folders when only they differ; a message speaks for itself.
func StepHeading(s *transcriptv1.Step) Heading {
	h := Heading{Title: StepTitle(s)}
	switch s.GetRole() {
	case transcriptv1.Role_ROLE_USER, transcriptv1.Role_ROLE_ASSISTANT:
		return h
	}
	switch s.GetKind() {
	case "CODE_ACTION":
		if edit, found := editHeading(s); found {
			return edit
		}
	case "MOVE":
		h.Detail = moveDetail(s)
	}
	if h.Detail == "" {
		h.Detail = summary(s)
	}
	for _, b := range s.GetBlocks() {
		switch b.GetDetail().(type) {
		case *transcriptv1.Block_Command:
			h.Verbatim = true
		case *transcriptv1.Block_Markdown, *transcriptv1.Block_Plain:
			if oneLine(b.GetText()) == oneLine(h.Detail) {
				h.Detail = ""
			}
		case *transcriptv1.Block_Notice:
			// A notice stands out by itself, and its first line is what a summary of it says.
			first, _, _ := strings.Cut(strings.TrimSpace(b.GetText()), "\n")
			if oneLine(first) == oneLine(h.Detail) {
				h.Detail = ""
			}
		}
	}
	return h
}

func summary(s *transcriptv1.Step) string {
	if s.GetSummary() != "" {
		return s.GetSummary()
	}
	return s.GetCall().GetSummary()
}

func editHeading(s *transcriptv1.Step) (Heading, bool) {
	var first *transcriptv1.Diff
	more := uint64(0)
	for _, b := range s.GetBlocks() {
		switch d := b.GetDiff(); {
		case d == nil:
		case first == nil:
			first = d
		case d.GetUri() != first.GetUri():
			more++
		}
	}
	if first.GetUri() == "" {
		target, found := argument(s.GetCall().GetArgumentsJson(), "TargetFile")
		return Heading{Title: StepTitle(s), Detail: Name(target)}, found
	}
	h := Heading{Title: "Edit file", Detail: Name(first.GetUri())}
	switch first.GetChange() {
	case "create":
		h.Title = "Create file"
	case "delete":
		h.Title = "Delete file"
	}
	if lines := LineChanges(first); lines != "" {
		h.Detail += " (" + lines + ")"
	}
	if more > 0 {
		h.Detail += " and " + Amount(more, "more file")
	}
	return h, true
}

func moveDetail(s *transcriptv1.Step) string {
	from, to := "", ""
	for _, b := range s.GetBlocks() {
		for _, item := range b.GetKeyValues().GetItems() {
			switch item.GetKey() {
			case "From":
				from = item.GetValue()
			case "To":
				to = item.GetValue()
			}
		}
	}
	switch {
	case from == "" || to == "":
		return ""
	case Name(from) == Name(to):
		return strings.TrimSpace(Path(from) + " → " + Path(to))
	}
	return Name(from) + " → " + Name(to)
}

// StepName is how a link to a step reads: `step 12`.
func StepName(anchor string) string {
	return "step " + StepNumber(anchor)
}

// StepNumber is an anchor of the host without its prefix, any other anchor as it is.
func StepNumber(anchor string) string {
	return strings.TrimPrefix(anchor, "step-")
}

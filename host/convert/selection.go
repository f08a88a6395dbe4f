package convert

import (
	"slices"
	"strconv"
	"strings"

	"agy-reader/host/diag"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Selection says which steps of a conversation go into the document. The zero value is all of them.
//
// Its text is a comma-separated list. Numbers (`3`), ranges (`10-20`, `10-`) and `prompts` (what a person said) add steps;
// without any of them all steps are in. `no-tools` then takes tool results away, and the calls from the model's steps.
// Numbers are Step.index, counted from 0, the same ones that documents show and anchors carry (`step-10`). A nested
// trajectory goes with the step it belongs to.
type Selection struct {
	text    string
	spans   []span
	prompts bool
	noTools bool
}

// span is a range of step indexes, both ends included.
type span struct{ first, last uint32 }

const lastIndex = ^uint32(0)

// ParseSelection reads the text of a selection. What it does not understand is a usage error.
func ParseSelection(text string) (*Selection, error) {
	s := &Selection{text: text}
	if text == "" {
		return s, nil
	}
	for term := range strings.SplitSeq(text, ",") {
		switch term {
		case "prompts":
			s.prompts = true
		case "no-tools":
			s.noTools = true
		default:
			one, ok := parseSpan(term)
			if !ok {
				return nil, diag.Usagef("--select: %q is no step number, no range such as 10-20, and neither `prompts` nor `no-tools`", term)
			}
			s.spans = append(s.spans, one)
		}
	}
	return s, nil
}

func parseSpan(term string) (span, bool) {
	from, to, isRange := strings.Cut(term, "-")
	first, ok := parseIndex(from)
	if !ok {
		return span{}, false
	}
	switch {
	case !isRange:
		return span{first, first}, true
	case to == "":
		return span{first, lastIndex}, true
	}
	last, ok := parseIndex(to)
	return span{first, last}, ok && first <= last
}

func parseIndex(digits string) (uint32, bool) {
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), err == nil && digits[0] != '+'
}

// All reports whether nothing is left out.
func (s *Selection) All() bool { return len(s.spans) == 0 && !s.prompts && !s.noTools }

// choosesSteps reports whether some steps are in and others are not, for another reason than what they are.
func (s *Selection) choosesSteps() bool { return len(s.spans) > 0 || s.prompts }

// String is the text it was parsed from.
func (s *Selection) String() string { return s.text }

// has reports whether a step of the conversation itself is chosen. trim was called on it before.
func (s *Selection) has(st *transcriptv1.Step) bool {
	if s.prompts && st.GetRole() == transcriptv1.Role_ROLE_USER {
		return true
	}
	if len(s.spans) == 0 {
		return !s.prompts
	}
	return slices.ContainsFunc(s.spans, func(r span) bool { return st.GetIndex() >= r.first && st.GetIndex() <= r.last })
}

// trim takes tool work out of a step of any depth as the selection says, and reports whether anything is left of the step.
// It is pure but for the step and may be called twice.
func (s *Selection) trim(st *transcriptv1.Step) bool {
	if !s.noTools {
		return true
	}
	if st.GetRole() == transcriptv1.Role_ROLE_TOOL || st.GetCall() != nil {
		return false
	}
	isCall := func(b *transcriptv1.Block) bool { return b.GetToolCall() != nil }
	if len(st.Blocks) > 0 && !slices.ContainsFunc(st.Blocks, func(b *transcriptv1.Block) bool { return !isCall(b) }) {
		return false
	}
	st.Blocks = slices.DeleteFunc(st.Blocks, isCall)
	return true
}

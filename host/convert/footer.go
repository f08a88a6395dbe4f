package convert

import (
	"fmt"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// complete fills in what the host knows at the end of a trajectory; the source's own part stays.
func (f *frame) complete(footer *transcriptv1.Footer, selection *Selection) {
	listed := uint32(0)
	for _, gap := range footer.Gaps {
		if gap.Incomplete {
			listed++
		}
	}
	// Usually each gap is a note in its place and an entry of this list.
	f.tally.gaps = max(f.tally.gaps, listed)
	f.tally.missing = f.tally.missing || footer.Incomplete || f.tally.gaps > 0
	f.tally.incomplete = f.tally.incomplete || footer.Incomplete || f.tally.unknown > 0 || f.tally.gaps > 0
	footer.Steps, footer.Notes, footer.UnknownFields = f.tally.steps, f.tally.notes, f.tally.unknown
	footer.Usage, footer.UsageOrigin = f.spent.result(), f.spent.origin()
	footer.Overview = f.overview.finish()
	footer.Completeness = f.sentence(footer.Completeness, selection)
	footer.Incomplete, footer.Missing = f.tally.incomplete, f.tally.missing
	footer.StoredSteps = f.seen
	if f.depth == 0 {
		footer.Selection = selection.String()
	}
}

// sentence says how complete the document is. said is what the source has to say about it.
func (f *frame) sentence(said string, selection *Selection) string {
	var b strings.Builder
	if f.tally.incomplete {
		b.WriteString("incomplete: ")
	} else {
		b.WriteString("complete: ")
	}
	if f.depth == 0 && !selection.All() {
		fmt.Fprintf(&b, "%d of %s selected by %s", f.tally.steps, sources.Amount(f.seen, "step"), selection)
	} else {
		b.WriteString(sources.Amount(f.tally.steps, "step"))
	}
	if f.tally.nested > 0 {
		b.WriteString(", " + sources.Amount(f.tally.nested, "nested step"))
	}
	if f.tally.gaps > 0 {
		b.WriteString(", " + sources.Amount(f.tally.gaps, "gap"))
	}
	if f.tally.damaged > 0 {
		b.WriteString(", " + sources.Amount(f.tally.damaged, "damaged place"))
	}
	if f.tally.unknown > 0 {
		b.WriteString(", " + sources.Amount(f.tally.unknown, "unknown field"))
	}
	if said != "" {
		b.WriteString("; " + said)
	}
	return b.String()
}

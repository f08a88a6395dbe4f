package convert

import (
	"fmt"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// complete fills in what the host knows at the end of a trajectory; the source's own part stays.
func (f *frame) complete(footer *transcriptv1.Footer, selection *Selection) {
	f.gaps = max(f.gaps, uint32(len(footer.Gaps)))
	f.incomplete = f.incomplete || footer.Incomplete || f.unknown > 0 || f.gaps > 0
	footer.Steps, footer.Notes, footer.UnknownFields = f.steps, f.notes, f.unknown
	footer.Usage = f.spent.result()
	footer.Overview = f.overview.finish()
	footer.Completeness = f.sentence(footer.Completeness, selection)
	footer.Incomplete = f.incomplete
}

// sentence says how complete the document is. said is what the source has to say about it.
func (f *frame) sentence(said string, selection *Selection) string {
	var b strings.Builder
	if f.incomplete {
		b.WriteString("incomplete: ")
	} else {
		b.WriteString("complete: ")
	}
	b.WriteString(plural(f.steps, "step"))
	if f.depth == 0 && !selection.All() {
		fmt.Fprintf(&b, " selected by %s", selection)
	}
	if f.nested > 0 {
		b.WriteString(", " + plural(f.nested, "nested step"))
	}
	if f.gaps > 0 {
		b.WriteString(", " + plural(f.gaps, "gap"))
	}
	if f.unknown > 0 {
		b.WriteString(", " + plural(f.unknown, "unknown field"))
	}
	if said != "" {
		b.WriteString("; " + said)
	}
	return b.String()
}

func plural(n uint32, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

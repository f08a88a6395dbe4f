package merge

import (
	"fmt"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/mirror"
	"agy-reader/sources/trajectory"
)

// maxBranches bounds how many branches are told apart. Nobody rewinds that often, but a log may be made to look like it.
const maxBranches = 64

// branches adds the lines of other branches, each branch as a nested trajectory behind the last step: they exist nowhere
// else. A branch ends where the index no longer grows; the last one holds whatever is left.
func (r *reader) branches(p *pile) {
	lines := r.plan.other
	for n := 1; len(lines) > 0; n++ {
		end := 1
		for end < len(lines) && (lines[end].Index > lines[end-1].Index || n == maxBranches) {
			end++
		}
		r.branch(p, lines[:end], n)
		lines = lines[end:]
	}
}

func (r *reader) branch(p *pile, lines []mirror.Mark, n int) {
	from := strings.Join(r.names(lines), " and ")
	p.event(event(&transcriptv1.Note{
		Kind: noteBranch, Severity: transcriptv1.Severity_SEVERITY_INFO,
		Text: fmt.Sprintf("%s holds another branch of this conversation, which %s does not go on with: %s, shown here",
			from, r.name(), runs(lines)),
	}))
	p.event(&transcriptv1.Event{Body: &transcriptv1.Event_Begin{Begin: &transcriptv1.Header{
		ConversationId: r.header.GetConversationId(), ParentConversationId: r.header.GetConversationId(),
		TrajectoryType: trajectory.BranchType, AnnouncedSteps: uint32(len(lines)), Depth: 1,
		Provenance: &transcriptv1.Provenance{Source: "mirror", Location: from},
	}}})
	prefix, again := fmt.Sprintf("branch-%d-", n), 1
	for i, l := range lines {
		if i > 0 && l.Index <= lines[i-1].Index {
			again++
			prefix = fmt.Sprintf("branch-%d-%d-", n, again)
		}
		p.line(l, prefix)
	}
	p.event(&transcriptv1.Event{Body: &transcriptv1.Event_End{End: &transcriptv1.Footer{Steps: uint32(len(lines))}}})
}

// runs names the indexes of lines.
func runs(lines []mirror.Mark) string {
	var list []string
	for i := 0; i < len(lines); {
		end := i + 1
		for end < len(lines) && lines[end].Index == lines[end-1].Index+1 {
			end++
		}
		if len(list) == maxRanges {
			return strings.Join(list, ", ") + " and more"
		}
		list = append(list, span(lines[i].Index, lines[end-1].Index))
		i = end
	}
	return strings.Join(list, ", ")
}

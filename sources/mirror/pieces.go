package mirror

import (
	"fmt"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/trajectory"
)

// pieces is a batch of events that are ready and of lines that are not.
type pieces struct {
	strict bool
	list   []piece
	lent   []sources.Batch
	lease  *lease
}

// ready makes the batch one that is handed out.
func (b *pieces) ready() *pieces {
	b.lease.take()
	return b
}

// piece is an event, or lines. branch is the beginning of the anchors of an abandoned branch.
type piece struct {
	event    *transcriptv1.Event
	log      *Log
	lines    []mark
	settings Settings
	branch   string
}

func (b *pieces) note(n *transcriptv1.Note) {
	if n != nil {
		b.list = append(b.list, piece{event: trajectory.NoteEvent(n)})
	}
}

func (b *pieces) line(l *Log, m mark, s Settings) {
	if n := len(b.list); n > 0 && b.list[n-1].event == nil && b.list[n-1].branch == "" {
		b.list[n-1].lines = append(b.list[n-1].lines, m)
		return
	}
	b.list = append(b.list, piece{log: l, lines: []mark{m}, settings: s})
}

// branch adds an abandoned branch as a nested trajectory.
func (b *pieces) branch(r *reader, lines []mark, n int) {
	first, last := lines[0].index, lines[len(lines)-1].index
	from := r.log.fileOf(&lines[0])
	text := fmt.Sprintf("%s holds an earlier form of steps %d–%d, shown here", from, first, last)
	if first == last {
		text = fmt.Sprintf("%s holds an earlier form of step %d, shown here", from, first)
	}
	b.note(&transcriptv1.Note{Kind: noteBranch, Severity: transcriptv1.Severity_SEVERITY_INFO, Text: text})
	id := r.header.GetConversationId()
	b.list = append(b.list,
		piece{event: &transcriptv1.Event{Body: &transcriptv1.Event_Begin{Begin: &transcriptv1.Header{
			ConversationId: id, ParentConversationId: id, TrajectoryType: trajectory.BranchType, Depth: 1,
			AnnouncedSteps: uint32(len(lines)), Provenance: &transcriptv1.Provenance{Source: "mirror", Location: from},
		}}}},
		piece{log: r.log, lines: lines, settings: r.settings, branch: fmt.Sprintf("branch-%d-", n)},
		piece{event: &transcriptv1.Event{Body: &transcriptv1.Event_End{End: &transcriptv1.Footer{Steps: uint32(len(lines))}}}})
}

// Decode implements sources.Batch.
func (b *pieces) Decode(yield func(*transcriptv1.Event) error) error {
	if b.strict {
		yield = trajectory.RefuseIncomplete(yield)
	}
	for _, p := range b.list {
		if p.event != nil {
			if err := yield(p.event); err != nil {
				return err
			}
			continue
		}
		inner := p.log.batch(p.lines, p.settings)
		b.lent = append(b.lent, inner)
		if err := inner.Decode(func(ev *transcriptv1.Event) error { return yield(trajectory.InBranch(ev, p.branch)) }); err != nil {
			return err
		}
	}
	return nil
}

// Release implements sources.Batch.
func (b *pieces) Release() {
	for _, lent := range b.lent {
		lent.Release()
	}
	b.list, b.lent = nil, nil
	b.lease.drop()
}

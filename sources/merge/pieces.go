package merge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/mirror"
	"agy-reader/sources/trajectory"
)

// piecesBytes bounds how many bytes of the logs one batch stands for; a longer line travels alone.
const piecesBytes = 128 << 10

// pieces is a batch of what the main source does not have.
type pieces struct {
	s     *shared
	list  []piece
	bytes int
	lent  []sources.Batch
}

// piece is an event, or consecutive lines of the logs.
type piece struct {
	event *transcriptv1.Event
	lines []mirror.Mark
	// branch is what anchors begin with in another branch; empty for the conversation's own steps.
	branch string
}

// pile collects pieces into batches of bounded size.
type pile struct {
	s   *shared
	out []sources.Batch
	cur *pieces
}

func (p *pile) room(bytes int) *pieces {
	if p.cur != nil && p.cur.bytes > 0 && p.cur.bytes+bytes > piecesBytes {
		p.done()
	}
	if p.cur == nil {
		p.cur = &pieces{s: p.s}
	}
	p.cur.bytes += bytes
	return p.cur
}

func (p *pile) event(ev *transcriptv1.Event) {
	b := p.room(noteBytes)
	b.list = append(b.list, piece{event: ev})
}

// noteBytes is what an event counts for: many small ones are much as well.
const noteBytes = 256

func (p *pile) line(m mirror.Mark, branch string) {
	b := p.room(m.Size())
	if n := len(b.list); n > 0 && b.list[n-1].event == nil && b.list[n-1].branch == branch {
		b.list[n-1].lines = append(b.list[n-1].lines, m)
		return
	}
	b.list = append(b.list, piece{lines: []mirror.Mark{m}, branch: branch})
}

func (p *pile) done() []sources.Batch {
	if p.cur != nil {
		p.s.hold()
		p.out = append(p.out, p.cur)
		p.cur = nil
	}
	return p.out
}

// Decode implements sources.Batch.
func (b *pieces) Decode(yield func(*transcriptv1.Event) error) error {
	for _, p := range b.list {
		var err error
		switch {
		case p.event != nil:
			err = yield(p.event)
		default:
			err = b.decodeLines(p, yield)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decodeLines yields the steps of some lines. A log that cannot be read any more is a gap, not the end of the document: the
// rest of it stands elsewhere.
func (b *pieces) decodeLines(p piece, yield func(*transcriptv1.Event) error) error {
	inner := b.s.log.Batch(p.lines, b.s.settings)
	b.lent = append(b.lent, inner)
	var refused error
	seen := 0
	pass := func(ev *transcriptv1.Event) error {
		refused = yield(ev)
		return refused
	}
	d := decorator{s: b.s, yield: pass}
	err := inner.Decode(func(ev *transcriptv1.Event) error {
		if st := ev.GetStep(); st != nil && st.Origin == "" {
			i, found := slices.BinarySearchFunc(p.lines, st.Index, func(m mirror.Mark, index uint32) int { return cmp.Compare(m.Index, index) })
			if found {
				st.Origin = b.s.log.File(p.lines[i])
				seen = i + 1
			}
		}
		if p.branch == "" {
			return d.event(ev)
		}
		return pass(trajectory.InBranch(ev, p.branch))
	})
	if err == nil {
		err = d.flush()
	}
	if err == nil || refused != nil || b.s.ctx.Err() != nil {
		return err
	}
	if flushed := d.flush(); flushed != nil {
		return flushed
	}
	left := p.lines[min(seen, len(p.lines)-1):]
	n := lack(left[0].Index, left[len(left)-1].Index, sources.Missing{Cause: fmt.Sprintf("the logs cannot be read any more (%v)", err)})
	if errors.Is(err, sources.ErrBusy) {
		n.Text += "; converting again helps"
	}
	return yield(event(n))
}

// Release implements sources.Batch.
func (b *pieces) Release() {
	for _, lent := range b.lent {
		lent.Release()
	}
	b.list, b.lent = nil, nil
	b.s.drop()
}

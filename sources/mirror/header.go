package mirror

import (
	"context"
	"errors"
	"io"
	"math"
	"path/filepath"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
)

// Where values of a header were found.
const (
	fromRename = "rename line in the log"
	fromLines  = "transcript log"
	unrecorded = "not recorded"
)

var cascadeID = names.Field(trajectory.Message, "cascade_id")

// describe fills the header out of the index and the lines that can give a title.
func (r *reader) describe(ref sources.Ref, reason string) error {
	l := r.log
	h := &transcriptv1.Header{
		ConversationId: idOf(ref), Surface: ref.Surface,
		Project: &transcriptv1.Sourced{Origin: unrecorded},
		Provenance: &transcriptv1.Provenance{
			Source: "mirror", Location: l.Location(), Profile: r.settings.Profile.Info().Name, ProfileReason: reason,
			Unverified: true, // no log says which version wrote it
		},
	}
	r.header = h
	if last, ok := l.Last(); ok {
		h.AnnouncedSteps = last + 1
	}
	for i := range l.marks {
		ns := l.marks[i].createdNS()
		if ns == 0 {
			continue
		}
		if h.CreatedNs == nil {
			h.CreatedNs, h.CreatedOrigin = &ns, fromLines
		}
		if h.UpdatedNs == nil || ns > *h.UpdatedNs {
			h.UpdatedNs, h.UpdatedOrigin = &ns, fromLines
		}
	}
	if r.want.Native || r.want.Display {
		w := &wire{c: codecOf(r.settings.Profile)}
		w.str(cascadeID, h.GetConversationId())
		var err error
		if h.MembersJson, err = r.settings.Profile.AppendJSON(nil, trajectory.Message, w.buf, nil); err != nil {
			return err
		}
	}
	var err error
	h.Title, err = l.titleOf(r.settings.Profile)
	return err
}

func idOf(ref sources.Ref) string {
	if ref.ID != "" {
		return ref.ID
	}
	return filepath.Base(ref.Brain)
}

// titled are the kinds that give a title, in the order they are asked.
var titled = [...]string{"CHECKPOINT", "USER_INPUT"}

// titleLines is how many steps of a kind are read for a title.
const titleLines = 8

// titleOf looks for a name somebody gave, then for the title the product made, then for the first prompt.
func (l *Log) titleOf(p *profile.Profile) (*transcriptv1.Sourced, error) {
	if l.title != "" {
		return &transcriptv1.Sourced{Value: interpret.OneLine(l.title), Origin: fromRename}, nil
	}
	for _, kind := range titled {
		read := 0
		for i := range l.marks {
			if l.kind(&l.marks[i]) != kind {
				continue
			}
			if read++; read > titleLines {
				break
			}
			title, err := l.titleAt(&l.marks[i], p)
			if err != nil || title != nil {
				return title, err
			}
		}
	}
	return &transcriptv1.Sourced{Origin: unrecorded}, nil
}

func (l *Log) titleAt(m *mark, p *profile.Profile) (*transcriptv1.Sourced, error) {
	b := &batch{log: l, codec: codecOf(p)}
	r, err := b.record(m.place())
	if errors.Is(err, errUnlike) {
		return nil, nil // the step says so
	}
	if err != nil {
		return nil, err
	}
	return titleIn(r, b.codec), nil
}

// titleIn returns the title that one line gives, or nil.
func titleIn(r *record, c *codec) *transcriptv1.Sourced {
	w := newWriter(c, r, nil, nil)
	w.write()
	value, origin := c.interpreter.Title(w.buf)
	if value == "" {
		return nil
	}
	return &transcriptv1.Sourced{Value: value, Origin: origin}
}

// peekBytes is how much of each end of a log a list reads.
const peekBytes = 64 << 10

// Peek implements sources.Peeker. It reads the two ends of the logs; steps are counted when that is all of them, else the last
// index tells how many there are.
func (s *Source) Peek(ctx context.Context, ref sources.Ref) (sources.Summary, error) {
	none := sources.Summary{Title: &transcriptv1.Sourced{Origin: unrecorded}}
	l, err := open(ref)
	if err != nil {
		return none, err
	}
	defer l.Close()
	small := true
	for _, f := range l.files {
		small = small && f.size <= peekBytes
	}
	if small {
		r, err := s.openReader(ctx, ref, sources.Want{Peek: true})
		if err != nil {
			return none, err
		}
		defer r.log.Close()
		return sources.Summary{Title: r.header.Title, CreatedNS: r.header.CreatedNs, UpdatedNS: r.header.UpdatedNs, Steps: uint32(len(r.log.marks)), Header: r.header}, nil
	}
	p, _, err := chooseProfile(sources.Want{})
	if err != nil {
		return none, err
	}
	none.StepsUnknown = true
	for _, f := range l.files {
		if f.overview {
			continue
		}
		if err := f.peek(codecOf(p), &none); err != nil {
			return none, l.readError(f, err)
		}
	}
	return none, nil
}

// peek reads the beginning of a log for a title and the first time, and its end for the last index and time and for a name
// given later.
func (f *file) peek(c *codec, s *sources.Summary) error {
	head := make([]byte, min(peekBytes, f.size))
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for line := range wholeLines(head) {
		r, err := parse(line, !f.full)
		if err != nil {
			continue
		}
		w := &writer{r: r}
		if t := w.createdAt(); !t.IsZero() {
			if ns := t.Unix() * 1e9; s.CreatedNS == nil || ns < *s.CreatedNS {
				s.CreatedNS = &ns
			}
		}
		if r.kind != "USER_INPUT" && r.kind != "CHECKPOINT" || s.Title.GetOrigin() == fromRename {
			continue
		}
		if t := titleIn(r, c); t != nil && (s.Title.GetValue() == "" || s.Title.GetOrigin() == interpret.TitleFromPrompt && r.kind == "CHECKPOINT") {
			s.Title = t
		}
	}
	tail := make([]byte, min(peekBytes, f.size))
	if _, err := f.ReadAt(tail, f.size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for line := range wholeLines(tail) {
		if name, ok := renameOf(line); ok {
			s.Title = &transcriptv1.Sourced{Value: interpret.OneLine(name), Origin: fromRename}
		}
	}
	last, ns, found := ends(tail) // the line that the cut goes through is no whole one
	if found && last < math.MaxUint32 && last >= s.Steps {
		s.Steps, s.StepsByIndex, s.StepsUnknown = last+1, true, false
	}
	if ns > 0 && (s.UpdatedNS == nil || ns > *s.UpdatedNS) {
		s.UpdatedNS = &ns
	}
	return nil
}

package merge

import (
	"context"
	"math"
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/mirror"
)

// maxGaps bounds the list of gaps in the footer, maxRanges the ranges its sentence names. Each is a note in its place.
const (
	maxGaps   = 1000
	maxRanges = 8
)

// fill queues what stands in the place of missing steps. known tells that the source itself says where they end.
func (r *reader) fill(ctx context.Context, m sources.Missing, known bool) error {
	if !r.decided && known && (!m.End || m.Cause != "") {
		if err := r.decide(ctx); err != nil {
			return err
		}
	}
	p := &pile{s: r.s}
	for _, n := range r.notes {
		p.event(event(n))
	}
	r.notes = nil
	at := int64(m.First) // the first index not yet dealt with
	lines := r.between(m)
	for len(lines) > 0 {
		run := 1
		for run < len(lines) && lines[run].Index == lines[run-1].Index+1 {
			run++
		}
		first, last := lines[0].Index, lines[run-1].Index
		if int64(first) > at {
			r.lacking(p, uint32(at), first-1, m, false)
		}
		r.run(p, lines[:run], m)
		at = int64(last) + 1
		lines = lines[run:]
	}
	switch {
	case m.End && m.Cause != "":
		r.lacking(p, uint32(min(at, math.MaxUint32)), math.MaxUint32, m, true)
	case at <= m.Last:
		r.lacking(p, uint32(at), uint32(m.Last), m, false)
	}
	if m.End {
		r.tailed = true
		r.cutsBehind(p, at)
		r.branches(p)
	}
	r.queue = append(r.queue, p.done()...)
	return nil
}

// between takes the lines that fill a hole.
func (r *reader) between(m sources.Missing) []mirror.Mark {
	fill := r.plan.fill
	for r.next < len(fill) && fill[r.next].Index < m.First {
		r.next++
	}
	from := r.next
	for r.next < len(fill) && (m.End || int64(fill[r.next].Index) <= m.Last) {
		r.next++
	}
	return fill[from:r.next]
}

// run adds consecutive steps out of the logs.
func (r *reader) run(p *pile, lines []mirror.Mark, m sources.Missing) {
	names := r.names(lines)
	first, last := lines[0].Index, lines[len(lines)-1].Index
	p.event(event(filled(first, last, m, r.name(), strings.Join(names, " and "))))
	for _, l := range lines {
		p.line(l, "")
		if r.filled == nil {
			r.filled = map[string]uint32{}
		}
		r.filled[r.s.log.File(l)]++
	}
	if len(r.ranges) <= maxRanges {
		r.ranges = append(r.ranges, span(first, last))
	}
}

// names are the logs that lines stand in.
func (r *reader) names(lines []mirror.Mark) []string {
	var names []string
	for _, l := range lines {
		if name := r.s.log.File(l); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// lacking says that steps are nowhere. A rewind or fork that happened there is said as well.
func (r *reader) lacking(p *pile, first, last uint32, m sources.Missing, open bool) {
	m.End = open
	n := lack(first, last, m)
	if len(r.gaps) < maxGaps {
		r.gaps = append(r.gaps, n)
	}
	p.event(event(n))
	for _, index := range r.s.cutIndexes {
		if index >= first && index <= last {
			r.cutNotes(p, index)
		}
	}
}

// cutsBehind adds the notes about rewinds and forks at steps that come no more.
func (r *reader) cutsBehind(p *pile, from int64) {
	for _, index := range r.s.cutIndexes {
		if int64(index) >= from {
			r.cutNotes(p, index)
		}
	}
}

func (r *reader) cutNotes(p *pile, index uint32) {
	for _, n := range r.s.cuts[index] {
		p.event(event(n))
	}
}

// name is the base name of the main source.
func (r *reader) name() string { return r.header.GetProvenance().GetLocation() }

// complete adds to the inner reader's footer what came from elsewhere.
func (r *reader) complete(f *transcriptv1.Footer) {
	if r.replaced {
		f.Gaps = r.gaps
	}
	if len(r.filled) == 0 {
		return
	}
	f.Parts = append(f.Parts, &transcriptv1.SourcePart{
		Source: r.header.GetProvenance().GetSource(), Location: r.name(), Steps: uint32(len(r.have)),
	})
	var names []string
	for name := range r.filled {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f.Parts = append(f.Parts, &transcriptv1.SourcePart{Source: "mirror", Location: name, Steps: r.filled[name]})
	}
	ranges := r.ranges
	more := ""
	if len(ranges) > maxRanges {
		ranges, more = ranges[:maxRanges], " and more"
	}
	said := strings.Join(ranges, ", ") + more + " from the transcript logs"
	if f.Completeness != "" {
		said = f.Completeness + "; " + said
	}
	f.Completeness = said
}

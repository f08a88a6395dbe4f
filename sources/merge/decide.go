package merge

import (
	"cmp"
	"slices"
	"time"

	"agy-reader/sources"
	"agy-reader/sources/mirror"
)

// decision is what the logs add to a conversation.
type decision struct {
	// fill are lines of steps that the source lacks, by ascending index.
	fill []mirror.Mark
	// other are lines of another branch, oldest first.
	other []mirror.Mark
}

// decide compares the steps of the source with the lines of the logs: the current line of every index, and those that were
// written over. pruned is the index at which the product rewound the conversation, -1 when it did not.
//
// A line stands for the step of its index when kind and second agree. Lines in a hole belong to the conversation when the
// nearest indexes that both hold agree; once anything shows that the conversation was rewound, their times must also lie
// between those of the steps around them. Lines behind the last step go on with it unless they are older than it.
func decide(have []sources.Mark, lines, over []mirror.Mark, pruned int64) decision {
	var d decision
	last := int64(-1)
	if len(have) > 0 {
		last = int64(have[len(have)-1].Index)
	}
	m := comparison{have: have, lines: lines, agrees: make([]bool, len(lines)), rewound: pruned >= 0}
	m.compare(over)
	below := -1 // the nearest shared line below
	for i := range lines {
		at, found := m.find(lines[i].Index)
		switch {
		case found && m.agrees[i]:
			below = i
		case found:
			below = i
			d.other = append(d.other, lines[i])
		case int64(lines[i].Index) > last && pruned >= 0 && last <= pruned:
			d.other = append(d.other, lines[i]) // nothing was written since the cut
		case m.belongs(i, at, below, last):
			d.fill = append(d.fill, lines[i])
		default:
			d.other = append(d.other, lines[i])
		}
	}
	for _, o := range over {
		if !m.known(&o) {
			d.other = append(d.other, o)
		}
	}
	slices.SortStableFunc(d.other, func(x, y mirror.Mark) int {
		return cmp.Or(cmp.Compare(x.CreatedNS, y.CreatedNS), cmp.Compare(x.Index, y.Index))
	})
	return d
}

// comparison holds both sides while they are compared. Both are in ascending order.
type comparison struct {
	have  []sources.Mark
	lines []mirror.Mark
	// agrees tells for each line whether the source has its step.
	agrees []bool
	// above is the nearest shared line at or above each line, len(lines) when there is none.
	above   []int
	rewound bool
}

func (m *comparison) compare(over []mirror.Mark) {
	m.above = make([]int, len(m.lines))
	next := len(m.lines)
	for i := len(m.lines) - 1; i >= 0; i-- {
		if at, found := m.find(m.lines[i].Index); found {
			m.agrees[i] = same(m.have[at], &m.lines[i])
			m.rewound = m.rewound || !m.agrees[i]
			next = i
		}
		m.above[i] = next
	}
	for i := range over {
		m.rewound = m.rewound || !m.known(&over[i])
	}
}

// find returns the place of the step of an index, or where it would be.
func (m *comparison) find(index uint32) (int, bool) {
	return slices.BinarySearchFunc(m.have, index, func(s sources.Mark, index uint32) int { return cmp.Compare(s.Index, index) })
}

// known reports whether a line that was written over is an earlier state of a step that is there.
func (m *comparison) known(o *mirror.Mark) bool {
	if at, found := m.find(o.Index); found {
		return same(m.have[at], o)
	}
	i, found := slices.BinarySearchFunc(m.lines, o.Index, func(l mirror.Mark, index uint32) int { return cmp.Compare(l.Index, index) })
	return found && same(asMark(&m.lines[i]), o)
}

// belongs reports whether line i is a step that the source lacks at place at.
func (m *comparison) belongs(i, at, below int, last int64) bool {
	above := m.above[i]
	if below >= 0 && !m.agrees[below] || above < len(m.lines) && !m.agrees[above] {
		return false
	}
	behind := int64(m.lines[i].Index) > last
	shared := below >= 0 || above < len(m.lines)
	if shared && !m.rewound && !behind {
		return true
	}
	created := second(m.lines[i].CreatedNS)
	if created == 0 {
		return true
	}
	if at > 0 {
		if t := second(m.have[at-1].CreatedNS); t > created {
			return false
		}
	}
	if at < len(m.have) {
		if t := second(m.have[at].CreatedNS); t != 0 && t < created {
			return false
		}
	}
	return true
}

// same reports whether a line is about the step, as far as both know. A step that a wrapper carries has the wrapper's kind in
// one place and its own in the other.
func same(s sources.Mark, l *mirror.Mark) bool {
	if s.Index != l.Index {
		return false
	}
	if s.Kind != l.Kind && s.Kind != "" && l.Kind != "" && s.Kind != wrapperKind && l.Kind != wrapperKind {
		return false
	}
	a, b := second(s.CreatedNS), second(l.CreatedNS)
	return a == b || a == 0 || b == 0
}

const wrapperKind = "GENERIC"

func asMark(l *mirror.Mark) sources.Mark {
	return sources.Mark{Index: l.Index, Kind: l.Kind, CreatedNS: l.CreatedNS}
}

// second is a time as the logs have it: cut to whole seconds.
func second(ns int64) int64 { return ns / int64(time.Second) }

package mirror

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Mark is one line of the logs: what it is and where. It holds no text of the conversation.
type Mark struct {
	// Index is the step's index, Kind and Status as the line names them.
	Index  uint32
	Kind   string
	Status string
	// CreatedNS is the time of the step in whole seconds; 0 when the line has none that can be read.
	CreatedNS int64
	// Truncated: the product cut a text or an argument of this line.
	Truncated bool
	at        mark
}

// Size is how many bytes the line has.
func (m Mark) Size() int { return int(m.at.length) }

// mark is a Mark as the index keeps it: a log of 1 GB has some hundred thousand of them.
type mark struct {
	off           int64
	index, length uint32
	// created is the time in seconds, 0 when unknown; those behind 2106 are.
	created uint32
	// Of a line that makes calls: where they begin in Log.tools, and how many there are. Of a line that answers one:
	// one more than the place of the caller's line in Log.asked, and which of its calls; link is 0 when none is known.
	link uint32
	n    uint16
	// kind and status are places in Log.words.
	kind, status uint16
	file         uint8
	truncated    bool
}

// seconds are a time as a mark holds it.
func seconds(t time.Time) uint32 {
	if s := t.Unix(); s > 0 && s <= math.MaxUint32 {
		return uint32(s)
	}
	return 0
}

func (m *mark) createdNS() int64 { return int64(m.created) * int64(time.Second) }

func (m *mark) place() place { return place{m.file, m.length, m.off} }

func (l *Log) kind(m *mark) string { return l.words.list[m.kind] }

// Marks returns the current line of every step, by ascending index.
func (l *Log) Marks() []Mark { return l.public(l.marks) }

// Abandoned returns, in the order of the files, lines that a later one took the place of and that say something else: steps
// of a branch that was rewound, and earlier states of a step. They exist nowhere else.
func (l *Log) Abandoned() []Mark { return l.public(l.abandoned) }

// Find returns the current line of a step.
func (l *Log) Find(index uint32) (Mark, bool) {
	i, found := slices.BinarySearchFunc(l.marks, index, func(m mark, index uint32) int { return cmp.Compare(m.index, index) })
	if !found {
		return Mark{}, false
	}
	return l.mark(&l.marks[i]), true
}

// File returns the base name of the log that a mark's line stands in.
func (l *Log) File(m Mark) string { return l.fileOf(&m.at) }

func (l *Log) public(marks []mark) []Mark {
	list := make([]Mark, len(marks))
	for i := range marks {
		list[i] = l.mark(&marks[i])
	}
	return list
}

func (l *Log) mark(m *mark) Mark {
	return Mark{
		Index: m.index, Kind: l.kind(m), Status: l.words.list[m.status], CreatedNS: m.createdNS(), Truncated: m.truncated, at: *m,
	}
}

// words numbers the kinds and statuses that lines name.
type words struct {
	list   []string
	number map[string]uint16
}

// maxWords is how many there are at most. No product has a hundredth of it.
const maxWords = math.MaxUint16

// of returns the number of a word; false when there are too many words already.
func (w *words) of(text string) (uint16, bool) {
	n, known := w.number[text]
	if known {
		return n, true
	}
	if len(w.list) >= maxWords {
		return 0, false
	}
	if w.number == nil {
		w.number = make(map[string]uint16)
	}
	n = uint16(len(w.list))
	w.list, w.number[text] = append(w.list, text), n
	return n, true
}

package merge_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo/build"
	"agy-reader/sources"
)

// What a database holds of a step.
const (
	stored = iota
	absent
	deleted
	broken
)

// What a conversation has in the place of its database.
const (
	readable = iota
	empty
	unreadable
	none
)

// left is what is left of a conversation.
type left struct {
	database int
	legacy   bool
	// steps is what the database holds, logged whether the short and the full log hold each step.
	steps       []int
	short, full []bool
}

// leftOf reads it out of any bytes.
func leftOf(data []byte) left {
	var l left
	if len(data) == 0 {
		return l
	}
	l.database, l.legacy = int(data[0]&3), data[0]&4 != 0
	if data[0]&0x70 != 0 {
		l.database = readable // most of the time
	}
	for _, b := range data[1:min(len(data), 10)] {
		l.steps = append(l.steps, int(b&3))
		l.short = append(l.short, b&4 != 0)
		l.full = append(l.full, b&8 != 0)
	}
	return l
}

func (l left) make(s *store) {
	var payloads [][]byte
	var statements []string
	for i, state := range l.steps {
		p := payload(s.t, i, fmt.Sprintf("db %d", i), at(i), "")
		switch state {
		case absent:
			statements = append(statements, fmt.Sprintf("DELETE FROM steps WHERE idx = %d", i))
		case deleted:
			p = cleared(s.t, i)
		case broken:
			statements = append(statements, fmt.Sprintf("UPDATE steps SET step_payload = x'ffff' WHERE idx = %d", i))
		}
		payloads = append(payloads, p)
	}
	switch l.database {
	case readable:
		s.conversation(func(*build.Conversation) {}, payloads, statements...)
	case empty:
		s.write(s.file(".db"), "")
	case unreadable:
		s.write(s.file(".db"), strings.Repeat("this is no database ", 500))
	}
	if l.legacy {
		s.legacy(len(l.steps))
	}
	for name, has := range map[string][]bool{"transcript.jsonl": l.short, "transcript_full.jsonl": l.full} {
		var list []string
		for i, there := range has {
			if there {
				list = append(list, lines(i, i)...)
			}
		}
		s.log(name, list...)
	}
}

func (l left) logged(i int) bool { return l.short[i] || l.full[i] }

// document is what is to be read, without the names of the logs, or the kind of the error.
func (l left) document() ([]string, error) {
	switch {
	case l.database == readable:
		return l.union(func(i int) (string, bool) {
			log := ""
			if l.logged(i) {
				log = fmt.Sprintf(" log %d", i)
			}
			switch l.steps[i] {
			case stored:
				return fmt.Sprintf("%d db %d", i, i), true
			case absent:
				return fmt.Sprint(i) + log, log != ""
			}
			return fmt.Sprint(i) + log, true
		}, false), nil
	case l.legacy:
		return l.union(func(i int) (string, bool) { return fmt.Sprintf("%d pb %d", i, i), true }, false), nil
	}
	list := l.union(func(i int) (string, bool) { return fmt.Sprintf("%d log %d", i, i), l.logged(i) }, true)
	if len(list) == 0 && l.database != none {
		return nil, sources.ErrUnreadable
	}
	return list, nil
}

// union lists steps and the gaps between them.
func (l left) union(step func(i int) (string, bool), fourIsHidden bool) []string {
	var list []string
	next := 0
	for i := range l.steps {
		text, there := step(i)
		if !there {
			continue
		}
		if i > next && (next != 4 || i != 5 || !fourIsHidden) {
			list = append(list, fmt.Sprintf("gap %d–%d", next, i-1))
		}
		list = append(list, text)
		next = i + 1
	}
	return list
}

var fromLog = regexp.MustCompile(` \(transcript\w*\.jsonl\)`)

func checkModel(t *testing.T, data []byte) {
	t.Helper()
	l := leftOf(data)
	if len(l.steps) == 0 {
		return
	}
	s := newStore(t)
	l.make(s)
	want, kind := l.document()
	d, err := s.read(sources.Want{Blocks: true})
	if kind != nil {
		if !errors.Is(err, kind) {
			t.Fatalf("%+v: error %v, want %v", l, err, kind)
		}
		return
	}
	if err != nil {
		t.Fatalf("%+v: %v", l, err)
	}
	var got []string
	for _, line := range d.outline() {
		got = append(got, fromLog.ReplaceAllString(line, ""))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%+v: document (-want +got):\n%s", l, diff)
	}
	var origins, parts uint32
	for _, e := range d.events {
		if st := e.GetStep(); st.GetOrigin() != "" && (l.database != readable || l.steps[st.GetIndex()] == absent) {
			origins++
		}
	}
	for _, p := range d.footer.GetParts() {
		if p.GetSource() == "mirror" {
			parts += p.GetSteps()
		}
	}
	if l.database == readable && origins != parts {
		t.Fatalf("%+v: %d steps come from logs, the footer says %d", l, origins, parts)
	}
}

// TestModel compares merging with a model of it: whatever is left, the document is the union by index, in order of truth.
func TestModel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		data := make([]byte, 2+rng.IntN(8))
		for i := range data {
			data[i] = byte(rng.UintN(256))
		}
		checkModel(t, data)
	}
}

func FuzzModel(f *testing.F) {
	f.Add([]byte{0x10, 0, 1, 13, 5, 9, 0})
	f.Add([]byte{0x02, 13, 13, 13})
	f.Add([]byte{0x05, 0, 0, 0})
	f.Add([]byte{0x10, 1, 1, 1, 1, 13, 2, 6, 3, 15})
	f.Fuzz(checkModel)
}

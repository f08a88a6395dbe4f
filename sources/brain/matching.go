package brain

import (
	"cmp"
	"context"
	"path"
	"slices"
	"sort"
	"strings"
	"time"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// maxCandidates bounds how many messages are compared with one step: those nearest in time.
const maxCandidates = 8

// maxMail bounds how many bytes of messages are looked through for the sake of steps. Messages beyond are shown on their own.
const maxMail = 256 << 20

// maxAhead is how much later than its step a message may seem to be: logs know whole seconds only.
const maxAhead = 2 * time.Second

// letter is what is remembered of a message until it is compared with a step.
type letter struct {
	e      entry
	at     int64
	queued bool
	// longest is the length of the longest text that a step must show, to show all of it.
	longest int
}

// readLetters sorts the messages by who sent them.
func (f *Folder) readLetters() map[string][]letter {
	all := map[string][]letter{}
	var total int64
	for _, e := range f.files {
		if kindOf(e.name) != kindMessage {
			continue
		}
		if total += e.size; total > maxMail {
			break
		}
		raw, problem := f.small(context.Background(), e, maxMessage)
		if m, ok := parseMessage(raw); ok && problem == "" {
			all[m.text("sender")] = append(all[m.text("sender")], letter{e, m.at(), m.queued(), m.longest()})
		}
	}
	for _, list := range all {
		slices.SortStableFunc(list, func(a, b letter) int { return cmp.Compare(a.at, b.at) })
	}
	return all
}

// longest is the length of the longest text of the message.
func (m message) longest() int {
	n := 0
	for _, b := range m.body() {
		n = max(n, len(strings.TrimSpace(b.GetText())))
	}
	return n
}

// nearestLetters are the letters of a sender that are nearest to a time, nearest first.
func nearestLetters(list []letter, at int64) []letter {
	distance := func(l letter) uint64 { return uint64(max(at, l.at)) - uint64(min(at, l.at)) }
	high := sort.Search(len(list), func(i int) bool { return list[i].at >= at })
	low := high
	var near []letter
	for len(near) < maxCandidates && (low > 0 || high < len(list)) {
		if high == len(list) || low > 0 && distance(list[low-1]) <= distance(list[high]) {
			low--
			near = append(near, list[low])
		} else {
			near = append(near, list[high])
			high++
		}
	}
	return near
}

// delivered finds the message that became a step: the step shows its text, and came from the same sender.
func (f *Folder) delivered(st *transcriptv1.Step) *transcriptv1.Attachment {
	sender := st.GetSender()
	if st.GetKind() == "USER_INPUT" {
		sender = "user"
	}
	if sender == "" {
		return nil
	}
	most := longest(st)
	for _, l := range nearestLetters(f.letters()[sender], st.GetCreatedNs()) {
		if l.longest > most {
			continue // the step does not show all of it
		}
		if at := st.GetCreatedNs(); at != 0 && l.at != 0 && l.at > at+int64(maxAhead) {
			continue // a message does not become a step before it is written
		}
		raw, problem := f.small(context.Background(), l.e, maxMessage)
		m, ok := parseMessage(raw)
		if !ok || problem != "" || !m.shownBy(st, strings.TrimSuffix(path.Base(l.e.name), ".json")) {
			continue
		}
		kind := kindMessage
		if l.queued {
			kind = kindQueued
		}
		a := f.attachment(kind, l.e, contents{size: int64(len(raw)), sum: hash(raw)})
		if l.at != 0 {
			a.UpdatedNs = &l.at
		}
		a.Blocks = append(a.Blocks, info("The step shows all of it."))
		return a
	}
	return nil
}

// shownBy reports whether a step shows everything a message says.
func (m message) shownBy(st *transcriptv1.Step, id string) bool {
	wanted := 0
	for _, b := range m.body() {
		text := strings.TrimSpace(b.GetText())
		if b.GetNotice() != nil {
			return false // what cannot be read is shown on its own
		}
		if text == "" {
			continue
		}
		wanted++
		if !holds(st, text) {
			return false
		}
	}
	return wanted > 0 || id != "" && holds(st, id)
}

func holds(st *transcriptv1.Step, text string) bool {
	return slices.ContainsFunc(st.GetBlocks(), func(b *transcriptv1.Block) bool { return strings.Contains(b.GetText(), text) })
}

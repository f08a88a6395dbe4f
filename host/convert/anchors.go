package convert

import (
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// anchors numbers the anchors of steps, without a copy of those that are made of the step's index, as nearly all are.
type anchors struct {
	// stem is what those begin with.
	stem string
	// other are all others.
	other []string
}

// isOther marks numbers that are places in anchors.other.
const isOther = 1 << 31

// number returns a number for the anchor of a step.
func (a *anchors) number(st *transcriptv1.Step) uint32 {
	var room [10]byte
	digits := strconv.AppendUint(room[:0], uint64(st.Index), 10)
	end := len(st.Anchor) - len(digits)
	if end > 0 && st.Index < isOther && st.Anchor[end:] == string(digits) {
		stem := st.Anchor[:end]
		if a.stem == "" {
			a.stem = strings.Clone(stem)
		}
		if stem == a.stem {
			return st.Index
		}
	}
	if n := len(a.other); n == 0 || a.other[n-1] != st.Anchor {
		a.other = append(a.other, strings.Clone(st.Anchor))
	}
	return uint32(len(a.other)-1) | isOther
}

// of returns the anchor with this number.
func (a *anchors) of(number uint32) string {
	if number&isOther != 0 {
		return a.other[number&^isOther]
	}
	return a.stem + strconv.FormatUint(uint64(number), 10)
}

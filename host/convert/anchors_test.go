package convert

import (
	"fmt"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Every anchor comes back, also one that is not made of its step's index.
func TestAnchors(t *testing.T) {
	t.Parallel()
	var a anchors
	list := map[uint32]string{}
	for i, st := range []*transcriptv1.Step{
		{Index: 12, Anchor: "2"},
		{Index: 7, Anchor: "step-7"},
		{Index: 0, Anchor: "step-0"},
		{Index: 5, Anchor: "sub-1-step-5"},
		{Index: 2, Anchor: "step-12"},
		{Index: 12, Anchor: "step-12"},
		{Index: 3, Anchor: "3"},
		{Index: 4, Anchor: ""},
		{Index: 1<<32 - 1, Anchor: fmt.Sprint("step-", uint32(1<<32-1))},
		{Index: 1, Anchor: "elsewhere"},
	} {
		n := a.number(st)
		if got := a.of(n); got != st.Anchor {
			t.Errorf("%d: %q became %q", i, st.Anchor, got)
		}
		if before, taken := list[n]; taken && before != st.Anchor {
			t.Errorf("%q and %q are both %d", before, st.Anchor, n)
		}
		list[n] = st.Anchor
	}
	for n, anchor := range list {
		if a.of(n) != anchor {
			t.Errorf("%q became %q later", anchor, a.of(n))
		}
	}
	if len(a.other) != 7 {
		t.Errorf("%d are kept: %q", len(a.other), a.other)
	}
}

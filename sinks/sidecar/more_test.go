package sidecar_test

import (
	"strings"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// A list of subagents that ends at a bound says how many are beyond; a whole one says nothing.
func TestMoreChildren(t *testing.T) {
	t.Parallel()
	for more, want := range map[uint32]int{0: 0, 40: 1} {
		o := &transcriptv1.Overview{Children: []*transcriptv1.Child{{ConversationId: "c"}}, MoreChildren: more}
		text, err := write(t, &sinks.Request{}, false, begin(`{}`), end(&transcriptv1.Footer{Overview: o}))
		if err != nil || strings.Count(text, `,"moreChildren":40`) != want || strings.Count(text, "moreChildren") != want {
			t.Errorf("%d: %v\n%s", more, err, text)
		}
	}
}

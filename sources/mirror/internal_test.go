package mirror

import (
	"strings"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

func newestProfile(t testing.TB) *profile.Profile {
	t.Helper()
	p, _, _, err := profile.Choose(profile.Evidence{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func session() *interpret.Session {
	return &interpret.Session{ConversationID: "id", Want: sources.Want{Blocks: true, Native: true, Display: true}}
}

func ignore(*transcriptv1.Event) error { return nil }

// TestNames: every field this package writes is one of the newest profile.
func TestNames(t *testing.T) {
	t.Parallel()
	if missing := newestProfile(t).Resolve(&names).Missing(); len(missing) > 0 {
		t.Errorf("no such fields: %v", missing)
	}
}

// A line's texts are written into memory of their size: a long one is not copied while they are.
func TestSizeIsRoomEnough(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("A line of text.\n", 1<<16)
	c := codecOf(newestProfile(t))
	for _, r := range []*record{
		{kind: plannerKind, content: long},
		{kind: plannerKind, content: long, thinking: long, calls: []call{{name: "x", arguments: `{"a":"` + long + `"}`}}},
		{kind: genericKind, content: long},
		{kind: "USER_INPUT", content: long},
		{kind: errorKind, failure: long},
	} {
		r.status, r.created = "DONE", "2026-10-03T13:00:02Z"
		room := r.size() + 256
		w := newWriter(c, r, nil, make([]byte, 0, room))
		w.write()
		if cap(w.buf) > max(room, 1<<20)*5/4 || len(w.buf) < len(long) {
			t.Errorf("%s: %d bytes were written into room for %d, it is for %d now", r.kind, len(w.buf), room, cap(w.buf))
		}
	}
}

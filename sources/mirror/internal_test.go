package mirror

import (
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

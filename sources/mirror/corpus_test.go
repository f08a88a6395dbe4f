package mirror_test

import (
	"os"
	"path/filepath"
	"testing"

	"agy-reader/host/corpus"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/mirror"
	"agy-reader/sources/profile"
)

// refs returns the corpus conversations that have logs.
func refs(t *testing.T) []sources.Ref {
	t.Helper()
	home := corpus.Home(t)
	var all []sources.Ref
	for _, store := range []string{"antigravity", "antigravity-cli"} {
		root := filepath.Join(home, ".gemini", store)
		dirs, err := os.ReadDir(filepath.Join(root, "brain"))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range dirs {
			brain := filepath.Join(root, "brain", d.Name())
			if _, err := os.Stat(filepath.Join(brain, ".system_generated", "logs")); err == nil {
				all = append(all, sources.Ref{ID: d.Name(), Root: root, Brain: brain})
			}
		}
	}
	return all
}

// newest returns the newest profile.
func newest(t testing.TB) *profile.Profile {
	t.Helper()
	p, _, _, err := profile.Choose(profile.Evidence{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCorpusLogs(t *testing.T) {
	t.Parallel()
	all := refs(t)
	if len(all) != 18 {
		t.Fatalf("%d conversations with logs, want 18", len(all))
	}
	for _, ref := range all {
		l, err := mirror.Open(t.Context(), ref)
		if err != nil {
			t.Errorf("%s: %v", ref.ID, err)
			continue
		}
		s := mirror.Settings{Profile: newest(t), Session: &interpret.Session{
			ConversationID: ref.ID, Want: sources.Want{Blocks: true, Native: true, Display: true},
		}}
		steps := 0
		b := l.Batch(l.Marks(), s)
		err = b.Decode(func(ev *transcriptv1.Event) error {
			if n := ev.GetNote(); n != nil {
				t.Logf("%s: %s", ref.ID[:8], n.GetText())
			}
			if ev.GetStep() != nil {
				steps++
			}
			return nil
		})
		b.Release()
		for _, n := range l.Notes() {
			t.Logf("%s: %s", ref.ID[:8], n.GetText())
		}
		t.Logf("%s: %s: %d marks, %d steps, %d abandoned, %v", ref.ID, l.Location(), len(l.Marks()), steps, len(l.Abandoned()), err)
		l.Close()
	}
}

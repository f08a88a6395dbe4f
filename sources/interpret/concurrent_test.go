package interpret

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// exampleSteps returns the steps of testdata/steps.
func exampleSteps(t testing.TB) []stored {
	t.Helper()
	s := loadSchema(t)
	files, err := filepath.Glob("testdata/steps/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var all []stored
	for i, file := range files {
		json, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, stored{filepath.Base(file), input(uint32(i), s.payload(t, string(json)))})
	}
	return all
}

// TestConcurrentUse interprets the same steps in several goroutines with one new interpreter, so that names are bound while
// others read them, and compares every event with a single run.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	steps := exampleSteps(t)
	want := sources.Want{Blocks: true, Native: true, Display: true}
	single, shared := New(load(t)), New(load(t))
	var expected []*doc.Event
	for _, st := range steps {
		expected = append(expected, interpret(t, single, want, st.in)...)
	}
	session := &Session{ConversationID: "conv", TrajectoryID: "traj", Want: want, Models: map[string]string{"resp-1": "Gemini 3.1 Pro (High)"}}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var a Arena
			n := 0
			for _, st := range steps {
				err := shared.Step(session, st.in, &a, func(ev *doc.Event) error {
					if !proto.Equal(ev, expected[n]) {
						t.Errorf("%s: event %d differs", st.label, n)
					}
					n++
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
			if n != len(expected) {
				t.Errorf("%d events, want %d", n, len(expected))
			}
		})
	}
	wg.Wait()
}

package merge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Uploads that no step names stand at the prompt they were sent with, by the time in their name, whatever the prompts come
// from: a database, a database with holes, an encrypted file, or logs alone.
func TestCaseM03UploadsStandAtTheNearestPrompt(t *testing.T) {
	t.Parallel()
	name := func(format string, when time.Duration) string {
		return fmt.Sprintf(format, start.Add(when).UnixMilli())
	}
	before, early := name("media__%d.png", -time.Hour), name("uploaded_image_0_%d.webp", 2*time.Second)
	between, late := name("media__%d.jpg", 15*time.Second), name("media__%d.pdf", time.Hour)
	for from, write := range map[string]func(s *store){
		"database": func(s *store) { s.database(6) },
		"holes": func(s *store) {
			s.database(6, "DELETE FROM steps WHERE idx IN (2, 4)")
			s.log("transcript.jsonl", lines(0, 5)...)
		},
		"encrypted": func(s *store) { s.legacy(6) },
		"logs":      func(s *store) { s.log("transcript.jsonl", lines(0, 5)...) },
	} {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			write(s)
			for _, upload := range []string{before, early, between, late, "media__1.jpg"} {
				s.write(filepath.Join(s.brain(), upload), upload)
			}
			if err := os.Mkdir(filepath.Join(s.brain(), ".user_uploaded"), 0o755); err != nil {
				t.Fatal(err)
			}
			s.write(filepath.Join(s.brain(), ".user_uploaded", "notes.pdf"), "x")
			var got []string
			seen := map[string]bool{}
			for _, e := range s.mustRead().events {
				a := e.GetAttachment()
				if a == nil || seen[a.GetName()] {
					continue
				}
				seen[a.GetName()] = true
				said := strings.Contains(fmt.Sprint(a.GetBlocks()), "Placed here by the time in its name")
				got = append(got, fmt.Sprint(a.GetName(), " ", a.GetAnchor(), " ", said))
			}
			want := []string{
				before + " step-0 true", early + " step-0 true", between + " step-2 true", late + " step-4 true",
				".user_uploaded/notes.pdf  false", "media__1.jpg  false",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

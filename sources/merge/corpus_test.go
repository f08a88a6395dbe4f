package merge_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/corpus"
	"agy-reader/sources"
)

// corpusSteps are the steps of the real conversations by the beginning of their id: with a database, with an encrypted file,
// with logs only.
var corpusSteps = map[string]int{
	"873edfa9": 8, "18ee78b4": 11, "6b284218": 131, "916eb782": 19, "bad9944e": 7, "204dd9d2": 129,
	"cc60f7b9": 4, "280b6ed1": 82, "607c8551": 115, "e853036a": 111, "46cf95ba": 22,
	"b46546cb": 19, "30c7e800": 30, "ddd43aaa": 4, "3f00f0a8": 168, "f145e582": 16, "818b3363": 8, "3e787052": 33, "0b4dd1cc": 14,
	"ce504c83": 346, "5b8f3a50": 312, "cfae134d": 121, "12160000": 4, "12160001": 5, "12160002": 3, "c09ae6a1": 6,
}

// realStores returns a reference for every conversation of the corpus.
func realConversations(t *testing.T, home string) []sources.Ref {
	t.Helper()
	var refs []sources.Ref
	seen := map[string]bool{}
	for _, store := range []string{"antigravity", "antigravity-cli"} {
		root := filepath.Join(home, ".gemini", store)
		for _, pattern := range []string{"conversations/*.db", "conversations/*.pb", "brain/*-*-*-*-*"} {
			found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range found {
				name := filepath.Base(path)
				ref := sources.Ref{ID: strings.TrimSuffix(name, filepath.Ext(name)), Root: root}
				if filepath.Ext(name) != "" {
					ref.Path = path
				}
				if seen[ref.ID] {
					continue
				}
				seen[ref.ID] = true
				if brain := filepath.Join(root, "brain", ref.ID); isDir(brain) {
					ref.Brain = brain
				}
				refs = append(refs, ref)
			}
		}
	}
	return refs
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// own lists the steps of the conversation itself.
func (d *document) own() (steps []int, origins map[string]int) {
	depth := 0
	origins = map[string]int{}
	for _, e := range d.events {
		switch {
		case e.GetBegin() != nil:
			depth++
		case e.GetEnd() != nil:
			depth--
		case e.GetStep() != nil && depth == 0:
			steps = append(steps, int(e.GetStep().GetIndex()))
			origins[e.GetStep().GetOrigin()]++
		}
	}
	return steps, origins
}

// Every real conversation is read, by whatever is left of it, and those with a database read no log.
func TestCorpus(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	got := map[string]int{}
	attachments := 0
	for _, ref := range realConversations(t, home) {
		d, err := readFrom(context.Background(), source(), ref, sources.Want{Blocks: true}, nil)
		if err != nil {
			t.Errorf("%s: %v", ref.ID, err)
			continue
		}
		steps, origins := d.own()
		if want, known := corpusSteps[ref.ID[:8]]; len(steps) > 0 || known {
			got[ref.ID[:8]] = len(steps)
			if len(steps) != want {
				t.Errorf("%s: %d steps of %d", ref.ID, len(steps), want)
			}
		}
		if ref.Path != "" && origins[""] != len(steps) {
			t.Errorf("%s: steps from %v", ref.ID, origins)
		}
		for _, e := range d.events {
			if e.GetAttachment() != nil {
				attachments++
			}
			if n := e.GetNote(); n.GetIncomplete() && ref.Path != "" {
				t.Errorf("%s: %s", ref.ID, n.GetText())
			}
		}
	}
	if diff := cmp.Diff(corpusSteps, got); diff != "" {
		t.Errorf("conversations (-want +got):\n%s", diff)
	}
	if attachments == 0 {
		t.Error("nothing lies beside any step")
	}
}

// Rows deleted from a real database come back from its logs; steps the product never logs are named.
func TestCorpusDeletedRows(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	for _, ref := range realConversations(t, home) {
		if filepath.Ext(ref.Path) != ".db" || ref.Brain == "" {
			continue
		}
		before, err := readFrom(context.Background(), source(), ref, sources.Want{Blocks: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", "file:"+ref.Path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("DELETE FROM steps WHERE idx % 3 = 1"); err != nil {
			t.Fatal(err)
		}
		db.Close()
		d, err := readFrom(context.Background(), source(), ref, sources.Want{Blocks: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		stored, _ := before.own()
		steps, origins := d.own()
		missing := map[int]bool{}
		for _, gap := range d.footer.GetGaps() {
			for i := gap.GetFirstIndex(); i <= gap.GetLastIndex(); i++ {
				missing[int(i)] = true
			}
		}
		there := map[int]bool{}
		for _, i := range steps {
			if there[i] {
				t.Errorf("%s: step %d twice", ref.ID, i)
			}
			there[i] = true
		}
		last := stored[len(stored)-1]
		for _, i := range stored {
			// The last step, when it was deleted and never logged, is missing without a trace.
			if there[i] == missing[i] && (i != last || there[i]) {
				t.Errorf("%s: step %d: there %v, named as missing %v", ref.ID, i, there[i], missing[i])
			}
		}
		if len(stored) > 4 && len(origins) < 2 {
			t.Errorf("%s: nothing came from the logs: %v", ref.ID, origins)
		}
		checkSameSteps(t, ref.ID, before, d)
	}
}

// checkSameSteps compares what identifies the steps of both documents.
func checkSameSteps(t *testing.T, id string, before, after *document) {
	t.Helper()
	for _, e := range after.events {
		st := e.GetStep()
		if st.GetOrigin() == "" || strings.Count(st.GetAnchor(), "-") != 1 {
			continue
		}
		old := before.step(st.GetIndex())
		was := fmt.Sprint(old.GetKind(), " ", old.GetCreatedNs()/1e9)
		if now := fmt.Sprint(st.GetKind(), " ", st.GetCreatedNs()/1e9); now != was {
			t.Errorf("%s: step %d is %s, was %s", id, st.GetIndex(), now, was)
		}
	}
}

// Without the database the logs make a transcript that says what it is.
func TestCorpusDeletedDatabases(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	seen := 0
	for _, ref := range realConversations(t, home) {
		if filepath.Ext(ref.Path) != ".db" || ref.Brain == "" {
			continue
		}
		ref.Path = ""
		d, err := readFrom(context.Background(), source(), ref, sources.Want{Blocks: true}, nil)
		if err != nil {
			t.Errorf("%s: %v", ref.ID, err)
			continue
		}
		steps, _ := d.own()
		notes := strings.Join(d.notes(), "\n")
		if len(steps) == 0 || !strings.Contains(notes, "reconstructed from transcript logs") {
			t.Errorf("%s: %d steps, notes %s", ref.ID, len(steps), notes)
		}
		seen++
	}
	if seen == 0 {
		t.Error("no conversation has both")
	}
}

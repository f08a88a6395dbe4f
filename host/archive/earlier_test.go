package archive_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo/build"
)

// When the sources hold fewer steps than the document, the earlier document stays beside the new one.
func TestCaseO02EarlierStepsAreKept(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 9)
	dir := t.TempDir()
	export(t, s.options(dir, "markdown", "html"))
	const base = "2026-05-02-hello-00000001"
	before := read(t, dir, base+".md")
	s.put(1, "Hello", 4)
	summary, outcomes := export(t, s.options(dir, "markdown", "html"))
	if summary.Earlier != 1 || outcomes[id(1)].Earlier == nil || outcomes[id(1)].Earlier.Steps != 9 {
		t.Errorf("%+v", summary)
	}
	if read(t, dir, base+".earlier-1.md") != before || strings.Contains(read(t, dir, base+".md"), "Answer 8") {
		t.Error("the earlier steps are lost, or still in the new document")
	}
	for _, suffix := range []string{".md", ".html"} {
		if !strings.Contains(read(t, dir, base+suffix), "an earlier document with 9 steps is kept beside this one as "+base+".earlier-1") {
			t.Errorf("%s does not say that there is an earlier version", base+suffix)
		}
	}
	for _, index := range []string{"index.html", "index.md", "index.json"} {
		if !strings.Contains(read(t, dir, index), base+".earlier-1.html") {
			t.Errorf("%s does not lead to the earlier version", index)
		}
	}
	now := state(t, dir)
	if summary, _ := export(t, s.options(dir, "markdown", "html")); summary.Unchanged != 1 || summary.Earlier != 0 {
		t.Errorf("%+v", summary)
	}
	if diff := cmp.Diff(now, state(t, dir)); diff != "" {
		t.Error(diff)
	}
	// It grows again, and shrinks again: the same earlier version is not kept twice, another one is.
	s.put(1, "Hello", 9)
	export(t, s.options(dir, "markdown", "html"))
	if read(t, dir, base+".md") != before {
		t.Error("a document with all steps is not what it was")
	}
	s.put(1, "Hello", 3)
	if summary, _ := export(t, s.options(dir, "markdown", "html")); summary.Earlier != 0 {
		t.Errorf("%+v", summary)
	}
	s.put(1, "Hello", 2)
	if summary, _ := export(t, s.options(dir, "markdown", "html")); summary.Earlier != 1 || read(t, dir, base+".earlier-2.md") == "" {
		t.Errorf("%+v", summary)
	}
	// A rewind that went on has as many steps, but others.
	s.put(1, "Hello", 2, func(c *build.Conversation) { c.TrajectoryID = "tr-another" })
	if summary, _ := export(t, s.options(dir, "markdown", "html")); summary.Earlier != 1 {
		t.Errorf("%+v", summary)
	}
}

// A conversation that goes back and forth between two branches keeps a bounded number of earlier documents.
func TestBranchesThatAlternateAreKeptOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	dir := t.TempDir()
	total := 0
	for i := range 9 {
		s.put(1, "Hello", 3, func(c *build.Conversation) {
			if i%2 == 1 {
				c.TrajectoryID = "tr-another"
			}
		})
		summary, _ := export(t, s.options(dir, "markdown"))
		total += summary.Earlier
		if i > 5 && summary.Earlier > 0 {
			t.Errorf("run %d kept one more", i)
		}
	}
	if total == 0 {
		t.Error("nothing was kept")
	}
}

// A step that ends later replaces the running one in its place; nothing else is kept.
func TestCaseO03ChangedStatusIsAPlainRewrite(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	put := func(status string) {
		s.write(1, [][]byte{
			s.step(`{"type": 14, "status": 3, "userInput": {"userResponse": "Run it"}}`),
			s.step(`{"type": 21, "status": ` + status + `, "runCommand": {"commandLine": "make", "proposedCommandLine": "make"}}`),
		})
	}
	put("2")
	dir := t.TempDir()
	_, outcomes := export(t, s.options(dir, "html"))
	if outcomes[id(1)].Entry.Incomplete {
		t.Error("a step that still runs makes the conversation incomplete")
	}
	name := keys(contents(t, dir))[0]
	before := read(t, dir, name)
	put("3")
	summary, _ := export(t, s.options(dir, "html"))
	after := read(t, dir, name)
	if summary.Written != 1 || summary.Earlier != 0 || before == after {
		t.Errorf("%+v", summary)
	}
	for _, anchor := range []string{`id="step-0"`, `id="step-1"`} {
		if strings.Count(before, anchor) != 1 || strings.Count(after, anchor) != 1 {
			t.Errorf("%s is not where it was", anchor)
		}
	}
	if n := len(contents(t, dir)); n != 4 {
		t.Errorf("%d files", n)
	}
}

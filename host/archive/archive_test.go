package archive_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/archive"
	"agy-reader/host/artifact"
	"agy-reader/host/convert"
	"agy-reader/host/store"
	"agy-reader/sources"
)

func TestExportAndAgain(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Fix the parser, please!", 3)
	s.put(2, "Fix the parser, please!", 5)
	s.put(3, "Größe ändern 🎉", 2)
	dir := filepath.Join(t.TempDir(), "archive")
	summary, outcomes := export(t, s.options(dir, "markdown", "json", "html"))
	if summary.Written != 3 || summary.Failed != 0 || len(outcomes) != 3 || len(summary.Index) != 3 {
		t.Errorf("%+v", summary)
	}
	var names []string
	first := state(t, dir)
	for name := range first {
		names = append(names, name)
	}
	slices.Sort(names)
	want := []string{
		"2026-05-02-fix-the-parser-please-00000001.html", "2026-05-02-fix-the-parser-please-00000001.md", "2026-05-02-fix-the-parser-please-00000001.trajectory.json",
		"2026-05-03-fix-the-parser-please-00000002.html", "2026-05-03-fix-the-parser-please-00000002.md", "2026-05-03-fix-the-parser-please-00000002.trajectory.json",
		"2026-05-04-größe-ändern-00000003.html", "2026-05-04-größe-ändern-00000003.md", "2026-05-04-größe-ändern-00000003.trajectory.json",
		"agy-reader.manifest.json", "index.html", "index.json", "index.md",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	summary, outcomes = export(t, s.options(dir, "markdown", "json", "html"))
	if summary.Unchanged != 3 || outcomes[id(2)].Entry.Steps != 5 {
		t.Errorf("%+v", summary)
	}
	if diff := cmp.Diff(first, state(t, dir)); diff != "" {
		t.Errorf("the second run wrote (-before +after):\n%s", diff)
	}
}

// A conversation whose file was touched, or whose database only has other bytes, is read again; nothing is written when
// the document is the same.
func TestCaseE04UnchangedContentIsNotWritten(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 3)
	s.put(2, "World", 3)
	dir := t.TempDir()
	export(t, s.options(dir, "markdown"))
	before := state(t, dir)
	if err := os.Chtimes(s.path(1), time.Now(), time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	summary, _ := export(t, s.options(dir, "markdown"))
	after := state(t, dir)
	if summary.Unchanged != 2 || before[archive.ManifestName] == after[archive.ManifestName] {
		t.Errorf("%+v", summary)
	}
	delete(before, archive.ManifestName)
	delete(after, archive.ManifestName)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyWhatChangedIsWritten(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 3)
	s.put(2, "World", 3)
	dir := t.TempDir()
	export(t, s.options(dir, "markdown"))
	before := state(t, dir)
	s.put(2, "Another title now", 4)
	summary, outcomes := export(t, s.options(dir, "markdown"))
	if summary.Written != 1 || summary.Unchanged != 1 || outcomes[id(2)].State != archive.Written {
		t.Errorf("%+v", summary)
	}
	after := state(t, dir)
	const one, two = "2026-05-02-hello-00000001.md", "2026-05-03-world-00000002.md"
	if before[one] != after[one] || before[two] == after[two] || len(before) != len(after) {
		t.Errorf("before %v\nafter %v", before, after)
	}
	if text := read(t, dir, two); !strings.Contains(text, "Another title now") {
		t.Error("the document is an old one")
	}
}

// poison panics, or returns an error, for one conversation.
type poison struct {
	sources.Source
	id     string
	panics bool
}

func (p poison) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	if ref.ID == p.id && p.panics {
		panic("a decoder lost its way")
	}
	return p.Source.Open(ctx, ref, want)
}

func TestCaseE05PoisonIsNamedAndTheRestExported(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for n := 1; n <= 20; n++ {
		s.put(n, "Hello", 2)
	}
	if err := os.WriteFile(s.path(7), []byte("SQLite format 3\x00 and then nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	opt := s.options(dir, "markdown")
	job := opt.Job
	opt.Job = func(session store.Session) (convert.Job, error) {
		j, err := job(session)
		j.Source = poison{j.Source, id(9), true}
		return j, err
	}
	summary, outcomes := export(t, opt)
	if summary.Written != 18 || summary.Failed != 2 {
		t.Errorf("%+v", summary)
	}
	if err := outcomes[id(7)].Err; !errors.Is(err, sources.ErrUnreadable) {
		t.Errorf("broken file: %v", err)
	}
	if err := outcomes[id(9)].Err; !errors.Is(err, convert.ErrInternal) || !strings.Contains(err.Error(), "lost its way") {
		t.Errorf("panic: %v", err)
	}
	for _, name := range []string{"index.html", "index.md"} {
		if text := read(t, dir, name); !strings.Contains(text, "could not be converted") {
			t.Errorf("%s does not name what failed", name)
		}
	}
	// What failed is tried again, and what was made of it is used.
	s.put(7, "Hello again", 2)
	if summary, _ := export(t, s.options(dir, "markdown")); summary.Failed != 0 || summary.Written != 2 || summary.Unchanged != 18 {
		t.Errorf("%+v", summary)
	}
}

// hollow is a source that finds no step of one conversation, although its header announces some.
type hollow struct {
	sources.Source
	id string
}

func (h hollow) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	reader, err := h.Source.Open(ctx, ref, want)
	if err == nil && ref.ID == h.id {
		return hollowReader{reader}, nil
	}
	return reader, err
}

type hollowReader struct{ sources.Reader }

func (hollowReader) Next(context.Context) (sources.Batch, error) { return nil, io.EOF }

// A conversation of which nothing can be shown is a failure, not an empty document.
func TestCaseA10NothingRenderedIsAFailure(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 2)
	s.put(2, "World", 3)
	dir := t.TempDir()
	opt := s.options(dir, "markdown", "html")
	job := opt.Job
	opt.Job = func(session store.Session) (convert.Job, error) {
		j, err := job(session)
		j.Source = hollow{j.Source, id(2)}
		return j, err
	}
	summary, outcomes := export(t, opt)
	if summary.Failed != 1 || !errors.Is(outcomes[id(2)].Err, sources.ErrUnreadable) {
		t.Errorf("%+v: %v", summary, outcomes[id(2)].Err)
	}
	for name := range contents(t, dir) {
		if strings.Contains(name, "00000002") {
			t.Errorf("%s looks like a conversation", name)
		}
	}
}

// A file that someone edited is not replaced behind their back; one that is missing comes back.
func TestEditedAndMissingFiles(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 3)
	s.put(2, "World", 3)
	dir := t.TempDir()
	export(t, s.options(dir, "markdown"))
	before := contents(t, dir)
	edited, missing := filepath.Join(dir, "2026-05-02-hello-00000001.md"), filepath.Join(dir, "2026-05-03-world-00000002.md")
	text := strings.Replace(read(t, edited), "Answer", "Reply!", 1) // as long as before
	if err := errors.Join(os.WriteFile(edited, []byte(text), 0o600), os.Remove(missing)); err != nil {
		t.Fatal(err)
	}
	summary, outcomes := export(t, s.options(dir, "markdown"))
	if summary.Failed != 1 || summary.Written+summary.Unchanged != 1 || !errors.Is(outcomes[id(1)].Err, artifact.ErrExists) {
		t.Errorf("%+v, %v", summary, outcomes[id(1)].Err)
	}
	if read(t, edited) != text {
		t.Error("the edited file was replaced")
	}
	forced := s.options(dir, "markdown")
	forced.Force = true
	if summary, _ := export(t, forced); summary.Failed != 0 {
		t.Errorf("%+v", summary)
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// Files that were only touched or copied are what they were.
func TestTouchedFilesAreUnchanged(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 3)
	dir := t.TempDir()
	export(t, s.options(dir, "markdown"))
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "2026-05-02-hello-00000001.md"), later, later); err != nil {
		t.Fatal(err)
	}
	if summary, _ := export(t, s.options(dir, "markdown")); summary.Unchanged != 1 || summary.Total != 1 {
		t.Errorf("%+v", summary)
	}
}

func TestForeignFilesStay(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 3)
	dir := t.TempDir()
	mine := filepath.Join(dir, "2026-05-02-hello-00000001.md")
	if err := os.WriteFile(mine, []byte("my notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, outcomes := export(t, s.options(dir, "markdown")); !errors.Is(outcomes[id(1)].Err, artifact.ErrExists) {
		t.Errorf("got %v", outcomes[id(1)].Err)
	}
	if read(t, mine) != "my notes" {
		t.Error("it was replaced")
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "index.html"), []byte("my site"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Run(t.Context(), s.options(other, "markdown")); !errors.Is(err, artifact.ErrExists) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff([]string{"index.html"}, keys(contents(t, other))); diff != "" {
		t.Error(diff)
	}
}

func keys(m map[string]string) []string {
	var all []string
	for name := range m {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// A conversation that is gone from the stores stays in the archive and in its index.
func TestGoneConversationsStay(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 3)
	s.put(2, "World", 3)
	dir := t.TempDir()
	export(t, s.options(dir, "markdown"))
	if err := os.Remove(s.path(2)); err != nil {
		t.Fatal(err)
	}
	summary, _ := export(t, s.options(dir, "markdown"))
	if summary.Gone != 1 || summary.Total != 1 {
		t.Errorf("%+v", summary)
	}
	if !strings.Contains(read(t, dir, "2026-05-03-world-00000002.md"), "World") || !strings.Contains(read(t, dir, "index.html"), "no longer in the stores") {
		t.Error("it is not told, or not there")
	}
	again := state(t, dir)
	export(t, s.options(dir, "markdown"))
	if diff := cmp.Diff(again, state(t, dir)); diff != "" {
		t.Error(diff)
	}
	// A run over other stores says nothing about it.
	s.put(2, "World", 3)
	part := s.options(dir, "markdown")
	part.Sessions, part.Searched = part.Sessions[:1], nil
	if summary, _ := export(t, part); summary.Gone != 0 && len(part.Sessions) == 1 && part.Sessions[0].ID == id(2) {
		t.Errorf("%+v", summary)
	}
}

// Another zone and another place give the same names and bytes.
func TestCaseI01SameBytesEverywhere(t *testing.T) {
	s := newShop(t)
	s.put(1, "Late in the evening", 3)
	one, two := t.TempDir(), filepath.Join(t.TempDir(), "somewhere else")
	local := time.Local
	t.Cleanup(func() { time.Local = local })
	time.Local = time.UTC
	export(t, s.options(one, "markdown", "html", "json"))
	time.Local = time.FixedZone("far east", 13*3600)
	t.Setenv("LC_ALL", "tr_TR.UTF-8")
	export(t, s.options(two, "markdown", "html", "json"))
	if diff := cmp.Diff(contents(t, one), contents(t, two)); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(two, "2026-05-02-late-in-the-evening-00000001.md")); err != nil {
		t.Error(err)
	}
}

// The archive itself, or something in it, that is a link is refused and not followed.
func TestCaseH11LinksAreRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 3)
	outside := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(outside, link); err != nil {
		t.Skip(err)
	}
	if _, err := archive.Run(t.Context(), s.options(link, "markdown")); !errors.Is(err, artifact.ErrExists) {
		t.Errorf("a linked archive: %v", err)
	}
	for _, name := range []string{archive.ManifestName, ".agy-reader.archive", "index.html", "2026-05-02-hello-00000001.md"} {
		dir, victim := t.TempDir(), filepath.Join(outside, "victim")
		if err := errors.Join(os.WriteFile(victim, []byte("mine"), 0o600), os.Symlink(victim, filepath.Join(dir, name))); err != nil {
			t.Fatal(err)
		}
		opt := s.options(dir, "markdown")
		opt.Force = true
		var failed error
		opt.Report = func(o archive.Outcome) { failed = o.Err }
		if _, err := archive.Run(t.Context(), opt); !errors.Is(errors.Join(err, failed), artifact.ErrExists) {
			t.Errorf("%s: %v", name, err)
		}
		if read(t, victim) != "mine" {
			t.Errorf("%s led outside", name)
		}
	}
}

func TestTwoRunsDoNotMix(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 3)
	s.put(2, "World", 3)
	dir := t.TempDir()
	opt := s.options(dir, "markdown")
	opt.Jobs = 1
	inner := s.options(dir, "markdown")
	var got error
	opt.Report = func(archive.Outcome) { _, got = archive.Run(t.Context(), inner) }
	if _, err := archive.Run(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(got, sources.ErrBusy) {
		t.Errorf("the second run: %v", got)
	}
}

func TestCancelledRunIsListedAsFarAsItCame(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for n := 1; n <= 10; n++ {
		s.put(n, "Hello", 2)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	opt := s.options(dir, "markdown")
	opt.Jobs = 1
	opt.Report = func(archive.Outcome) { cancel() }
	summary, err := archive.Run(ctx, opt)
	if !errors.Is(err, context.Canceled) || summary.Written == 0 || summary.Written == 10 || summary.Failed > 0 {
		t.Fatalf("%+v, %v", summary, err)
	}
	var index struct{ Conversations []struct{ ID string } }
	if err := json.Unmarshal([]byte(read(t, dir, "index.json")), &index); err != nil || len(index.Conversations) != summary.Written {
		t.Errorf("%d listed, %d written: %v", len(index.Conversations), summary.Written, err)
	}
	if again, _ := export(t, s.options(dir, "markdown")); again.Written+summary.Written != 10 {
		t.Errorf("%+v", again)
	}
}

// A format that is made no more keeps its files; they are marked once they are out of date.
func TestFormatsThatAreMadeNoMore(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.put(1, "Hello", 3)
	dir := t.TempDir()
	export(t, s.options(dir, "markdown", "html"))
	page := read(t, dir, "2026-05-02-hello-00000001.html")
	export(t, s.options(dir, "markdown"))
	if strings.Contains(read(t, dir, "index.html"), "(older)") {
		t.Error("marked, but it is what it was")
	}
	s.put(1, "Hello", 5)
	export(t, s.options(dir, "markdown"))
	if read(t, dir, "2026-05-02-hello-00000001.html") != page || !strings.Contains(read(t, dir, "index.html"), "(older)") {
		t.Error("the page changed, or is not marked")
	}
}

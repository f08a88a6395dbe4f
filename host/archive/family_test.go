package archive_test

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"agy-reader/host/convert"
	"agy-reader/host/demo/build"
	"agy-reader/host/store"
)

// A parent is converted again when something below it changed, and only then.
func TestParentsFollowTheirChildren(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	child := func(n, parent, steps int) {
		s.put(n, "Help", steps, func(c *build.Conversation) {
			var err error
			if c.Metadata, err = build.Encode("exa.cortex_pb.CortexTrajectoryMetadata", `{"createdAt": "2026-05-02T10:00:00Z", "parentConversationId": "`+id(parent)+`"}`); err != nil {
				t.Fatal(err)
			}
		})
	}
	s.put(1, "Hello", 3)
	child(2, 1, 3)
	child(3, 2, 3)
	s.put(4, "Alone", 3)
	dir := t.TempDir()
	converted := func() (took []string) {
		opt := s.options(dir, "markdown")
		opt.Related = true
		job := opt.Job
		opt.Jobs = 1
		opt.Job = func(session store.Session) (convert.Job, error) {
			took = append(took, session.ID)
			return job(session)
		}
		slices.SortFunc(opt.Sessions, func(a, b store.Session) int { return cmp.Compare(a.ID, b.ID) })
		export(t, opt)
		return took
	}
	if got := converted(); len(got) != 4 {
		t.Errorf("first run: %v", got)
	}
	if got := converted(); len(got) != 0 {
		t.Errorf("second run: %v", got)
	}
	child(3, 2, 5)
	if diff := gocmp.Diff([]string{id(1), id(2), id(3)}, converted()); diff != "" {
		t.Error(diff)
	}
	if got := converted(); len(got) != 0 {
		t.Errorf("again: %v", got)
	}
	opt := s.options(dir, "markdown")
	opt.Related = true
	_, outcomes := export(t, opt)
	if alone := outcomes[id(4)].Entry; alone.Family != "" || outcomes[id(1)].Entry.Family == "" {
		t.Errorf("%+v", alone)
	}
}

package doctor

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/host/verify"
	"agy-reader/sources"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/sqlite"
)

// counting counts how often each session is opened.
type counting struct {
	sources.Source
	opened map[string]int
	// before is called before a session is opened.
	before func(id string)
}

func (c *counting) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	c.opened[ref.ID]++
	if c.before != nil {
		c.before(ref.ID)
	}
	return c.Source.Open(ctx, ref, want)
}

// examineCounting is examine with what was opened.
func (s *shop) examineCounting(before func(id string)) (Sidecars, map[string]int) {
	s.t.Helper()
	c := &counting{Source: sqlite.New(), opened: map[string]int{}, before: before}
	r, err := Examine(s.t.Context(), Options{Roots: []store.Root{s.root}, Finder: nobody, Verifier: verify.New(c, legacypb.New()), Agy: noAgy})
	if err != nil {
		s.t.Fatal(err)
	}
	return r.Roots[0].Sidecars, c.opened
}

// copies makes n conversations of which the first is the oldest.
func (s *shop) copies(prefix string, n int) (all []store.Session) {
	s.t.Helper()
	first := s.conversation(prefix + "000")
	data, err := os.ReadFile(first.Path)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := range n {
		one := first
		one.ID = fmt.Sprintf("%s%03d", prefix, i)
		one.Path = s.file(one.ID + ".db")
		s.write(one.ID+".db", string(data))
		at := s.now.Add(time.Duration(i-n) * time.Hour)
		if err := os.Chtimes(one.Path, at, at); err != nil {
			s.t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// However many sessions have a sidecar that proves nothing, all are counted and only the newest are read; those that are claimed
// to be complete are read each.
func TestSessionsWithoutEvidenceAreNotRead(t *testing.T) {
	t.Parallel()
	s := newShop(t, "cli")
	const more = 9
	all := s.copies("s", maxExplained+more)
	for i, text := range []string{replace(answered, "x"), `{"steps":`} { // of the oldest
		s.write(all[i].ID+sidecar.Suffix, text)
	}
	if err := os.Mkdir(sidecar.Path(all[2].Path), 0o700); err != nil {
		t.Fatal(err)
	}
	attested := []string{"a1", "a2"}
	for _, id := range attested {
		s.sync(s.conversation(id))
	}
	s.write(all[len(all)-1].ID+".db", "no database")
	s.write(all[3].ID+".db", "no database, and old")
	long := s.now.Add(-10000 * time.Hour)
	if err := os.Chtimes(all[3].Path, long, long); err != nil {
		t.Fatal(err)
	}

	got, opened := s.examineCounting(nil)
	if want := (Count{Verified: 2, Unknown: len(all)}); got.SQLite != want || got.Unread != more {
		t.Errorf("%+v with %d not read, not %+v with %d", got.SQLite, got.Unread, want, more)
	}
	want := map[string]int{}
	for _, id := range attested {
		want[id] = 1
	}
	for _, one := range all[more:] {
		want[one.ID] = 1
	}
	if !maps.Equal(opened, want) {
		t.Errorf("opened %v, not %v", opened, want)
	}
	for i, class := range map[int]Class{0: Unattested, 1: Corrupt, 2: Odd, 3: Missing, 4: Missing, len(all) - 2: Missing, len(all) - 1: Held} {
		at := slices.IndexFunc(got.Open, func(o Open) bool { return o.ID == all[i].ID })
		if o := got.Open[at]; o.Class != class || o.State != "unknown" || o.Reason == "" {
			t.Errorf("%+v is not %q", o, class)
		}
	}
	if !slices.IsSortedFunc(got.Open, func(a, b Open) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("they are not in the order of names")
	}
}

// A sidecar that is written between the two looks counts.
func TestSidecarBetweenTheLooks(t *testing.T) {
	t.Parallel()
	s := newShop(t, "cli")
	all := s.copies("s", 2)
	got, _ := s.examineCounting(func(id string) {
		if id == all[1].ID {
			s.sync(all[0])
		}
	})
	if want := (Count{Verified: 1, Unknown: 1}); got.SQLite != want || got.Unread != 0 {
		t.Errorf("%+v, not %+v; %d not read", got.SQLite, want, got.Unread)
	}
}

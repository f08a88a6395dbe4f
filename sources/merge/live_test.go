package merge_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/demo/build"
	"agy-reader/sources"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/merge"
	"agy-reader/sources/mirror"
	"agy-reader/sources/sqlite"
)

// goingOn is a database that gets another step right after it was opened.
type goingOn struct {
	sources.Source
	opened int
	step   func()
}

func (g *goingOn) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	r, err := g.Source.Open(ctx, ref, want)
	if g.opened++; g.opened == 1 {
		g.step()
	}
	return r, err
}

// A conversation that goes on while it is read: its log tells of a step that the database got after it was opened. The
// database is asked again, and only then the log.
func TestConversationThatGoesOn(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(2)
	s.log("transcript.jsonl", lines(0, 2)...)
	live := &goingOn{Source: sqlite.New(), step: func() {
		row, err := build.NewRow(2, payload(t, 2, "db 2", at(2), ""))
		if err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", "file:"+s.file(".db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec("INSERT INTO steps(idx, step_type, status, metadata, step_payload) VALUES (?, ?, ?, ?, ?)",
			row.Index, row.Type, row.Status, row.Metadata, row.Payload); err != nil {
			t.Fatal(err)
		}
	}}
	d, err := readFrom(t.Context(), merge.New(live, legacypb.New(), mirror.New()), s.ref(), sources.Want{Blocks: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0 db 0", "1 db 1", "2 db 2"}, d.outline()); diff != "" || len(d.notes()) > 0 {
		t.Errorf("notes %v (-want +got):\n%s", d.notes(), diff)
	}
	if live.opened != 2 {
		t.Errorf("opened %d times", live.opened)
	}
}

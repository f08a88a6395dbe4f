package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/corpus"
	"agy-reader/sources"
)

// gapsOf reads a conversation as merge does and lists what its batches stand for: the first step and the number of
// events, or the gap.
func gapsOf(t *testing.T, path string) []string {
	t.Helper()
	ctx := context.Background()
	r, err := New().Open(ctx, sources.Ref{Path: path}, sources.Want{Gaps: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var list []string
	for {
		b, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		d := collect(t, b)
		line := fmt.Sprintf("steps %v notes %d", d.steps(), len(d.notes()))
		if gap, ok := b.(sources.Gap); ok {
			m := gap.Missing()
			line = fmt.Sprintf("gap %d..%d end %v cause %v notes %d", m.First, m.Last, m.End, m.Cause != "", len(d.notes()))
		}
		list = append(list, line)
		b.Release()
	}
}

// Missing steps and the end of the steps are batches of their own for who asks for them, and only for them.
func TestGapsAreBatches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, statement string
		want            []string
	}{
		{"whole", "SELECT 1", []string{"steps [0 1 2 3 4 5] notes 0", "gap 6..5 end true cause false notes 0"}},
		{"hole", "DELETE FROM steps WHERE idx IN (2, 3)", []string{
			"steps [0 1] notes 0", "gap 2..3 end false cause false notes 1", "steps [4 5] notes 0", "gap 6..5 end true cause false notes 0",
		}},
		{"head", "DELETE FROM steps WHERE idx < 5", []string{
			"gap 0..4 end false cause false notes 1", "steps [5] notes 0", "gap 6..5 end true cause false notes 0",
		}},
		{"none", "DELETE FROM steps", []string{"gap 0..-1 end true cause false notes 0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newConversation(t)
			for i := range 6 {
				w.step(i, "text")
			}
			w.exec(test.statement)
			w.close()
			if diff := cmp.Diff(test.want, gapsOf(t, w.path)); diff != "" {
				t.Errorf("batches (-want +got):\n%s", diff)
			}
			if d := mustRead(t, w.path, sources.Want{}); d.batches > 1 {
				t.Errorf("%d batches for who did not ask", d.batches)
			}
		})
	}
}

// Damage behind the last readable row is a gap without an end, and said once.
func TestDamagedEndIsAGap(t *testing.T) {
	t.Parallel()
	path, _ := damageable(t)
	leaves := pagesOf(t, path, "leaf")
	overwrite(t, path, leaves[len(leaves)-1], make([]byte, 4096))
	list := gapsOf(t, path)
	ends := 0
	for _, line := range list {
		if strings.Contains(line, "end true") {
			ends++
		}
	}
	if last := list[len(list)-1]; ends != 1 || !strings.HasSuffix(last, "cause true notes 1") {
		t.Errorf("%d ends, the last batch is %s", ends, last)
	}
}

func TestOutline(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newConversation(t)
	for i := range 4 {
		w.step(i, "text")
	}
	// Field 1 of the metadata is the time of creation.
	w.exec("DELETE FROM steps WHERE idx = 1", "INSERT INTO steps(idx) VALUES (-3), (4294967296)", "UPDATE steps SET metadata = x'0a060880e2cfaa06' WHERE idx = 2",
		"UPDATE steps SET metadata = x'ff', step_type = 9999 WHERE idx = 3")
	for _, reading := range []bool{false, true} {
		r, err := New().Open(ctx, sources.Ref{Path: w.path}, sources.Want{})
		if err != nil {
			t.Fatal(err)
		}
		if reading {
			b, err := r.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			b.Release()
		} else if last, whole, err := r.(sources.Outliner).Extent(ctx); last != maxKey || whole || err != nil {
			t.Errorf("extent %d %v, %v", last, whole, err)
		}
		marks, err := r.(sources.Outliner).Outline(ctx)
		want := []sources.Mark{{Index: 0, Kind: "USER_INPUT"}, {Index: 2, Kind: "USER_INPUT", CreatedNS: 1_700_000_000_000_000_000}, {Index: 3, Kind: "9999"}}
		if diff := cmp.Diff(want, marks); diff != "" || err != nil {
			t.Errorf("while reading %v: %v (-want +got):\n%s", reading, err, diff)
		}
		r.Close()
	}
}

// The outline of a damaged database is what the steps that can be read say.
func TestOutlineOfADamagedDatabase(t *testing.T) {
	t.Parallel()
	path, _ := damageable(t)
	overwrite(t, path, pagesOf(t, path, "leaf")[20], make([]byte, 4096))
	var got []int
	r, err := New().Open(context.Background(), sources.Ref{Path: path}, sources.Want{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	marks, err := r.(sources.Outliner).Outline(context.Background())
	for _, m := range marks {
		got = append(got, int(m.Index))
	}
	if diff := cmp.Diff(mustRead(t, path, sources.Want{}).steps(), got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestCorpusOutline(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	ctx := context.Background()
	for _, path := range corpus.Databases(t, home) {
		r, err := New().Open(ctx, sources.Ref{Path: path}, sources.Want{})
		if err != nil {
			t.Fatal(err)
		}
		last, whole, err := r.(sources.Outliner).Extent(ctx)
		marks, err2 := r.(sources.Outliner).Outline(ctx)
		if !whole || err != nil || err2 != nil || int(last)+1 != len(marks) {
			t.Errorf("%s: extent %d %v %v, %d marks %v", path, last, whole, err, len(marks), err2)
		}
		for _, m := range marks {
			if m.Kind == "" || m.CreatedNS == 0 {
				t.Errorf("%s: %v", path, m)
			}
		}
		r.Close()
	}
}

// The product deletes texts of old steps; the footer counts them, and nothing is wrong with the document.
func TestClearedStepsAreCounted(t *testing.T) {
	t.Parallel()
	w := newConversation(t)
	for i := range 4 {
		w.step(i, "text")
	}
	w.exec("UPDATE steps SET status = 5, step_payload = x'080e2005' WHERE idx < 2")
	d := mustRead(t, w.path, sources.Want{Blocks: true})
	if got := d.footer.GetCompleteness(); got != "the product deleted the text of 2 steps" || len(d.notes()) > 0 {
		t.Errorf("footer says %q, notes %v", got, d.notes())
	}
}

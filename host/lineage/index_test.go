package lineage_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"agy-reader/host/convert"
	"agy-reader/host/demo/build"
	"agy-reader/host/lineage"
	"agy-reader/host/store"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/sqlite"
)

// fakeIndex has parents by child.
type fakeIndex map[string]string

func (x fakeIndex) Parents(yield func(child, parent, origin string) bool) {
	for _, child := range []string{id("b"), id("c"), id("d")} {
		if parent := x[child]; parent != "" && !yield(child, parent, "an index") {
			return
		}
	}
}

func (x fakeIndex) Lists(id string) bool { _, listed := x[id]; return listed }

func (x fakeIndex) Title(id string) *transcriptv1.Sourced {
	return &transcriptv1.Sourced{Value: "indexed " + short(id)}
}
func (x fakeIndex) Describe(h *transcriptv1.Header) { h.Title = x.Title(h.GetConversationId()) }

// counting counts how many conversations are opened.
func counting(opened *atomic.Int32) func(*lineage.Options) {
	return func(o *lineage.Options) {
		o.Source = func(store.Session) (sources.Source, error) {
			opened.Add(1)
			return sqlite.New(), nil
		}
	}
}

// TestIndex: indexes name children without a conversation being opened, also one that is gone; where they contradict a
// child's own record, that counts.
func TestIndex(t *testing.T) {
	t.Parallel()
	a, b, c, d := id("a"), id("b"), id("c"), id("d")
	root := build.Family(t,
		build.Member{ID: a, Steps: [][]byte{build.Prompt(t, "go")}},
		build.Member{ID: b, Steps: [][]byte{build.Prompt(t, "b")}},
		build.Member{ID: d, Parent: id("e"), Steps: [][]byte{build.Prompt(t, "d")}},
	)
	index := fakeIndex{a: "", b: a, c: a, d: a}
	var opened atomic.Int32
	indexed := family(root, counting(&opened), func(o *lineage.Options) {
		o.Index = func(context.Context, store.Root) lineage.Index { return index }
	})
	sink, result := convertOne(t, root, a, func(job *convert.Job) { job.Family = indexed })
	same(t, `
begin A depth 0
  step-0 USER_INPUT
  note unplaced_child: no step of this conversation names subagent `+b+`; an index says that it belongs here
  begin B depth 1
    step-1-1-0 USER_INPUT
  end complete: 1 step
  note unplaced_child: no step of this conversation names subagent `+c+`; an index says that it belongs here
  note child_not_found: subagent `+c+` not found: it is in none of the stores
  note unplaced_child: no step of this conversation names subagent `+d+`; an index says that it belongs here
  begin D depth 1
    note kinship: this conversation names `+id("e")+` as its parent, not the one it stands in
    step-1-2-0 USER_INPUT
  end complete: 1 step
end complete: 1 step, 2 nested steps
`, sink.sessions[0].text())
	if n := opened.Load(); n != 2 {
		t.Errorf("%d conversations were opened, want the two that are shown", n)
	}
	if title := result.Footer.GetOverview().GetChildren()[0].GetTitle(); title != "indexed B" || sink.sessions[0].headers[1].GetTitle().GetValue() != title {
		t.Errorf("title %q", title)
	}

	delete(index, d) // now its own record is read
	index[d+"x"] = ""
	contradicted := family(root, func(o *lineage.Options) {
		o.Index = func(context.Context, store.Root) lineage.Index { return fakeIndex{a: "", b: a} }
	})
	sink, _ = convertOne(t, root, a, func(job *convert.Job) { job.Family = contradicted })
	if text := sink.sessions[0].text(); strings.Contains(text, d) || !strings.Contains(text, b) {
		t.Error(text)
	}
}

// TestScanIsBounded: conversations are asked for their parents once for all, no more than so many, and it is said.
func TestScanIsBounded(t *testing.T) {
	t.Parallel()
	root, a := build.Family(t), id("a")
	build.AddFamily(t, root, build.Member{ID: a, Steps: [][]byte{build.Prompt(t, "go")}})
	for i := range 8 {
		build.AddFamily(t, root, build.Member{ID: fmt.Sprintf("%08d-0000-4000-8000-000000000000", i), Parent: a, Steps: [][]byte{build.Prompt(t, "x")}})
	}
	for _, tc := range []struct{ scan, opened, children int }{{0, 9, 8}, {3, 3, 3}, {-1, 0, 0}} {
		var opened atomic.Int32
		f := family(root, counting(&opened), func(o *lineage.Options) { o.Scan = tc.scan })
		for range 2 {
			found, err := f.Children(t.Context(), a, sources.Ref{})
			if err != nil {
				t.Fatal(err)
			}
			said := len(found.Notes) == 1 && strings.Contains(found.Notes[0].GetText(), "newest 3 conversations, not in 6 others")
			if len(found.Children) > tc.children || len(found.Children) < tc.children-1 || said != (tc.scan == 3) {
				t.Errorf("scan %d: %d children, notes %v", tc.scan, len(found.Children), found.Notes)
			}
		}
		if int(opened.Load()) != tc.opened {
			t.Errorf("scan %d: opened %d times", tc.scan, opened.Load())
		}
	}
}

// panicking is a source that no conversation survives.
type panicking struct{ sources.Source }

func (panicking) Open(context.Context, sources.Ref, sources.Want) (sources.Reader, error) {
	panic("poison")
}

// One conversation that makes its source panic hides no other one.
func TestPoisonInScan(t *testing.T) {
	t.Parallel()
	a, b, c := id("a"), id("b"), id("c")
	root := build.Family(t,
		build.Member{ID: a, Steps: [][]byte{build.Prompt(t, "a")}},
		build.Member{ID: b, Parent: a, Steps: [][]byte{build.Prompt(t, "b")}},
		build.Member{ID: c, Parent: a, Steps: [][]byte{build.Prompt(t, "c")}},
	)
	f := family(root, func(o *lineage.Options) {
		o.Source = func(s store.Session) (sources.Source, error) {
			if s.ID == b {
				return panicking{}, nil
			}
			return sqlite.New(), nil
		}
	})
	found, err := f.Children(t.Context(), a, sources.Ref{})
	if err != nil || len(found.Children) != 1 || found.Children[0].ID != c {
		t.Errorf("%v, %v", found, err)
	}
}

// A look-up that was cancelled is not remembered as an answer.
func TestCancelledLookUp(t *testing.T) {
	t.Parallel()
	a, b := id("a"), id("b")
	root := build.Family(t, build.Member{ID: a, Steps: [][]byte{build.Prompt(t, "go")}}, build.Member{ID: b, Parent: a, Steps: [][]byte{build.Prompt(t, "b")}})
	f := family(root)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Children(ctx, a, sources.Ref{}); err == nil {
		t.Error("a cancelled look-up has an answer")
	}
	found, err := f.Children(t.Context(), a, sources.Ref{})
	if err != nil || len(found.Children) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}

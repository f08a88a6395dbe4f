package lineage_test

import (
	"strings"
	"testing"

	"agy-reader/host/artifact"
	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/host/corpus"
	"agy-reader/host/lineage"
	"agy-reader/host/store"
	"agy-reader/sources"
)

// TestCorpusSubagent: the one real pair. The parent is left in logs only, the child is a database; it stands at the call
// that made it, and its report, which came later, is linked to that.
func TestCorpusSubagent(t *testing.T) {
	t.Parallel()
	home := corpus.Copy(t)
	const parent, child = "ce504c83-2b27-48a4-b121-b9257ed22092", "916eb782-4730-48af-a317-a8c24cd54909"
	backends, err := builtin.Registry()
	if err != nil {
		t.Fatal(err)
	}
	source, err := backends.Source("auto")
	if err != nil {
		t.Fatal(err)
	}
	roots := store.AllRoots(nil, store.Environment{Home: home, Getenv: func(string) string { return "" }})
	session, err := store.NewFinder(roots).Find(parent)
	if err != nil {
		t.Fatal(err)
	}
	out, err := artifact.Open(t.TempDir(), artifact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sink := &outline{nested: true}
	result, err := convert.Run(t.Context(), convert.Job{
		Source: source, Ref: session.Ref(), Targets: []convert.Target{{Sink: sink}}, Out: out, Subagents: convert.SubagentsInline,
		Family: lineage.New(lineage.Options{
			Sessions: func() ([]store.Session, error) { return store.All(roots, false) },
			Source:   func(store.Session) (sources.Source, error) { return source, nil },
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	text := sink.sessions[0].text()
	for _, want := range []string{
		"\n  step-174 INVOKE_SUBAGENT [" + child + " inline]\n  begin " + child + " depth 1 behind step-174\n    step-174-1-0 USER_INPUT\n",
		"\n    step-174-1-18 ERROR_MESSAGE\n", "\n  end complete: 19 steps\n  step-175 ",
		"\n  step-192 SYSTEM_MESSAGE continues step-174\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not in the document: %s", want)
		}
	}
	if u := result.Footer.UsageWithChildren; u.GetCalls() != 3 || u.GetOutputTokens() != 10423 || result.Footer.Usage != nil {
		t.Errorf("usage %v, with the subagent %v", result.Footer.Usage, u)
	}
}

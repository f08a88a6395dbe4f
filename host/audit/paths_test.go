package audit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/audit"
	"agy-reader/host/sidecar"
)

// pathLines are the lines below the check of paths.
func pathLines(t *testing.T, r *audit.Report) []string {
	t.Helper()
	at := slices.IndexFunc(r.Checks, func(c audit.Check) bool { return c.Name == "sidecar paths" })
	if at < 0 {
		t.Fatal(text(r))
	}
	return append([]string{r.Checks[at].Text}, r.Checks[at].More...)
}

// What is absent is counted; after a drift it is shown by place, and each path only when asked for.
func TestAbsentPaths(t *testing.T) {
	t.Parallel()
	const document = `{"cascadeId":"x","new":1,"steps":[{"type":"x","known":{"a":[]}}]}`
	list := []string{"\tobject", "cascadeId\tstring", "steps\tarray", "steps.[]\tobject", "steps.[].known\tobject", "steps.[].known.a\tobject", "steps.[].type\tstring"}
	absent := []string{
		"gone: object", "gone.b: object", "gone.b.c: number", "orphan.x: null", "steps.[].error: object", "steps.[].error.code: number",
		"steps.[].known.b: string", "steps.[].tool: string",
	}
	for _, line := range absent {
		list = append(list, strings.Replace(line, ": ", "\t", 1))
	}
	for n := range 14 {
		list, absent = append(list, fmt.Sprintf("wide%02d\tnull", n)), append(absent, fmt.Sprintf("wide%02d: null", n))
	}
	w := newWorld(t)
	w.put(sidecar.Path(w.file(1)), document)
	baseline, err := audit.ParseBaseline("mine.txt", strings.Join(list, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	w.Baseline = baseline
	w.Recorded = recorded(t, w.examine())
	counted := []string{
		"1 new, 1 of other types and 22 absent against mine.txt", "+ new: number", "~ steps.[].known.a: array, listed as object",
		"- 22 absent: not used in what was looked at, or gone; `agy-reader audit --paths` lists each",
	}
	if diff := cmp.Diff(counted, pathLines(t, w.examine())); diff != "" {
		t.Error(diff)
	}
	w.Recorded.ShapeFingerprint = "`" + baseline.Fingerprint() + "`"
	counted[3] += "; by place, with how many paths:"
	places := []string{
		"- below the top: gone (3), orphan, wide00, wide01, wide02, wide03, wide04, wide05, wide06, wide07, wide08, wide09, … and 4 more",
		"- below steps.[]: error (2), tool", "- below steps.[].known: b",
	}
	r := w.examine()
	if diff := cmp.Diff(append(slices.Clone(counted), places...), pathLines(t, r)); diff != "" || verdict(r, "sidecar shape") != audit.Drift {
		t.Errorf("%s\n%s", diff, text(r))
	}
	w.Paths = true
	all := counted[:3]
	for _, line := range absent {
		all = append(all, "- "+line)
	}
	if diff := cmp.Diff(all, pathLines(t, w.examine())); diff != "" {
		t.Error(diff)
	}
}

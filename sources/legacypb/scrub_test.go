package legacypb

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
)

// A scrubbed copy is a file of the same form and size, with the same steps and none of the words.
func TestScrub(t *testing.T) {
	t.Parallel()
	whole := message(t, prompt, answer)
	for name, data := range map[string][]byte{
		"encrypted":  sealed(t, whole),
		"plain":      whole,
		"background": sealed(t, field(nil, implicitTrajectory, whole)),
	} {
		var out bytes.Buffer
		report, err := New().Scrub(context.Background(), sources.Ref{Path: write(t, data)}, &out)
		if err != nil || report.Rows != 2 || report.Texts == 0 || len(report.Damaged) > 0 || out.Len() != len(data) {
			t.Errorf("%s: %+v, %d bytes, %v", name, report, out.Len(), err)
			continue
		}
		was, d := mustRead(t, data, sources.Want{Native: true}), mustRead(t, out.Bytes(), sources.Want{Native: true})
		if diff := cmp.Diff(was.shape(), d.shape()); diff != "" {
			t.Errorf("%s: events (-original +copy):\n%s", name, diff)
		}
		for _, step := range own(d.events) {
			if text := string(step.GetNativeJson()); strings.Contains(text, "What is here") || strings.Contains(text, "A file.") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
	if _, err := New().Scrub(context.Background(), sources.Ref{Path: write(t, make([]byte, 50))}, &bytes.Buffer{}); err == nil {
		t.Error("zero bytes can be scrubbed")
	}
}

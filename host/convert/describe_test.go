package convert_test

import (
	"strings"
	"testing"

	"agy-reader/host/convert"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// TestDescribe completes the header of the conversation itself, once, before any sink sees it.
func TestDescribe(t *testing.T) {
	t.Parallel()
	calls := 0
	sink := &fakeSink{name: "plain", needs: all}
	files, result, err := run(t, convert.Job{
		Source: &fakeSource{batches: split(session(), 50)}, Targets: targets(sink),
		Describe: func(h *transcriptv1.Header) {
			calls++
			h.Title = &transcriptv1.Sourced{Value: "found", Origin: "elsewhere"}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(files["conv.plain"], "\n")
	if calls != 1 || !strings.Contains(first, `"title":{"value":"found"`) || result.Header.GetTitle().GetValue() != "found" {
		t.Errorf("called %d times, document begins with %s, result says %v", calls, first, result.Header.GetTitle())
	}
}

package markdown

import (
	"strings"
	"testing"
	"time"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// A value stands with where it was found, and what was found nowhere is said once.
func TestOrigins(t *testing.T) {
	t.Parallel()
	head := func(h *transcriptv1.Header) string { return string((style{zone: time.UTC}).appendHeader(nil, h)) }
	known := head(&transcriptv1.Header{
		Title: &transcriptv1.Sourced{Value: "A title", Origin: "annotation"}, Project: &transcriptv1.Sourced{Value: "/w", Origin: "database"},
	})
	if !strings.Contains(known, "- **Title from:** annotation\n") || !strings.Contains(known, "(database)") {
		t.Errorf("known:\n%s", known)
	}
	unknown := head(&transcriptv1.Header{
		Title: &transcriptv1.Sourced{Origin: "not recorded"}, Project: &transcriptv1.Sourced{Origin: "not recorded"}, CreatedOrigin: "not recorded",
	})
	if strings.Contains(unknown, "(not recorded)") || strings.Contains(unknown, "Title from") || !strings.Contains(unknown, "- **Project:** not recorded\n") {
		t.Errorf("unknown:\n%s", unknown)
	}
	elsewhere := head(&transcriptv1.Header{Project: &transcriptv1.Sourced{Origin: "outside of any project"}})
	if !strings.Contains(elsewhere, "not recorded (outside of any project)") {
		t.Errorf("outside:\n%s", elsewhere)
	}
}

package merge_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"agy-reader/sources"
)

// A list asks the best place that can be read.
func TestPeek(t *testing.T) {
	t.Parallel()
	garbage := strings.Repeat("this is no database ", 500)
	for _, test := range []struct {
		name  string
		make  func(s *store)
		steps uint32
		err   error
	}{
		{"database", func(s *store) { s.database(3); s.log("transcript.jsonl", lines(0, 5)...) }, 3, nil},
		{"encrypted file", func(s *store) { s.legacy(4) }, 4, nil},
		{"logs", func(s *store) { s.log("transcript.jsonl", lines(0, 1)...) }, 2, nil},
		{"empty database, encrypted file", func(s *store) { s.write(s.file(".db"), ""); s.legacy(4) }, 4, nil},
		{"garbage, logs", func(s *store) { s.write(s.file(".db"), garbage); s.log("transcript.jsonl", lines(0, 1)...) }, 2, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			test.make(s)
			summary, err := source().Peek(context.Background(), s.ref())
			if !errors.Is(err, test.err) || summary.Steps != test.steps || test.err == nil && summary.Title == nil {
				t.Errorf("%+v, %v", summary, err)
			}
		})
	}
	_, err := source().Peek(context.Background(), sources.Ref{Path: "a.txt"})
	if !errors.Is(err, sources.ErrUnsupported) {
		t.Errorf("another kind of file: %v", err)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	info := source().Describe()
	if info.Name != "auto" || info.Summary == "" || len(info.Suffixes) != 2 {
		t.Errorf("%+v", info)
	}
}

package daemon

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// compare notes where the answer has other steps than the conversation's file (field report K08). A file that cannot be
// read is noted too; only an end of ctx is an error.
func (s *Source) compare(ctx context.Context, r *reader, ref sources.Ref) error {
	text, differs := "the conversation's file is not at hand, so that nothing was compared", false
	if store := s.storeOf(ref.Path); store != nil {
		stored, err := outline(ctx, store, ref)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		answered, answerErr := r.Outline(ctx)
		if answerErr != nil {
			return answerErr
		}
		name := filepath.Base(ref.Path)
		if err != nil {
			text = fmt.Sprintf("%s could not be read for a comparison: %v", name, err)
		} else if text = difference(stored, answered, name); text == "" {
			text = fmt.Sprintf("%s has steps of the same number, kinds and times; what they hold was not compared", name)
		} else {
			differs = true
		}
	}
	severity := transcriptv1.Severity_SEVERITY_INFO
	if differs {
		severity = transcriptv1.Severity_SEVERITY_WARNING
	}
	r.Note(&transcriptv1.Note{Kind: noteDaemon, Severity: severity, Incomplete: differs, Text: text})
	return nil
}

// storeOf returns the source for a file, nil when there is none.
func (s *Source) storeOf(path string) sources.Source {
	for _, store := range s.stores {
		if path != "" && slices.Contains(store.Describe().Suffixes, filepath.Ext(path)) {
			return store
		}
	}
	return nil
}

// outline is what identifies the steps of the conversation's file.
func outline(ctx context.Context, store sources.Source, ref sources.Ref) ([]sources.Mark, error) {
	r, err := store.Open(ctx, ref, sources.Want{Peek: true})
	if err != nil {
		return nil, err
	}
	o, ok := r.(sources.Outliner)
	if !ok {
		_, err := r.Close()
		return nil, errors.Join(fmt.Errorf("%w: it has no outline", sources.ErrUnsupported), err)
	}
	marks, err := o.Outline(ctx)
	if _, closeErr := r.Close(); err == nil {
		err = closeErr
	}
	return marks, err
}

// difference says in words in what the daemon's answer differs from the file called name; empty for nothing.
func difference(stored, answered []sources.Mark, name string) string {
	var list []string
	if len(stored) != len(answered) {
		list = append(list, fmt.Sprintf("%s has %d steps, the daemon answered %d", name, len(stored), len(answered)))
	}
	for i := range min(len(stored), len(answered)) {
		a, b := stored[i], answered[i]
		if a.Index != b.Index || a.Kind != b.Kind || a.CreatedNS != b.CreatedNS && a.CreatedNS != 0 && b.CreatedNS != 0 {
			list = append(list, fmt.Sprintf("from step %d on the daemon has other steps than %s", a.Index, name))
			break
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "; ") + "; the file is right, and is read without `--from daemon`"
}

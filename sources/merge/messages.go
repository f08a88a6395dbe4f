package merge

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// messages is a conversation of which only files beside the steps are left (case A05).
type messages struct {
	header *transcriptv1.Header
	ended  bool
}

// openMessages reads a conversation without any step. missing is the error when nothing of it is left either.
func (s *Source) openMessages(ctx context.Context, ref sources.Ref, want sources.Want, missing error) (sources.Reader, error) {
	if want.Strict || !mayHaveLogs(ref) {
		return nil, missing
	}
	name := ref.Brain
	if name == "" {
		name = ref.ID
	}
	id := ref.ID
	if id == "" {
		id = filepath.Base(name)
	}
	inner := &messages{header: &transcriptv1.Header{
		ConversationId: id, Surface: ref.Surface,
		Title:      &transcriptv1.Sourced{Origin: "not recorded"},
		Project:    &transcriptv1.Sourced{Origin: "not recorded"},
		Provenance: &transcriptv1.Provenance{Source: "brain", Location: filepath.Base(name)},
	}}
	r, err := s.around(ctx, ref, want, inner, true)
	if err != nil {
		return nil, err
	}
	if r.s.folder == nil {
		return nil, errors.Join(missing, err)
	}
	r.say([]*transcriptv1.Note{{
		Kind: noteGap, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
		Text: "no step of this conversation is on disk: partial, without model turns; only files beside the steps are left",
	}})
	return r, nil
}

func (m *messages) Header() *transcriptv1.Header { return m.header }

func (m *messages) Next(context.Context) (sources.Batch, error) {
	m.ended = true
	return nil, io.EOF
}

func (m *messages) Close() (*transcriptv1.Footer, error) {
	if !m.ended {
		return nil, nil
	}
	return &transcriptv1.Footer{}, nil
}

package merge

import (
	"context"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// Folder stands in for what lies beside the steps.
type Folder struct {
	Kids  map[uint32][]string
	Of    func(st *transcriptv1.Step) []*transcriptv1.Attachment
	Whole func(yield func(*transcriptv1.Attachment) error) error
}

func (f *Folder) Children() map[uint32][]string { return f.Kids }

func (f *Folder) Beside(st *transcriptv1.Step) []*transcriptv1.Attachment { return f.Of(st) }

func (f *Folder) Rest(_ context.Context, yield func(*transcriptv1.Attachment) error) error {
	return f.Whole(yield)
}

// WithFolder makes s find f beside every conversation, or fail to.
func (s *Source) WithFolder(f *Folder, err error) *Source {
	s.beside = func(sources.Ref) (folder, error) {
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	return s
}

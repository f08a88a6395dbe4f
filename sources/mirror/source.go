package mirror

import (
	"context"

	"agy-reader/sources"
)

// Source reads conversations of which only logs are left. Make one with New; it is safe for concurrent use.
type Source struct{}

// New returns a Source.
func New() *Source { return &Source{} }

var (
	_ sources.Source = (*Source)(nil)
	_ sources.Peeker = (*Source)(nil)
)

// Describe implements sources.Source.
func (s *Source) Describe() sources.Info {
	return sources.Info{
		Name:    "mirror",
		Summary: "transcript logs beside a conversation: less than the conversation, and often all that is left",
	}
}

// Open implements sources.Source. A folder without any log is a conversation without steps.
func (s *Source) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	r, err := s.openReader(ctx, ref, want)
	if err != nil {
		return nil, err // not r, a nil pointer
	}
	return r, nil
}

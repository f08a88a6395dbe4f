package daemon

import (
	"context"
	"fmt"

	"agy-reader/sources"
)

// Find returns the daemons that may serve a conversation, the best first. It is called once for every Open. An error is
// returned to the caller of Open as it is.
type Find func(ctx context.Context, ref sources.Ref) ([]Endpoint, error)

// Source reads conversations from a running daemon. Make one with New; it is safe for concurrent use.
type Source struct {
	find    Find
	options []Option
}

// New returns a Source that asks find where a daemon is. The options are those of its clients.
func New(find Find, options ...Option) *Source { return &Source{find, options} }

var _ sources.Source = (*Source)(nil)

// Describe implements sources.Source.
func (s *Source) Describe() sources.Info {
	return sources.Info{Name: "daemon", Summary: "what a running agy or IDE answers, which may be older than the store"}
}

// Open implements sources.Source.
func (s *Source) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	if s.find == nil {
		return nil, fmt.Errorf("%w: nothing looks for daemons here", sources.ErrUnsupported)
	}
	return nil, sources.ErrUnsupported
}

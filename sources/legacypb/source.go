package legacypb

import (
	"context"

	"agy-reader/sources"
	"agy-reader/sources/whole"
)

// maxFile is how big a file may be; a bigger one is sources.ErrLimit. Reading takes about as much memory.
const maxFile = 2<<30 - 1

// Source reads encrypted conversation files. Make one with New; it is safe for concurrent use.
type Source struct {
	maxFile int64
}

// New returns a Source.
func New() *Source { return &Source{maxFile: maxFile} }

var (
	_ sources.Source = (*Source)(nil)
	_ sources.Peeker = (*Source)(nil)
)

// Describe implements sources.Source.
func (s *Source) Describe() sources.Info {
	return sources.Info{
		Name:     "legacypb",
		Summary:  "encrypted conversation files of Antigravity 1.x and agy 1.0.0 to 1.0.3, and background trajectories",
		Suffixes: []string{".pb"},
	}
}

const suffix = ".pb"

// Open implements sources.Source. The file is read and authenticated before it returns.
func (s *Source) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	r, err := s.openReader(ctx, ref, want)
	if err != nil {
		return nil, err // not r, a nil pointer
	}
	return r, nil
}

// Peek implements sources.Peeker. There is no way but to read the whole file; no step but those that may hold the title is
// decoded.
func (s *Source) Peek(ctx context.Context, ref sources.Ref) (sources.Summary, error) {
	r, err := s.openReader(ctx, ref, sources.Want{Peek: true})
	if err != nil {
		return sources.Summary{}, err
	}
	return whole.Summary(r)
}

package sqlite

import (
	"context"
	"time"

	"agy-reader/sources"
)

// Source reads the product's SQLite databases. Make one with New; it is safe for concurrent use.
type Source struct {
	busy time.Duration
	// maxBlob bounds the size of a single stored value; a bigger one is sources.ErrLimit.
	maxBlob int
}

// Option changes a Source.
type Option func(*Source)

// WithBusyTimeout bounds how long opening waits for a writer that excludes readers; 5 seconds when not given.
func WithBusyTimeout(d time.Duration) Option { return func(s *Source) { s.busy = d } }

// New returns a Source.
func New(options ...Option) *Source {
	s := &Source{busy: 5 * time.Second, maxBlob: 1_000_000_000} // SQLite's own bound
	for _, o := range options {
		o(s)
	}
	return s
}

var _ sources.Source = (*Source)(nil)

// Describe implements sources.Source.
func (s *Source) Describe() sources.Info {
	return sources.Info{
		Name:     "sqlite",
		Summary:  "conversation databases of agy 1.0.4 and later, and of IDE and Desktop 2.x, closed or in use",
		Suffixes: []string{".db"},
	}
}

// Open implements sources.Source. The read transaction lasts until Close; a reader that waits for a slow consumer keeps a
// live writer from reusing its log.
func (s *Source) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	r, err := s.openReader(ctx, ref, want)
	if err != nil {
		return nil, err // not r, a nil pointer
	}
	return r, nil
}

// connect opens a database and bounds what it may hand out. pages says that few pages of it will be read.
func (s *Source) connect(ctx context.Context, ref sources.Ref, pages bool) (*database, error) {
	f, err := locate(ref)
	if err != nil {
		return nil, err
	}
	d, err := opener{files: f, busy: s.busy, pages: pages}.open(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.limit(s.maxBlob); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

package daemon

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"agy-reader/sources"
	"agy-reader/sources/whole"
)

// Find returns the daemons that may serve a conversation, the best first. It is called once for every Open. An error is
// returned to the caller of Open as it is.
type Find func(ctx context.Context, ref sources.Ref) ([]Endpoint, error)

// Source reads conversations from a running daemon. Make one with New; it is safe for concurrent use.
//
// It shows what the daemon has in memory, because that is what was asked for, and says so in the header and in a note.
// Where the conversation's file is at hand, the steps of both are compared by number, kind and time, and a difference is
// noted, for then the file is right (field report K08). What the steps hold is not compared: package verify does that, and
// `--from auto` never asks a daemon.
type Source struct {
	find    Find
	stores  []sources.Source
	options []Option
}

// New returns a Source that asks find where a daemon is. stores are the sources that conversations' files are read with;
// the one for a file's suffix is taken. The options are those of its clients.
func New(find Find, stores []sources.Source, options ...Option) *Source {
	return &Source{find, stores, options}
}

var (
	_ sources.Source = (*Source)(nil)
	_ sources.Peeker = (*Source)(nil)
)

// Describe implements sources.Source.
func (s *Source) Describe() sources.Info {
	return sources.Info{Name: "daemon", Summary: "what a running agy or IDE has in memory, which may be older than its store"}
}

// Open implements sources.Source. Every endpoint is asked until one answers.
func (s *Source) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	if s.find == nil {
		return nil, fmt.Errorf("%w: nothing looks for a daemon here", sources.ErrUnsupported)
	}
	fileID := strings.TrimSuffix(filepath.Base(ref.Path), filepath.Ext(ref.Path))
	if ref.Path == "" {
		fileID = ref.ID
	}
	if fileID == "" {
		return nil, fmt.Errorf("%w: a daemon is asked by id", sources.ErrUnsupported)
	}
	endpoints, err := s.find(ctx, ref)
	if err != nil {
		return nil, err
	}
	var failures []error
	for _, e := range endpoints {
		r, err := s.open(ctx, e, ref, fileID, want)
		if err == nil {
			return r, nil
		}
		if ctx.Err() != nil {
			return nil, err
		}
		failures = append(failures, err)
	}
	if len(failures) == 0 {
		return nil, fmt.Errorf("%w: none was found; is agy running?", ErrUnavailable)
	}
	return nil, errors.Join(failures...)
}

func (s *Source) open(ctx context.Context, e Endpoint, ref sources.Ref, fileID string, want sources.Want) (sources.Reader, error) {
	c := NewClient(e, s.options...)
	defer c.Close()
	full, err := FetchFull(ctx, c, fileID, ref.ID)
	if err != nil {
		return nil, err
	}
	r, err := newReader(full, ref, fileID, want)
	if err != nil {
		return nil, err
	}
	if !want.Peek {
		if err := s.compare(ctx, r, ref); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Peek implements sources.Peeker. There is no way but to fetch the whole conversation.
func (s *Source) Peek(ctx context.Context, ref sources.Ref) (sources.Summary, error) {
	r, err := s.Open(ctx, ref, sources.Want{Peek: true})
	if err != nil {
		return sources.Summary{}, err
	}
	return whole.Summary(r)
}

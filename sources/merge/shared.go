package merge

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/mirror"
)

// shared is what the batches of one conversation have in common. Batches outlive their reader, so everybody who uses it holds
// it, and the last one closes the logs.
type shared struct {
	ctx  context.Context //nolint:containedctx // logs may be opened as late as from Decode, which has none
	ref  sources.Ref
	want sources.Want
	// logless: no logs are known, or the main source reads them itself.
	logless bool
	folder  folder
	// settings are how lines of the logs are interpreted.
	settings mirror.Settings
	children map[uint32][]string
	// cuts are notes about rewinds and forks, by the step they are about.
	cuts map[uint32][]*transcriptv1.Note
	// cutIndexes are the keys of cuts, ascending.
	cutIndexes []uint32

	holders atomic.Int32
	once    sync.Once
	log     *mirror.Log
	err     error
}

// folder is what lies beside the steps: brain.Folder.
type folder interface {
	Beside(st *transcriptv1.Step) []*transcriptv1.Attachment
	Rest(ctx context.Context, yield func(*transcriptv1.Attachment) error) error
	Children() map[uint32][]string
}

func (s *shared) hold() { s.holders.Add(1) }

func (s *shared) drop() {
	if s.holders.Add(-1) == 0 && s.log != nil {
		s.log.Close()
	}
}

// logs opens the logs once, and is nil when there are none or they cannot be read; then err says why.
func (s *shared) logs() *mirror.Log {
	s.once.Do(func() {
		s.log, s.err = mirror.Open(s.ctx, s.ref)
		if errors.Is(s.err, sources.ErrNotFound) {
			s.err = nil
		}
	})
	return s.log
}

// line finds the line of the logs that is about a step of the source.
func (s *shared) line(m sources.Mark) (mirror.Mark, bool) {
	if s.logless {
		return mirror.Mark{}, false
	}
	log := s.logs()
	if log == nil {
		return mirror.Mark{}, false
	}
	line, found := log.Find(m.Index)
	return line, found && same(m, &line)
}

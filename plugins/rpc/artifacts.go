package rpc

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	"agy-reader/sinks"
)

// Reporter is implemented by the Artifacts a served sink gets: Report sends a diagnostic that does not end the
// conversation. It may be called whenever Create may.
type Reporter interface {
	Report(d Diagnostic) error
}

var (
	_ sinks.Artifacts = (*sender)(nil)
	_ Reporter        = (*sender)(nil)
)

var errOver = errors.New("the conversation is over")

// sender is everything a served conversation sends. It may be used from several goroutines.
type sender struct {
	mu     sync.Mutex
	stream pluginv1.SinkService_ConvertServer
	// held are messages the sink caused before Ready.
	held    []any
	isReady bool
	isOver  bool
	next    uint32
	openNow int
	ended   uint32
	bytes   uint64
}

func newSender(stream pluginv1.SinkService_ConvertServer) *sender {
	return &sender{stream: stream}
}

// Create starts an artifact part. The host checks the name; when it refuses, the conversation is cancelled.
func (s *sender) Create(name, mediaType string, number uint32) (io.WriteCloser, error) {
	if !utf8.ValidString(name) || !utf8.ValidString(mediaType) || name == "" {
		return nil, fmt.Errorf("artifact name %q or media type %q is not valid text", name, mediaType)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.next
	begin := &pluginv1.ArtifactBegin{Id: id, Name: name, MediaType: mediaType, Part: number}
	if err := s.send(&pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactBegin{ArtifactBegin: begin}}); err != nil {
		return nil, err
	}
	s.next++
	s.openNow++
	return &partWriter{sender: s, id: id}, nil
}

// Report sends a diagnostic that is not fatal.
func (s *sender) Report(d Diagnostic) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.send(&pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Diagnostic{Diagnostic: &pluginv1.Diagnostic{
		Severity: Printable(d.Severity),
		Code:     Printable(d.Code),
		Message:  Printable(d.Message),
		Hint:     Printable(d.Hint),
		Anchor:   Printable(d.Anchor),
	}}})
}

// ready sends Ready and what was held back.
func (s *sender) ready() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.held
	s.held, s.isReady = nil, true
	if err := s.send(&pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Ready{Ready: &pluginv1.Ready{}}}); err != nil {
		return err
	}
	for _, m := range held {
		if err := s.send(m); err != nil {
			return err
		}
	}
	return nil
}

// done sends the counts.
func (s *sender) done(events uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.openNow > 0 {
		return fmt.Errorf("the sink closed the conversation with %d artifact parts still open", s.openNow)
	}
	counts := &pluginv1.Done{Events: events, Artifacts: s.ended, Bytes: s.bytes}
	return s.send(&pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Done{Done: counts}})
}

// close makes every later call fail.
func (s *sender) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isOver = true
}

func (s *sender) send(m any) error {
	switch {
	case s.isOver:
		return errOver
	case !s.isReady:
		if len(s.held) >= MaxOpenParts {
			return errors.New("too much was written before the conversation was opened")
		}
		s.held = append(s.held, m)
		return nil
	default:
		return s.stream.SendMsg(m)
	}
}

// partWriter gathers one artifact part into chunks.
type partWriter struct {
	sender *sender
	id     uint32
	// buf is the chunk that is not full, nil when there is nothing in it.
	buf    *[]byte
	bytes  uint64
	closed bool
}

// Write keeps a copy of p and sends full chunks.
func (w *partWriter) Write(p []byte) (int, error) {
	if w.closed {
		return 0, errors.New("write to an artifact part after close")
	}
	n := len(p)
	for len(p) > 0 {
		if w.buf == nil {
			w.buf = buffers.Get(bufferBytes)
			*w.buf = (*w.buf)[:0]
		}
		k := min(len(p), MaxChunk-len(*w.buf))
		*w.buf = append(*w.buf, p[:k]...)
		p = p[k:]
		if len(*w.buf) == MaxChunk {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// Close sends what is left and ends the part. A second call does nothing.
func (w *partWriter) Close() error {
	if w.closed {
		return nil
	}
	if err := w.flush(); err != nil {
		return err
	}
	w.closed = true
	w.sender.mu.Lock()
	defer w.sender.mu.Unlock()
	w.sender.openNow--
	w.sender.ended++
	end := &pluginv1.ArtifactEnd{Id: w.id, Bytes: w.bytes}
	return w.sender.send(&pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactEnd{ArtifactEnd: end}})
}

// flush sends the buffer, which is no longer ours then.
func (w *partWriter) flush() error {
	if w.buf == nil {
		return nil
	}
	w.sender.mu.Lock()
	defer w.sender.mu.Unlock()
	w.bytes += uint64(len(*w.buf))
	w.sender.bytes += uint64(len(*w.buf))
	chunk := framedChunk(w.id, w.buf)
	w.buf = nil
	return w.sender.send(chunk)
}

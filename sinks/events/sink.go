package events

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protojson"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// MediaType is what the sink writes.
const MediaType = "application/jsonl; charset=utf-8"

// Suffix is appended to the base name.
const Suffix = ".events.jsonl"

// Events is the sink. The zero value is ready; it holds no state.
type Events struct{}

var (
	_ sinks.Sink     = Events{}
	_ sinks.Renderer = (*session)(nil)
)

// New returns the sink.
func New() Events { return Events{} }

// Describe names the sink.
func (Events) Describe() sinks.Info {
	return sinks.Info{
		Name:      "events",
		Summary:   "the document itself, one JSON object an event: for fixtures and bug reports",
		MediaType: MediaType,
		Suffix:    Suffix,
		Needs:     sinks.Needs{Blocks: true, Records: true, Nested: true},
	}
}

// Open starts one dump. Times are numbers, so the time zone plays no part.
func (Events) Open(ctx context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if opts := string(req.Options); opts != "" && opts != "{}" && opts != "null" {
		return nil, fmt.Errorf("events takes no options: %w", sinks.ErrOptions)
	}
	w, err := out.Create(req.BaseName+Suffix, MediaType, 0)
	if err != nil {
		return nil, err
	}
	return &session{out: w}, nil
}

// flushAt is how much is collected before it is written.
const flushAt = 64 << 10

type session struct {
	out io.WriteCloser
	buf []byte
}

// Event writes one line.
func (s *session) Event(ev *transcriptv1.Event) error {
	var err error
	if s.buf, err = s.Render(s.buf, ev); err != nil {
		return err
	}
	return s.flush(flushAt)
}

// Render appends one line.
func (s *session) Render(dst []byte, ev *transcriptv1.Event) ([]byte, error) {
	return Append(dst, ev)
}

// Rendered writes what Render made.
func (s *session) Rendered(_ *transcriptv1.Event, out []byte) error {
	s.buf = append(s.buf, out...)
	return s.flush(flushAt)
}

// Close writes what is left.
func (s *session) Close() error {
	if err := s.flush(0); err != nil {
		return err
	}
	return s.out.Close()
}

// Abort drops everything.
func (s *session) Abort() {
	_ = s.out.Close() // the host publishes nothing after Abort
}

func (s *session) flush(limit int) error {
	if len(s.buf) <= limit {
		return nil
	}
	if _, err := s.out.Write(s.buf); err != nil {
		return err
	}
	s.buf = s.buf[:0]
	return nil
}

// Append appends the canonical line of ev, line feed included. It refuses strings that are not UTF-8.
func Append(dst []byte, ev *transcriptv1.Event) ([]byte, error) {
	text, err := protojson.Marshal(ev)
	if err != nil {
		return dst, fmt.Errorf("marshal %T: %w", ev.GetBody(), err)
	}
	// The library varies its white space on purpose; everything else is stable.
	line := bytes.NewBuffer(dst)
	if err := json.Compact(line, text); err != nil {
		return dst, fmt.Errorf("compact %T: %w", ev.GetBody(), err)
	}
	return append(line.Bytes(), '\n'), nil
}

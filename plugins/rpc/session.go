package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/proto"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// maxReceived bounds the messages received and not yet handled.
const maxReceived = 8

// session is the host's end of one conversation. A sender and a receiver goroutine run all the time; everything else,
// writing artifacts included, happens in the goroutine of the caller.
type session struct {
	client *SinkClient
	stream pluginv1.SinkService_ConvertClient
	cancel context.CancelFunc
	// stopped closes when the session is over for the host, cancelled by the caller or by itself.
	stopped <-chan struct{}
	// cause says why the caller's context ended, nil while it has not.
	cause    func() error
	withhold sinks.Withhold
	box      *outbox
	down     downstream

	received chan *response
	// ended is why received was closed; read it only afterwards.
	ended error
	tasks errgroup.Group
	// scratch is used again for every event that was not rendered ahead.
	scratch []byte
	// failed is the first error; every later call returns it.
	failed error
}

var _ sinks.Renderer = (*session)(nil)

func (c *SinkClient) newSession(ctx context.Context, req *sinks.Request, out sinks.Artifacts) (*session, error) {
	streamCtx, cancel := context.WithCancel(ctx)
	cause := func() error { return context.Cause(ctx) }
	stream, err := c.rpc.Convert(streamCtx)
	if err != nil {
		cancel()
		return nil, c.broken(cause(), "it took no conversation", err)
	}
	s := &session{
		client:   c,
		stream:   stream,
		cancel:   cancel,
		stopped:  streamCtx.Done(),
		cause:    cause,
		withhold: sinks.WithholdFrom(c.info.Needs, req.KeepWrappers),
		box:      newOutbox(),
		received: make(chan *response, maxReceived),
	}
	s.down = newDownstream(c, out)
	s.tasks.Go(s.receive)
	return s, nil
}

func (s *session) open(req *sinks.Request) error {
	open := &pluginv1.Open{
		BaseName:     req.BaseName,
		OptionsJson:  req.Options,
		TimeZone:     req.TimeZone,
		KeepWrappers: req.KeepWrappers,
		Notice:       req.Notice,
	}
	if proto.Size(open) > MaxMessage/2 {
		return s.fail(fmt.Errorf("%w: they are above %d bytes", sinks.ErrOptions, MaxMessage/2))
	}
	// A stream that breaks here tells its reason to the receiver.
	if err := s.stream.Send(&pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Open{Open: open}}); err != nil && !errors.Is(err, io.EOF) {
		return s.fail(s.client.broken(s.cause(), "it took no conversation", err))
	}
	s.tasks.Go(s.send)
	return s.pump("it did not get ready for the conversation", nil, func() bool { return s.down.state != opening })
}

// Event sends what the sink asked for of ev.
func (s *session) Event(ev *transcriptv1.Event) error {
	data, err := s.Render(s.scratch[:0], ev)
	if err != nil {
		return err
	}
	if cap(data) <= 2*MaxBatch {
		s.scratch = data
	}
	return s.Rendered(ev, data)
}

// Render appends the serialized form of what the sink asked for of ev; nothing when it gets no such event.
func (s *session) Render(dst []byte, ev *transcriptv1.Event) ([]byte, error) {
	hidden, ok := s.withhold.Hide(ev)
	if !ok || ev.GetBody() == nil {
		return dst, nil
	}
	defer hidden.Restore(ev)
	return proto.MarshalOptions{}.MarshalAppend(dst, ev)
}

// Rendered queues out for sending and handles what arrived meanwhile. It waits while the plugin is behind.
func (s *session) Rendered(_ *transcriptv1.Event, out []byte) error {
	if s.failed != nil {
		return s.failed
	}
	if len(out) <= MaxBatch {
		if len(out) > 0 {
			if err := s.roomFor(); err != nil {
				return err
			}
			s.box.add(out)
		}
		return s.drain()
	}
	for len(out) > 0 {
		if err := s.roomFor(); err != nil {
			return err
		}
		n := min(len(out), MaxBatch)
		s.box.addPart(out[:n], n == len(out))
		out = out[n:]
	}
	return s.drain()
}

// Close sends End, waits for Done and compares the counts.
func (s *session) Close() error {
	if s.failed != nil {
		return s.failed
	}
	defer s.stop()
	s.box.finish()
	s.down.sent = &s.box.events
	return s.pump("it did not finish the conversation", nil, func() bool { return s.down.state == over })
}

// Abort cancels the stream and returns when both goroutines have ended.
func (s *session) Abort() {
	s.stop()
}

func (s *session) stop() {
	s.cancel()
	_ = s.tasks.Wait()
}

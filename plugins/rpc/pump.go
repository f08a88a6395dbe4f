package rpc

import (
	"context"
	"errors"
	"io"
	"time"
)

func (s *session) receive() error {
	defer close(s.received)
	for {
		m := &response{}
		if err := s.stream.RecvMsg(m); err != nil {
			s.ended = err
			return nil
		}
		select {
		case s.received <- m:
		case <-s.stopped:
			s.ended = context.Canceled
			return nil
		}
	}
}

// send stops without an error when the stream breaks: the receiver learns the reason.
func (s *session) send() error {
	for m := s.box.next(s.stream.Context()); m != nil; m = s.box.next(s.stream.Context()) {
		if s.stream.SendMsg(m) != nil {
			return nil
		}
		s.box.sent.Add(1)
	}
	_ = s.stream.CloseSend()
	return nil
}

func (s *session) roomFor() error {
	if s.box.room() {
		return nil
	}
	return s.pump("it stopped taking events", s.box.space, s.box.room)
}

// drain handles what has arrived without waiting.
func (s *session) drain() error {
	for {
		select {
		case m, ok := <-s.received:
			if err := s.take(m, ok); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// pump handles what arrives until done says so. wake may be nil; it makes pump ask again. what says in the error what the
// plugin did not do.
func (s *session) pump(what string, wake <-chan struct{}, done func() bool) error {
	idle := time.NewTimer(s.client.opts.Idle)
	defer idle.Stop()
	sent := s.box.sent.Load()
	for !done() {
		select {
		case m, ok := <-s.received:
			if err := s.take(m, ok); err != nil {
				return err
			}
			idle.Reset(s.client.opts.Idle)
		case <-wake:
		case <-idle.C:
			if now := s.box.sent.Load(); now != sent {
				sent = now
				idle.Reset(s.client.opts.Idle)
				continue
			}
			return s.fail(s.client.timeout(what + " within " + s.client.opts.Idle.String()))
		}
	}
	return nil
}

// take handles one message, or the end of the stream when ok is false.
func (s *session) take(m *response, ok bool) error {
	if ok {
		defer m.release()
		if err := s.down.handle(m.ConvertResponse); err != nil {
			return s.fail(err)
		}
		return nil
	}
	if !errors.Is(s.ended, io.EOF) {
		return s.fail(s.client.broken(s.cause(), "the conversation broke off", s.ended))
	}
	if err := s.down.end(); err != nil {
		return s.fail(err)
	}
	return nil
}

// fail keeps the first error and stops the stream, so that the plugin learns of it at once.
func (s *session) fail(err error) error {
	if s.failed == nil {
		s.failed = err
		s.cancel()
	}
	return s.failed
}

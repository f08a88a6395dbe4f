package rpc

import (
	"errors"
	"fmt"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// conversation is the plugin's end of one stream.
type conversation struct {
	server   *SinkServer
	stream   pluginv1.SinkService_ConvertServer
	received chan *incoming
	// batches are those of received that have events.
	batches chan *incoming
	// over is closed when nothing more is to be done ahead.
	over chan struct{}
	// broken is why the stream ended, nil after the host closed its half; read it only after received is closed.
	broken  error
	out     *sender
	session sinks.Session

	// events were delivered. What the JSON of one lies in is used again: a sink that keeps it sees it change.
	events uint64
	// parts are the pieces of a large event so far.
	parts []byte
}

// run follows the order of the contract. After an error the conversation is to be aborted.
func (c *conversation) run() error {
	stop := func() { close(c.over) }
	defer func() { stop() }()
	if err := c.open(); err != nil {
		return err
	}
	stop = c.work()
	end, err := c.take()
	if err != nil {
		return err
	}
	if end.GetEvents() != c.events {
		return &protocolError{fmt.Sprintf("end counts %d events, %d came", end.GetEvents(), c.events)}
	}
	if _, ok := <-c.received; ok {
		return &protocolError{"a message after end"}
	}
	if c.broken != nil {
		return c.broken
	}
	// A host that went away in the meantime wants no document any more.
	if err := c.stream.Context().Err(); err != nil {
		return err
	}
	session := c.session
	c.session = nil
	if err := c.server.guard("close", session.Close); err != nil {
		return err
	}
	return c.out.done(c.events)
}

func (c *conversation) open() error {
	m, ok := c.next()
	open := m.GetOpen()
	if open == nil {
		return c.unexpected(ok, "open")
	}
	req := &sinks.Request{
		BaseName:     open.GetBaseName(),
		Options:      open.GetOptionsJson(),
		TimeZone:     open.GetTimeZone(),
		KeepWrappers: open.GetKeepWrappers(),
		Notice:       open.GetNotice(),
	}
	// Artifacts may be created in Open, and no artifact comes before Ready: the sender holds them back.
	err := c.server.guard("open", func() (err error) {
		c.session, err = c.server.sink.Open(c.stream.Context(), req, c.out)
		return err
	})
	if err != nil {
		return err
	}
	return c.out.ready()
}

// next returns the next message of the host, which is empty when ok is false: the stream has ended.
func (c *conversation) next() (m *incoming, ok bool) {
	if m, ok = <-c.received; !ok {
		return &incoming{request: &request{}}, false
	}
	return m, true
}

// take delivers events until End.
func (c *conversation) take() (*pluginv1.End, error) {
	for {
		m, ok := c.next()
		switch body := m.GetBody().(type) {
		case *pluginv1.ConvertRequest_Batch:
			if c.parts != nil {
				return nil, &protocolError{"a batch between the parts of an event"}
			}
			if err := c.deliver(m); err != nil {
				return nil, err
			}
		case *pluginv1.ConvertRequest_Part:
			if err := c.join(body.Part); err != nil {
				return nil, err
			}
		case *pluginv1.ConvertRequest_End:
			if c.parts != nil {
				return nil, &protocolError{"end between the parts of an event"}
			}
			return body.End, nil
		default:
			return nil, c.unexpected(ok, "a batch, a part or end")
		}
	}
}

func (c *conversation) join(p *pluginv1.EventPart) error {
	if len(c.parts)+len(p.GetData()) > MaxEvent {
		return &protocolError{fmt.Sprintf("an event above %d bytes", MaxEvent)}
	}
	if c.parts == nil {
		c.parts = make([]byte, 0, 4*MaxBatch)
	}
	c.parts = append(c.parts, p.GetData()...)
	if !p.GetLast() {
		return nil
	}
	whole, ev := c.parts, &transcriptv1.Event{}
	c.parts = nil
	if err := (&eventReader{}).read(whole, ev); err != nil {
		return c.unreadable(err)
	}
	c.events++
	return c.server.guard("event", func() error { return c.session.Event(ev) })
}

// deliver gives the events of a batch to the sink.
func (c *conversation) deliver(m *incoming) error {
	<-m.ready
	defer m.release()
	renderer, _ := c.session.(sinks.Renderer)
	for i, ev := range m.events {
		c.events++
		err := c.server.guard("event", func() error {
			if text, ok := m.rendered(i); ok {
				return renderer.Rendered(ev, text)
			}
			return c.session.Event(ev)
		})
		if err != nil {
			return err
		}
	}
	if bad, ok := errors.AsType[*unreadableError](m.err); ok {
		return c.unreadable(bad.cause)
	}
	return m.err
}

// unreadable is about the next event.
func (c *conversation) unreadable(cause error) error {
	return &protocolError{fmt.Sprintf("event %d cannot be read: %v", c.events, cause)}
}

func (c *conversation) unexpected(ok bool, want string) error {
	switch {
	case ok:
		return &protocolError{"a message where " + want + " was expected"}
	case c.broken != nil:
		return c.broken
	default:
		return &protocolError{"the stream ended where " + want + " was expected"}
	}
}

// abort drops the session if it was opened and not closed.
func (c *conversation) abort() {
	if c.session == nil {
		return
	}
	_ = c.server.guard("abort", func() error {
		c.session.Abort()
		return nil
	})
}

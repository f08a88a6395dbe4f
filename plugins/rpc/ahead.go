package rpc

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

const (
	// maxAhead bounds the messages received and not yet delivered.
	maxAhead = 4
	// maxRendered is how much text of a batch is rendered ahead; the steps behind it are rendered in their turn.
	maxRendered = 4 << 20
	// keptText is the largest buffer for rendered text that is used again.
	keptText = 1 << 20
)

// incoming is a message of the host on its way to the sink. Workers read the events of a batch and render what does not
// depend on its turn, as the host does when the sink is in its own process.
type incoming struct {
	*request
	// events are those of a batch up to the first that cannot be read, which err is about.
	events []*transcriptv1.Event
	// text is what a sinks.Renderer rendered of the steps; that of each event ends where ends says.
	text []byte
	ends []int
	err  error
	// ready is closed when the events are there; nil for a message that has none.
	ready chan struct{}
}

// texts are the buffers of messages that were delivered.
var texts sync.Pool

// receive hands on what the host sends until the stream ends or the conversation is over.
func (c *conversation) receive() {
	defer close(c.received)
	defer close(c.batches)
	for {
		m := &incoming{request: &request{}}
		if err := c.stream.RecvMsg(m.request); err != nil {
			if !errors.Is(err, io.EOF) {
				c.broken = err
			}
			return
		}
		if m.GetBatch() != nil {
			m.ready = make(chan struct{})
		}
		select {
		case c.received <- m:
		case <-c.over:
			c.broken = context.Canceled
			return
		}
		if m.ready != nil {
			select {
			case c.batches <- m:
			case <-c.over:
				c.broken = context.Canceled
				return
			}
		}
	}
}

// work starts the workers. The function it returns ends them, and then none is in a method of the session any more.
func (c *conversation) work() (stop func()) {
	renderer, _ := c.session.(sinks.Renderer)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxAhead+1) {
		workers.Go(func() {
			var reader eventReader
			for {
				select {
				case m, ok := <-c.batches:
					if !ok {
						return
					}
					m.err = c.server.guard("render", func() error { return m.prepare(&reader, renderer, c.over) })
					close(m.ready)
				case <-c.over:
					return
				}
			}
		})
	}
	return func() {
		close(c.over)
		workers.Wait()
	}
}

// prepare reads the events of a batch, and renders them when there is a renderer. It stops soon when the conversation is over.
func (m *incoming) prepare(reader *eventReader, renderer sinks.Renderer, over <-chan struct{}) error {
	batch := m.GetBatch().GetEvents()
	m.events = make([]*transcriptv1.Event, 0, len(batch))
	if renderer != nil {
		m.ends = make([]int, 0, len(batch))
		m.text, _ = texts.Get().([]byte)
	}
	for _, data := range batch {
		select {
		case <-over:
			return context.Canceled
		default:
		}
		ev := &transcriptv1.Event{}
		if err := reader.read(data, ev); err != nil {
			return &unreadableError{err}
		}
		if renderer != nil {
			if ev.GetStep() != nil && len(m.text) < maxRendered {
				text, err := renderer.Render(m.text, ev)
				if err != nil {
					return err
				}
				m.text = text
			}
			m.ends = append(m.ends, len(m.text))
		}
		m.events = append(m.events, ev)
	}
	return nil
}

// rendered is the text of event i, if it was rendered ahead.
func (m *incoming) rendered(i int) (text []byte, ok bool) {
	if m.ends == nil || m.events[i].GetStep() == nil {
		return nil, false
	}
	from := 0
	if i > 0 {
		from = m.ends[i-1]
	}
	return m.text[from:m.ends[i]:m.ends[i]], from < maxRendered
}

// release gives back the memory of the message and of its events, which must not be used any more.
func (m *incoming) release() {
	if text := m.text; text != nil && cap(text) <= keptText {
		texts.Put(text[:0]) //nolint:staticcheck // a slice header is small beside what it saves
	}
	m.events, m.text = nil, nil
	m.request.release()
}

// unreadableError is an event that is none.
type unreadableError struct{ cause error }

func (u *unreadableError) Error() string { return "cannot be read: " + u.cause.Error() }

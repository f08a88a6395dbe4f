package rpc

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
)

// maxQueued bounds the bytes of closed batches that wait for the sender.
const maxQueued = 1 << 20

// outbox gathers serialized events into messages. One goroutine fills it, one sends from it.
type outbox struct {
	mu     sync.Mutex
	queue  []*pluginv1.ConvertRequest
	queued int
	buf    []byte
	ends   []int
	since  time.Time
	events uint64
	closed bool
	// free are batch buffers that were sent.
	free [][]byte

	// wake tells the sender that there is something, space tells the filler that there is room again.
	wake, space chan struct{}
	// sent counts messages gRPC has serialized, so that a waiting filler sees progress.
	sent atomic.Uint64
}

func newOutbox() *outbox {
	return &outbox{wake: make(chan struct{}, 1), space: make(chan struct{}, 1)}
}

// room says whether the filler may add one piece of at most MaxBatch bytes.
func (o *outbox) room() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.queued < maxQueued
}

// add takes a copy of one whole event of at most MaxBatch bytes.
func (o *outbox) add(ev []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.ends) > 0 && len(o.buf)+len(ev) > MaxBatch {
		o.closeBatch()
	}
	if len(o.ends) == 0 {
		o.since = time.Now()
		signal(o.wake)
	}
	o.buf = append(o.buf, ev...)
	o.ends = append(o.ends, len(o.buf))
	o.events++
	if len(o.ends) >= MaxBatchEvents || len(o.buf) >= MaxBatch {
		o.closeBatch()
	}
}

// addPart takes a copy of one piece of a larger event.
func (o *outbox) addPart(data []byte, last bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closeBatch()
	part := &pluginv1.EventPart{Data: append([]byte(nil), data...), Last: last}
	o.push(&pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Part{Part: part}}, len(data))
	if last {
		o.events++
	}
}

// finish adds the End message. Nothing is added afterwards.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closeBatch()
	o.push(&pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_End{End: &pluginv1.End{Events: o.events}}}, 0)
	o.closed = true
}

func (o *outbox) closeBatch() {
	if len(o.ends) == 0 {
		return
	}
	batch := &pluginv1.EventBatch{Events: make([][]byte, len(o.ends))}
	start := 0
	for i, end := range o.ends {
		batch.Events[i] = o.buf[start:end]
		start = end
	}
	o.push(&pluginv1.ConvertRequest{Body: &pluginv1.ConvertRequest_Batch{Batch: batch}}, len(o.buf))
	// The message keeps the buffer until it is sent.
	o.buf, o.ends = nil, o.ends[:0]
	if n := len(o.free); n > 0 {
		o.buf, o.free = o.free[n-1], o.free[:n-1]
	}
}

// sentAll gives back the memory of a message that gRPC has serialized.
func (o *outbox) sentAll(m *pluginv1.ConvertRequest) {
	o.sent.Add(1)
	events := m.GetBatch().GetEvents()
	if len(events) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.free) < 4 {
		o.free = append(o.free, events[0][:0])
	}
}

func (o *outbox) push(m *pluginv1.ConvertRequest, size int) {
	o.queue = append(o.queue, m)
	o.queued += size
	signal(o.wake)
}

// next blocks until there is a message to send. It returns nil after the End message and when ctx ends.
func (o *outbox) next(ctx context.Context) *pluginv1.ConvertRequest {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		m, wait, done := o.take()
		if m != nil || done {
			return m
		}
		var due <-chan time.Time
		if wait > 0 {
			timer.Reset(wait)
			due = timer.C
		}
		select {
		case <-ctx.Done():
			return nil
		case <-o.wake:
		case <-due:
		}
	}
}

// take returns the next message, or how long the open batch may still wait, or that all is sent.
func (o *outbox) take() (m *pluginv1.ConvertRequest, wait time.Duration, done bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 && len(o.ends) > 0 {
		wait = MaxBatchAge - time.Since(o.since)
		if wait > 0 {
			return nil, wait, false
		}
		o.closeBatch()
	}
	if len(o.queue) == 0 {
		return nil, 0, o.closed
	}
	m = o.queue[0]
	o.queue[0] = nil
	o.queue = o.queue[1:]
	o.queued -= payload(m)
	signal(o.space)
	return m, 0, false
}

// payload is the size a message was pushed with.
func payload(m *pluginv1.ConvertRequest) int {
	switch body := m.GetBody().(type) {
	case *pluginv1.ConvertRequest_Batch:
		n := 0
		for _, ev := range body.Batch.GetEvents() {
			n += len(ev)
		}
		return n
	case *pluginv1.ConvertRequest_Part:
		return len(body.Part.GetData())
	default:
		return 0
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

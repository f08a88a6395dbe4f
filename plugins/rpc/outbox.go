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
	queue  []outgoing
	queued int
	// open are the events of the batch that is not closed, nil when there is none: so many, of so many bytes, since then.
	open              *[]byte
	number, openBytes int
	since             time.Time
	events            uint64
	closed            bool

	// wake tells the sender that there is something, space tells the filler that there is room again.
	wake, space chan struct{}
	// sent counts messages gRPC has serialized, so that a waiting filler sees progress.
	sent atomic.Uint64
}

// outgoing is a message to send, and how many bytes of events are in it.
type outgoing struct {
	message any
	size    int
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
	if o.open != nil && o.openBytes+len(ev) > MaxBatch {
		o.closeBatch()
	}
	if o.open == nil {
		o.open = buffers.Get(bufferBytes)
		*o.open = (*o.open)[:0]
		o.since = time.Now()
		signal(o.wake)
	}
	*o.open = appendEvent(*o.open, ev)
	o.number++
	o.openBytes += len(ev)
	o.events++
	if o.number >= MaxBatchEvents || o.openBytes >= MaxBatch {
		o.closeBatch()
	}
}

// addPart takes a copy of one piece of a larger event.
func (o *outbox) addPart(data []byte, last bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closeBatch()
	body := buffers.Get(bufferBytes)
	*body = append((*body)[:0], data...)
	o.push(framedPart(body, last), len(data))
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
	if o.open == nil {
		return
	}
	o.push(framedBatch(o.open), o.openBytes)
	o.open, o.number, o.openBytes = nil, 0, 0
}

func (o *outbox) push(message any, size int) {
	o.queue = append(o.queue, outgoing{message, size})
	o.queued += size
	signal(o.wake)
}

// next blocks until there is a message to send. It returns nil after the End message and when ctx ends.
func (o *outbox) next(ctx context.Context) any {
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
func (o *outbox) take() (m any, wait time.Duration, done bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 && o.open != nil {
		wait = MaxBatchAge - time.Since(o.since)
		if wait > 0 {
			return nil, wait, false
		}
		o.closeBatch()
	}
	if len(o.queue) == 0 {
		return nil, 0, o.closed
	}
	first := o.queue[0]
	o.queue[0] = outgoing{}
	o.queue = o.queue[1:]
	o.queued -= first.size
	signal(o.space)
	return first.message, 0, false
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

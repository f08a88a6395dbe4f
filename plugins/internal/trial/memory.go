// Package trial holds what the tests of the plugin packages share: artifacts in memory, synthetic conversations, sinks
// that show all they see, and a driver that keeps the rules of the seam to the letter.
package trial

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"agy-reader/sinks"
)

// Memory is a set of artifacts in memory. Nothing counts as published before Commit.
type Memory struct {
	// Refuse makes Create fail for a name.
	Refuse func(name string) error
	// Slow is called with every write, to play a slow disk.
	Slow func()

	mu    sync.Mutex
	parts []*memoryPart
	files map[string][]byte
}

type memoryPart struct {
	set    *Memory
	name   string
	number uint32
	data   bytes.Buffer
	closed bool
}

var _ sinks.Artifacts = (*Memory)(nil)

// Create starts a part; a name and number may be used once.
func (m *Memory) Create(name, _ string, number uint32) (io.WriteCloser, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Refuse != nil {
		if err := m.Refuse(name); err != nil {
			return nil, err
		}
	}
	for _, p := range m.parts {
		if p.name == name && p.number == number {
			return nil, fmt.Errorf("%w: part %d of %s exists", sinks.ErrOutput, number, name)
		}
	}
	p := &memoryPart{set: m, name: name, number: number}
	m.parts = append(m.parts, p)
	return p, nil
}

// Write and Close are those of a file that is closed once.
func (p *memoryPart) Write(b []byte) (int, error) {
	if p.set.Slow != nil {
		p.set.Slow()
	}
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	if p.closed {
		return 0, errors.New("write after close")
	}
	return p.data.Write(b)
}

// Close ends the part.
func (p *memoryPart) Close() error {
	p.set.mu.Lock()
	defer p.set.mu.Unlock()
	if p.closed {
		return errors.New("closed twice")
	}
	p.closed = true
	return nil
}

// Commit publishes the set: parts joined by ascending number.
func (m *Memory) Commit() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.SortStableFunc(m.parts, func(a, b *memoryPart) int { return int(a.number) - int(b.number) })
	files := map[string][]byte{}
	for _, p := range m.parts {
		if !p.closed {
			return fmt.Errorf("part %d of %s is still open", p.number, p.name)
		}
		files[p.name] = append(files[p.name], p.data.Bytes()...)
	}
	m.files = files
	return nil
}

// Published is what Commit published, nil before.
func (m *Memory) Published() map[string][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.files
}

package interpret

import (
	"strconv"
	"unsafe"
)

// texts is the memory of texts that had to be composed. One text is open at a time.
type texts struct {
	// full are chunks without room; the last one is in use. spare are chunks to reuse.
	full  [][]byte
	spare [][]byte
}

const (
	textChunk = 32 << 10
	// keepText bounds what an arena keeps between batches, in bytes: a few times what an ordinary batch needs.
	keepText = 512 << 10
)

// open returns an empty buffer to append a text of about size bytes to. Hand the result to closeText or closeBytes
// before the next open.
func (t *texts) open(size int) []byte {
	if n := len(t.full); n > 0 {
		if c := t.full[n-1]; cap(c)-len(c) >= size {
			return c[len(c):]
		}
	}
	for i, c := range t.spare {
		if cap(c) >= size {
			last := len(t.spare) - 1
			t.spare[i], t.spare[last] = t.spare[last], nil
			t.spare = t.spare[:last]
			t.full = append(t.full, c[:0])
			return c[:0]
		}
	}
	t.full = append(t.full, make([]byte, 0, max(size, textChunk)))
	return t.full[len(t.full)-1]
}

// closeBytes keeps what was appended since open, until reset.
func (t *texts) closeBytes(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	last := len(t.full) - 1
	c := t.full[last]
	if room := c[len(c):cap(c)]; len(b) <= len(room) && &room[0] == &b[0] {
		t.full[last] = c[:len(c)+len(b)]
		return b[:len(b):len(b)]
	}
	// The text outgrew its chunk: what append allocated becomes the chunk in use.
	t.full = append(t.full, b)
	return b[:len(b):len(b)]
}

func (t *texts) closeText(b []byte) string { return view(t.closeBytes(b)) }

func (t *texts) reset() {
	kept := 0
	for _, c := range t.spare {
		kept += cap(c)
	}
	for _, c := range t.full {
		// A chunk of an unusually big step is not worth keeping, nor more chunks than a batch needs.
		if cap(c) <= 16*textChunk && kept+cap(c) <= keepText {
			kept += cap(c)
			t.spare = append(t.spare, c[:0])
		}
	}
	clear(t.full)
	t.full = t.full[:0]
}

// view returns b as a string without a copy. b must not change afterwards.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// raw returns the bytes of s without a copy. They must not be changed.
func raw(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// join returns the parts as one text.
func (a *Arena) join(parts ...string) string {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	buf := a.texts.open(n)
	for _, p := range parts {
		buf = append(buf, p...)
	}
	return a.texts.closeText(buf)
}

func (a *Arena) number(n int64) string {
	return a.texts.closeText(strconv.AppendInt(a.texts.open(20), n, 10))
}

func (a *Arena) decimal(f float64) string {
	return a.texts.closeText(strconv.AppendFloat(a.texts.open(24), f, 'g', -1, 64))
}

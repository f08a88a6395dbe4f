package endpoint

import (
	"bytes"
	"io"
	"iter"
)

// Limits of what is read of one log. A log names its port when its process starts, which is at its end or at its beginning.
const (
	maxTail  = 16 << 20
	maxHead  = 1 << 20
	maxChunk = 1 << 20
)

// backward returns the lines of a log without their ends, the newest first, with true. Of a log that is too large it leaves
// out the middle, for which it returns nil and false; a line longer than a chunk is left out too. The bytes are valid until
// the next line. A failure to read ends it.
func backward(r io.ReaderAt, size int64) iter.Seq2[[]byte, bool] {
	return func(yield func([]byte, bool) bool) {
		tail := max(0, size-maxTail)
		if tail <= maxHead {
			tail = 0
		}
		if !section(r, tail, size, yield) || tail == 0 {
			return
		}
		if yield(nil, false) {
			section(r, 0, maxHead, yield)
		}
	}
}

// section yields the lines between two places; one that begins before from is left out. It reports whether to go on.
func section(r io.ReaderAt, from, to int64, yield func([]byte, bool) bool) bool {
	buffer := make([]byte, min(maxChunk, to-from))
	long := false // what ends at to is a part of a line that is left out
	for to > from {
		start := max(from, to-maxChunk)
		chunk := buffer[:to-start]
		if n, err := r.ReadAt(chunk, start); err != nil && n < len(chunk) {
			return false
		}
		if long {
			last := bytes.LastIndexByte(chunk, '\n')
			to, long = start+int64(last)+1, last < 0
			continue
		}
		begin := 0
		if start > 0 {
			// The first line may have begun earlier; then it belongs to the chunk before.
			begin = bytes.IndexByte(chunk[:len(chunk)-1], '\n') + 1
			if begin == 0 {
				to, long = start, true
				continue
			}
		}
		rest := bytes.TrimSuffix(chunk[begin:], []byte("\n"))
		for at := len(rest); at >= 0; {
			rest = rest[:at]
			at = bytes.LastIndexByte(rest, '\n')
			if !yield(bytes.TrimSuffix(rest[at+1:], []byte("\r")), true) {
				return false
			}
		}
		if start == from {
			return true
		}
		to = start + int64(begin)
	}
	return true
}

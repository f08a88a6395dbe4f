package mirror

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"agy-reader/sources"
)

// tailBytes is how much of the end of a log is looked at for its last lines.
const tailBytes = 64 << 10

// Last returns the highest index that the ends of a conversation's logs name, without reading them whole; false when there is
// no log. Lines that are out of order further up are not seen.
func Last(ctx context.Context, ref sources.Ref) (uint32, bool) {
	l, err := open(ref)
	if err != nil {
		return 0, false
	}
	defer l.Close()
	return l.lastOfEnds(ctx)
}

// open finds the logs of a conversation and indexes nothing.
func open(ref sources.Ref) (*Log, error) {
	folder, err := openFolder(ref)
	if err != nil {
		return nil, err
	}
	l := &Log{folder: folder}
	l.look(folder)
	return l, nil
}

func (l *Log) lastOfEnds(ctx context.Context) (last uint32, found bool) {
	for _, f := range l.files {
		if f.overview {
			continue
		}
		index, ok := f.lastIndex(ctx)
		if ok && (!found || index > last) {
			last, found = index, true
		}
	}
	return last, found
}

// lastIndex returns the highest index of the last lines. A line longer than is looked at is read from its beginning.
func (f *file) lastIndex(ctx context.Context) (last uint32, found bool) {
	end := f.size
	for end > 0 && !found && ctx.Err() == nil {
		start := max(end-tailBytes, 0)
		buf := make([]byte, end-start)
		if _, err := f.ReadAt(buf, start); err != nil && !errors.Is(err, io.EOF) {
			return 0, false
		}
		whole := buf
		if start > 0 {
			i := bytes.IndexByte(buf, '\n')
			if i < 0 {
				// In the middle of a long line. What names its index stands at its beginning.
				end = start
				continue
			}
			whole = buf[i+1:]
		}
		last, _, found = ends(whole)
		if found || start == 0 {
			break
		}
		// Only the end of one line so far: what is before it tells where it begins.
		end = start + int64(len(buf)-len(whole)) - 1
		if index, ok := f.indexBefore(end); ok {
			return index, true
		}
	}
	return last, found
}

// indexBefore reads the beginning of the line that ends at end.
func (f *file) indexBefore(end int64) (uint32, bool) {
	buf := make([]byte, tailBytes)
	for at := end; at > 0; {
		start := max(at-tailBytes, 0)
		n := at - start
		if _, err := f.ReadAt(buf[:n], start); err != nil && !errors.Is(err, io.EOF) {
			return 0, false
		}
		i := bytes.LastIndexByte(buf[:n], '\n')
		if i < 0 && start > 0 {
			at = start
			continue
		}
		from := start + int64(i) + 1
		m, err := f.ReadAt(buf[:min(tailBytes, f.size-from)], from)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, false
		}
		return begins(buf[:m])
	}
	return 0, false
}

// ends returns the highest index and the newest time of whole lines; ns is 0 when none has a time.
func ends(b []byte) (last uint32, ns int64, found bool) {
	var s lineScan
	for line := range bytes.Lines(b) {
		s.reset()
		s.feed(bytes.TrimSuffix(line, []byte("\n")))
		n, err := strconv.ParseUint(s.index, 10, 32)
		if err != nil || !s.whole() || s.kind == "" {
			continue
		}
		last, found = max(last, uint32(n)), true
		if t, err := time.Parse(time.RFC3339Nano, s.created); err == nil {
			m := mark{created: seconds(t)}
			ns = max(ns, m.createdNS())
		}
	}
	return last, ns, found
}

// begins returns the index that the beginning of a line names.
func begins(b []byte) (uint32, bool) {
	var s lineScan
	s.reset()
	s.feed(b)
	n, err := strconv.ParseUint(s.index, 10, 32)
	return uint32(n), err == nil && s.state != broken
}

package events

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"google.golang.org/protobuf/encoding/protojson"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// MaxLine is the largest event Read takes, in bytes of its line.
const MaxLine = 1 << 30

// ErrLine: a line is not an event.
var ErrLine = errors.New("not an event")

// Read yields the events of a dump. Blank lines, CR LF line ends, a byte order mark and a last line without line feed
// are accepted; members the model does not have are not. Each event belongs to the caller. The first error, which names
// the line, is the last thing yielded.
func Read(r io.Reader) iter.Seq2[*transcriptv1.Event, error] {
	return func(yield func(*transcriptv1.Event, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var line []byte
		for number := 1; ; number++ {
			var err error
			line, err = readLine(in, line[:0])
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
			}
			text := bytes.TrimSpace(line)
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, fmt.Errorf("read line %d: %w", number, err))
				return
			}
			if len(text) > 0 {
				ev := new(transcriptv1.Event)
				if bad := protojson.Unmarshal(text, ev); bad != nil {
					yield(nil, fmt.Errorf("line %d: %w: %w", number, ErrLine, bad))
					return
				}
				if ev.GetBody() == nil {
					yield(nil, fmt.Errorf("line %d: %w: it is empty", number, ErrLine))
					return
				}
				if !yield(ev, nil) {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
}

// readLine appends the next line to dst, however long, up to MaxLine.
func readLine(in *bufio.Reader, dst []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		dst = append(dst, part...)
		switch {
		case len(dst) > MaxLine:
			return dst, fmt.Errorf("%w: longer than %d bytes", ErrLine, MaxLine)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		}
		return dst, err
	}
}

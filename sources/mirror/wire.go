package mirror

import (
	"encoding/binary"
	"slices"
	"strconv"
	"sync"
	"time"

	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

// codec is a decoder profile seen from the writing side: the numbers of fields and enum values by their names.
type codec struct {
	profile     *profile.Profile
	interpreter *interpret.Interpreter
	res         *profile.Resolved
	kinds       map[string]int64
	statuses    map[string]int64
	sources     map[string]int64
	priorities  map[string]int64
}

var (
	codecs   = make(map[*profile.Profile]*codec)
	codecsMu sync.Mutex
)

func codecOf(p *profile.Profile) *codec {
	codecsMu.Lock()
	defer codecsMu.Unlock()
	if c := codecs[p]; c != nil {
		return c
	}
	c := &codec{profile: p, interpreter: interpret.New(p), res: p.Resolve(&names)}
	c.kinds, c.statuses, c.sources = c.enum(stepType), c.enum(stepStatus), c.enum(metaSource)
	c.priorities = c.enum(agentPriority)
	codecs[p] = c
	return c
}

// maxEnum is behind the highest value of the enums that are written by name.
const maxEnum = 1 << 10

func (c *codec) enum(f profile.Field) map[string]int64 {
	m := make(map[string]int64)
	for n := range int64(maxEnum) {
		if name := c.res.EnumName(f, n); name != "" && (name[0] < '0' || name[0] > '9') {
			m[name] = n
		}
	}
	return m
}

// wire writes one message. A field that the profile does not have is left out.
type wire struct {
	c   *codec
	buf []byte
}

const (
	varint    = 0
	bytesKind = 2
)

func (w *wire) tag(f profile.Field, kind uint64) bool {
	n := w.c.res.Number(f)
	if n == 0 {
		return false
	}
	w.buf = binary.AppendUvarint(w.buf, n<<3|kind)
	return true
}

// str writes a text; an empty one is not written.
func (w *wire) str(f profile.Field, s string) {
	if s != "" && w.tag(f, bytesKind) {
		w.buf = append(binary.AppendUvarint(w.buf, uint64(len(s))), s...)
	}
}

// num writes a number, also zero.
func (w *wire) num(f profile.Field, n int64) {
	if w.tag(f, varint) {
		w.buf = binary.AppendUvarint(w.buf, uint64(n))
	}
}

// enumValue writes an enum value by its short name; an unknown name is not written.
func (w *wire) enumValue(f profile.Field, values map[string]int64, name string) {
	if n := values[name]; n != 0 {
		w.num(f, n)
	}
}

func (w *wire) yes(f profile.Field, b bool) {
	if b {
		w.num(f, 1)
	}
}

// sub writes a message.
func (w *wire) sub(f profile.Field, fill func()) {
	if !w.tag(f, bytesKind) {
		return
	}
	start := len(w.buf)
	fill()
	var head [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(head[:], uint64(len(w.buf)-start))
	w.buf = slices.Insert(w.buf, start, head[:n]...)
}

// time writes a google.protobuf.Timestamp; the zero time is not written.
func (w *wire) time(f profile.Field, t time.Time) {
	if t.IsZero() {
		return
	}
	w.sub(f, func() {
		w.num(timeSeconds, t.Unix())
		if ns := t.Nanosecond(); ns != 0 {
			w.num(timeNanos, int64(ns))
		}
	})
}

// entry writes one entry of a map of texts.
func (w *wire) entry(f profile.Field, key, value string) {
	if !w.tag(f, bytesKind) {
		return
	}
	var inner []byte
	inner = append(binary.AppendUvarint(append(inner, 1<<3|bytesKind), uint64(len(key))), key...)
	inner = append(binary.AppendUvarint(append(inner, 2<<3|bytesKind), uint64(len(value))), value...)
	w.buf = append(binary.AppendUvarint(w.buf, uint64(len(inner))), inner...)
}

// count writes a number that stands in a text; anything else is not written.
func (w *wire) count(f profile.Field, text string) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
		w.num(f, n)
	}
}

package legacypb

import (
	"bytes"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources/trajectory"
)

// A background trajectory is wrapped into a message of its own. The numbers are compared with every profile by a test.
const (
	implicitMessage = "exa.jetski_cortex_pb.ImplicitTrajectory"
	scopeMessage    = "exa.cortex_pb.TrajectoryScope"

	implicitTrajectory protowire.Number = 1
	implicitScope      protowire.Number = 5
)

// member is one item on the top level of a message.
type member struct {
	number protowire.Number
	kind   protowire.Type
	// value is the content of a length-delimited item; whole is the item with its tag.
	value, whole []byte
}

// eachField walks the top level of a message without entering any field. Bytes that are no message are an error; what was
// before them has been seen.
func eachField(data []byte, fn func(member) error) error {
	for at := 0; at < len(data); {
		number, kind, n := protowire.ConsumeTag(data[at:])
		if n < 0 {
			return malformed(at)
		}
		m := member{number: number, kind: kind}
		if kind == protowire.BytesType {
			value, size := protowire.ConsumeBytes(data[at+n:])
			if size < 0 {
				return malformed(at)
			}
			m.value, m.whole = value[:len(value):len(value)], data[at:at+n+size]
			at += n + size
		} else {
			size := protowire.ConsumeFieldValue(number, kind, data[at+n:])
			if size < 0 {
				return malformed(at)
			}
			m.whole = data[at : at+n+size]
			at += n + size
		}
		if err := fn(m); err != nil {
			return err
		}
	}
	return nil
}

func malformed(at int) error { return fmt.Errorf("malformed at byte %d", at) }

// layout is a decrypted file cut into its parts. All but rest and outer refer to the file's memory.
type layout struct {
	// trajectory is the trajectory message.
	trajectory []byte
	// implicit: it came wrapped; outer are the other members of the wrapper.
	implicit bool
	outer    []byte
	// rest are the trajectory's own members: everything but steps, model calls and executor runs.
	rest []byte
	// foreign: trajectory has no member that any trajectory has.
	foreign bool
	// broken says where the message ends to be one; nil when it is whole.
	broken error
	// dropped are members of the rest that were too big to keep, with their size.
	dropped []string

	steps, calls, executors int
	executorBytes           int64
}

// maxRest bounds what is kept of members that are neither steps nor model calls nor executor runs. Real ones have a few
// kilobytes.
const maxRest = 16 << 20

// newLayout cuts a decrypted file. It never fails: what is damaged is named in broken and dropped.
func newLayout(plain []byte) *layout {
	l := &layout{trajectory: plain}
	if pieces, ok := wrapped(plain); ok {
		l.unwrap(pieces)
	}
	l.foreign = len(l.trajectory) > 0
	err := eachField(l.trajectory, func(m member) error {
		if m.number <= trajectory.BattleModeField {
			l.foreign = false
		}
		switch {
		case m.kind != protowire.BytesType:
			l.keep(&l.rest, m)
		case m.number == trajectory.StepsField:
			l.steps++
		case m.number == trajectory.GenerationsField:
			l.calls++
		case m.number == trajectory.ExecutorsField:
			l.executors++
			l.executorBytes += int64(len(m.value))
		default:
			l.keep(&l.rest, m)
		}
		return nil
	})
	if l.foreign {
		l.rest, l.dropped = nil, nil
		return l
	}
	if l.broken == nil {
		l.broken = err
	}
	return l
}

func (l *layout) keep(list *[]byte, m member) {
	if len(*list)+len(m.whole) > maxRest {
		if len(l.dropped) < 100 {
			l.dropped = append(l.dropped, fmt.Sprintf("member %d (%d bytes)", m.number, len(m.whole)))
		}
		return
	}
	*list = append(*list, m.whole...)
}

// cursor walks the items of a repeated member.
type cursor struct {
	data   []byte
	at     int
	number protowire.Number
}

func (l *layout) items(number protowire.Number) cursor {
	return cursor{data: l.trajectory, number: number}
}

// next returns the next item; ok is false behind the last one that can be read.
func (c *cursor) next() (value []byte, ok bool) {
	for c.at < len(c.data) {
		number, kind, n := protowire.ConsumeTag(c.data[c.at:])
		if n < 0 {
			return nil, false
		}
		size := protowire.ConsumeFieldValue(number, kind, c.data[c.at+n:])
		if size < 0 {
			return nil, false
		}
		start := c.at + n
		c.at = start + size
		if number == c.number && kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(c.data[start:c.at])
			return value[:len(value):len(value)], true
		}
	}
	return nil, false
}

// samples are the last few steps, by which a profile is chosen: what only newer versions write stands at the end.
func (l *layout) samples() [][]byte {
	const most, bytes = 8, 64 << 10
	var ring [most][]byte
	n := 0
	items := l.items(trajectory.StepsField)
	for payload, ok := items.next(); ok; payload, ok = items.next() {
		if len(payload) <= bytes {
			ring[n%most] = payload
			n++
		}
	}
	return slices.DeleteFunc(ring[:], func(raw []byte) bool { return len(raw) == 0 })
}

// wrapped reports whether a message is a background trajectory, and in how many pieces it holds the trajectory. In a bare
// trajectory the first member is text, and the fifth refers to another trajectory with numbers.
func wrapped(data []byte) (pieces int, ok bool) {
	bare, inner, scoped := false, false, false
	_ = eachField(data, func(m member) error { // newLayout sees the damage
		switch {
		case m.number == implicitTrajectory && m.kind == protowire.BytesType:
			pieces++
			inner = inner || names(m.value) || startsWithSteps(m.value)
		case m.number == implicitScope && m.kind == protowire.BytesType:
			scoped = scoped || isScope(m.value)
		case m.number == trajectory.StepsField, m.number == trajectory.CascadeIDField:
			bare = true
		}
		return nil
	})
	return pieces, pieces > 0 && !bare && (inner || scoped)
}

// isScope reports whether a message names a workspace.
func isScope(data []byte) bool {
	named := false
	err := eachField(data, func(m member) error {
		if m.kind != protowire.BytesType || m.number > 3 {
			return malformed(0)
		}
		named = named || m.number > 1 || bytes.Contains(m.value, []byte("://"))
		return nil
	})
	return err == nil && named
}

// startsWithSteps reports whether a message begins with a step, as one does that names no trajectory.
func startsWithSteps(data []byte) bool {
	number, kind, n := protowire.ConsumeTag(data)
	return n > 0 && number == trajectory.StepsField && kind == protowire.BytesType
}

// unwrap takes the wrapper off. Several pieces of the trajectory are moved together in place, as protobuf adds them up.
func (l *layout) unwrap(pieces int) {
	data, at := l.trajectory, 0
	l.implicit = true
	l.broken = eachField(data, func(m member) error {
		switch {
		case m.number != implicitTrajectory || m.kind != protowire.BytesType:
			l.keep(&l.outer, m)
		case pieces == 1:
			l.trajectory = m.value
		default:
			at += copy(data[at:], m.value)
		}
		return nil
	})
	if pieces > 1 {
		l.trajectory = data[:at:at]
	}
}

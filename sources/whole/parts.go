package whole

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources/trajectory"
)

// Member is one item on the top level of a message.
type Member struct {
	Number protowire.Number
	Kind   protowire.Type
	// Value is the content of a length-delimited item; Whole is the item with its tag. Both refer to the message.
	Value, Whole []byte
}

// EachField walks the top level of a message without entering any field. Bytes that are no message are an error; what was
// before them has been seen. An error of fn is returned unchanged.
func EachField(data []byte, fn func(Member) error) error {
	for at := 0; at < len(data); {
		number, kind, n := protowire.ConsumeTag(data[at:])
		if n < 0 {
			return malformed(at)
		}
		m := Member{Number: number, Kind: kind}
		if kind == protowire.BytesType {
			value, size := protowire.ConsumeBytes(data[at+n:])
			if size < 0 {
				return malformed(at)
			}
			m.Value, m.Whole = value[:len(value):len(value)], data[at:at+n+size]
			at += n + size
		} else {
			size := protowire.ConsumeFieldValue(number, kind, data[at+n:])
			if size < 0 {
				return malformed(at)
			}
			m.Whole = data[at : at+n+size]
			at += n + size
		}
		if err := fn(m); err != nil {
			return err
		}
	}
	return nil
}

func malformed(at int) error { return fmt.Errorf("malformed at byte %d", at) }

// Parts is a trajectory message cut into its parts. All but Rest refer to the message.
type Parts struct {
	// Trajectory is the message.
	Trajectory []byte
	// Rest are the trajectory's own members: everything but steps, model calls and executor runs.
	Rest []byte
	// Foreign: it has no member that any trajectory has.
	Foreign bool
	// Broken says where the message ends to be one; nil when it is whole.
	Broken error
	// Dropped are members of the rest that were too big to keep, with their size.
	Dropped []string

	Steps, Calls, Executors int
	ExecutorBytes           int64
}

// MaxRest bounds what is kept of members that are neither steps nor model calls nor executor runs. Real ones have a few
// kilobytes.
const MaxRest = 16 << 20

// Cut cuts a trajectory message. It never fails: what is damaged is named in Broken and Dropped.
func Cut(message []byte) *Parts {
	p := &Parts{Trajectory: message, Foreign: len(message) > 0}
	p.Broken = EachField(message, func(m Member) error {
		if m.Number <= trajectory.BattleModeField {
			p.Foreign = false
		}
		switch {
		case m.Kind != protowire.BytesType:
			p.Keep(&p.Rest, m)
		case m.Number == trajectory.StepsField:
			p.Steps++
		case m.Number == trajectory.GenerationsField:
			p.Calls++
		case m.Number == trajectory.ExecutorsField:
			p.Executors++
			p.ExecutorBytes += int64(len(m.Value))
		default:
			p.Keep(&p.Rest, m)
		}
		return nil
	})
	if p.Foreign {
		p.Rest, p.Dropped, p.Broken = nil, nil, nil
	}
	return p
}

// Keep copies a member to the end of list, which is bounded; one that does not fit is named in Dropped.
func (p *Parts) Keep(list *[]byte, m Member) {
	if len(*list)+len(m.Whole) > MaxRest {
		if len(p.Dropped) < 100 {
			p.Dropped = append(p.Dropped, fmt.Sprintf("member %d (%d bytes)", m.Number, len(m.Whole)))
		}
		return
	}
	*list = append(*list, m.Whole...)
}

// Items walks the items of a repeated member. A copy goes on from the same place.
type Items struct {
	data   []byte
	at     int
	number protowire.Number
}

// Items begins with the first item of a member of the trajectory.
func (p *Parts) Items(number protowire.Number) Items {
	return Items{data: p.Trajectory, number: number}
}

// Next returns the next item; ok is false behind the last one that can be read.
func (c *Items) Next() (value []byte, ok bool) {
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

// Samples are the last few steps, by which a profile is chosen: what only newer versions write stands at the end.
func (p *Parts) Samples() [][]byte {
	const most, bytes = 8, 64 << 10
	var ring [most][]byte
	n := 0
	items := p.Items(trajectory.StepsField)
	for payload, ok := items.Next(); ok; payload, ok = items.Next() {
		if len(payload) <= bytes {
			ring[n%most] = payload
			n++
		}
	}
	return slices.DeleteFunc(ring[:], func(raw []byte) bool { return len(raw) == 0 })
}

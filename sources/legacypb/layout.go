package legacypb

import (
	"bytes"
	"errors"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources/trajectory"
	"agy-reader/sources/whole"
)

// A background trajectory is wrapped into a message of its own. The numbers are compared with every profile by a test.
const (
	implicitMessage = "exa.jetski_cortex_pb.ImplicitTrajectory"
	scopeMessage    = "exa.cortex_pb.TrajectoryScope"

	implicitTrajectory protowire.Number = 1
	implicitScope      protowire.Number = 5
)

// layout is a decrypted file cut into its parts. All but Rest and outer refer to the file's memory.
type layout struct {
	*whole.Parts
	// implicit: it came wrapped; outer are the other members of the wrapper.
	implicit bool
	outer    []byte
}

// newLayout cuts a decrypted file. It never fails: what is damaged is named in Broken and Dropped.
func newLayout(plain []byte) *layout {
	pieces, ok := wrapped(plain)
	if !ok {
		return &layout{Parts: whole.Cut(plain)}
	}
	return unwrap(plain, pieces)
}

// errNoScope: a message is no workspace.
var errNoScope = errors.New("not a workspace")

// wrapped reports whether a message is a background trajectory, and in how many pieces it holds the trajectory. In a bare
// trajectory the first member is text, and the fifth refers to another trajectory with numbers.
func wrapped(data []byte) (pieces int, ok bool) {
	bare, inner, scoped := false, false, false
	_ = whole.EachField(data, func(m whole.Member) error { // newLayout sees the damage
		switch {
		case m.Number == implicitTrajectory && m.Kind == protowire.BytesType:
			pieces++
			inner = inner || names(m.Value) || startsWithSteps(m.Value)
		case m.Number == implicitScope && m.Kind == protowire.BytesType:
			scoped = scoped || isScope(m.Value)
		case m.Number == trajectory.StepsField, m.Number == trajectory.CascadeIDField:
			bare = true
		}
		return nil
	})
	return pieces, pieces > 0 && !bare && (inner || scoped)
}

// isScope reports whether a message names a workspace.
func isScope(data []byte) bool {
	named := false
	err := whole.EachField(data, func(m whole.Member) error {
		if m.Kind != protowire.BytesType || m.Number > 3 {
			return errNoScope
		}
		named = named || m.Number > 1 || bytes.Contains(m.Value, []byte("://"))
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
func unwrap(data []byte, pieces int) *layout {
	l := &layout{implicit: true}
	var outside whole.Parts
	message, at := data, 0
	broken := whole.EachField(data, func(m whole.Member) error {
		switch {
		case m.Number != implicitTrajectory || m.Kind != protowire.BytesType:
			outside.Keep(&l.outer, m)
		case pieces == 1:
			message = m.Value
		default:
			at += copy(data[at:], m.Value)
		}
		return nil
	})
	if pieces > 1 {
		message = data[:at:at]
	}
	l.Parts = whole.Cut(message)
	if broken != nil {
		l.Broken = broken
	}
	if !l.Foreign {
		l.Dropped = append(outside.Dropped, l.Dropped...)
	}
	return l
}

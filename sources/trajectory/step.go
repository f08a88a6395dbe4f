package trajectory

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// Types and states of steps that sources ask for.
const (
	UserInputType  = 14
	CheckpointType = 23

	// ClearedStatus is the status of a step whose text the product deleted.
	ClearedStatus = 5
)

// Numbers of the fields of a stored step that say what it is.
const (
	stepTypeField   protowire.Number = 1
	stepStatusField protowire.Number = 4
)

// TypeAndStatus reads the type and the status of a stored step; each is -1 when the step does not say. It enters no field,
// stops as soon as it knows both, and takes the first value of each: the product writes them once.
func TypeAndStatus(payload []byte) (kind, status int64) {
	kind, status = -1, -1
	for len(payload) > 0 && (kind < 0 || status < 0) {
		number, wire, n := protowire.ConsumeTag(payload)
		if n < 0 {
			return kind, status
		}
		size := protowire.ConsumeFieldValue(number, wire, payload[n:])
		if size < 0 {
			return kind, status
		}
		if wire == protowire.VarintType {
			v, _ := protowire.ConsumeVarint(payload[n:])
			switch number {
			case stepTypeField:
				kind = int64(int32(v))
			case stepStatusField:
				status = int64(int32(v))
			}
		}
		payload = payload[n+size:]
	}
	return kind, status
}

// Cleared says for the footer that the product deleted the text of steps, which is no fault of the document; empty for
// none.
func Cleared(steps int64) string {
	switch steps {
	case 0:
		return ""
	case 1:
		return "the product deleted the text of 1 step"
	}
	return fmt.Sprintf("the product deleted the text of %d steps", steps)
}

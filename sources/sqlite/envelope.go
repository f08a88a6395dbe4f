package sqlite

import (
	"google.golang.org/protobuf/encoding/protowire"
)

// Numbers of the fields that the envelope of a stored step repeats in columns. They have never differed between versions;
// a test compares them with every profile.
const (
	stepTypeField        protowire.Number = 1
	stepStatusField      protowire.Number = 4
	stepMetadataField    protowire.Number = 5
	stepSubField         protowire.Number = 6
	stepErrorField       protowire.Number = 31
	stepPermissionsField protowire.Number = 133
	stepTaskField        protowire.Number = 148
)

// envelope is what a step's payload says about itself. The zero value of a member means that the field is absent.
type envelope struct {
	stepType, status                     int64
	hasType, hasStatus, hasSub           bool
	metadata, failure, permissions, task []byte
	hasMetadata, hasFailure, hasTask     bool
}

// readEnvelope walks the top level of a payload without entering any field. In a payload that is no protobuf message, what
// was found before the damage counts.
func readEnvelope(payload []byte) (e envelope) {
	for len(payload) > 0 {
		num, kind, n := protowire.ConsumeTag(payload)
		if n < 0 {
			return e
		}
		payload = payload[n:]
		switch kind {
		case protowire.VarintType:
			v, n := protowire.ConsumeVarint(payload)
			if n < 0 {
				return e
			}
			payload = payload[n:]
			e.number(num, v)
		case protowire.BytesType:
			v, n := protowire.ConsumeBytes(payload)
			if n < 0 {
				return e
			}
			payload = payload[n:]
			e.bytes(num, v)
		default:
			n := protowire.ConsumeFieldValue(num, kind, payload)
			if n < 0 {
				return e
			}
			payload = payload[n:]
		}
	}
	return e
}

func (e *envelope) number(num protowire.Number, v uint64) {
	switch num {
	case stepTypeField:
		e.stepType, e.hasType = int64(int32(v)), true
	case stepStatusField:
		e.status, e.hasStatus = int64(int32(v)), true
	}
}

func (e *envelope) bytes(num protowire.Number, v []byte) {
	switch num {
	case stepMetadataField:
		e.metadata, e.hasMetadata = v, true
	case stepSubField:
		e.hasSub = true
	case stepErrorField:
		e.failure, e.hasFailure = v, true
	case stepPermissionsField:
		e.permissions = v
	case stepTaskField:
		e.task, e.hasTask = v, true
	}
}

package rpc

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Numbers of the fields of the document model that hold JSON.
const (
	fieldStep        = 2  // Event.step
	fieldNativeJSON  = 20 // Step.native_json
	fieldDisplayJSON = 21 // Step.display_json
	fieldRecord      = 5  // Event.record
	fieldRecordJSON  = 3  // Record.json
)

// eventReader reads events one after the other.
type eventReader struct {
	// rest is the message read last without its JSON.
	rest []byte
}

// read reads data into ev. JSON of steps and records is not copied: it lies in data.
func (r *eventReader) read(data []byte, ev *transcriptv1.Event) error {
	if message, ok := onlyField(data, fieldStep); ok {
		if json, ok := r.split(message, fieldNativeJSON, fieldDisplayJSON); ok {
			step := &transcriptv1.Step{}
			if err := proto.Unmarshal(r.rest, step); err != nil {
				return err
			}
			step.NativeJson, step.DisplayJson = json[0], json[1]
			ev.Reset()
			ev.Body = &transcriptv1.Event_Step{Step: step}
			return nil
		}
	}
	if message, ok := onlyField(data, fieldRecord); ok {
		if json, ok := r.split(message, fieldRecordJSON); ok {
			record := &transcriptv1.Record{}
			if err := proto.Unmarshal(r.rest, record); err != nil {
				return err
			}
			record.Json = json[0]
			ev.Reset()
			ev.Body = &transcriptv1.Event_Record{Record: record}
			return nil
		}
	}
	return proto.Unmarshal(data, ev)
}

// split finds up to two fields of bytes and leaves the message without them in r.rest. It is not ok when there is none of
// them, when one comes twice, and when the message is broken: the library knows what to do then.
func (r *eventReader) split(message []byte, fields ...protowire.Number) (found [2][]byte, ok bool) {
	r.rest = r.rest[:0]
next:
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return found, false
		}
		m := protowire.ConsumeFieldValue(number, kind, message[n:])
		if m < 0 {
			return found, false
		}
		field := message[:n+m]
		message = message[n+m:]
		for i, want := range fields {
			if number != want || kind != protowire.BytesType {
				continue
			}
			if found[i] != nil {
				return found, false
			}
			found[i], _ = protowire.ConsumeBytes(field[n:])
			continue next
		}
		r.rest = append(r.rest, field...)
	}
	return found, len(found[0])+len(found[1]) > 0
}

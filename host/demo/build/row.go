package build

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Row is one row of the table steps. A nil blob becomes NULL.
type Row struct {
	Index            int64
	Type, Status     int64
	HasSubtrajectory bool
	Metadata         []byte
	ErrorDetails     []byte
	Permissions      []byte
	TaskDetails      []byte
	RenderInfo       []byte
	Payload          []byte
	Format           int64
}

// NewRow returns the row the product would write for a step payload: its columns repeat fields of the payload.
func NewRow(index int64, payload []byte) (Row, error) {
	m, err := NewMessage(StepMessage)
	if err != nil {
		return Row{}, err
	}
	if err := proto.Unmarshal(payload, m); err != nil {
		return Row{}, fmt.Errorf("step %d: %w", index, err)
	}
	fields := m.Descriptor().Fields()
	row := Row{
		Index:            index,
		Type:             int64(m.Get(fields.ByName("type")).Enum()),
		Status:           int64(m.Get(fields.ByName("status")).Enum()),
		HasSubtrajectory: m.Has(fields.ByName("subtrajectory")),
		Payload:          payload,
	}
	row.Metadata = fieldBytes(m.Descriptor(), payload, "metadata")
	row.ErrorDetails = fieldBytes(m.Descriptor(), payload, "error")
	row.Permissions = fieldBytes(m.Descriptor(), payload, "permissions")
	row.TaskDetails = fieldBytes(m.Descriptor(), payload, "task_details")
	row.RenderInfo = fieldBytes(m.Descriptor(), payload, "generic.result.step_render_info")
	return row, nil
}

// fieldBytes returns the bytes of a message field at a dotted path in valid wire bytes, nil when absent.
func fieldBytes(in protoreflect.MessageDescriptor, raw []byte, path string) []byte {
	name, rest, deeper := strings.Cut(path, ".")
	field := in.Fields().ByName(protoreflect.Name(name))
	var found []byte
	for len(raw) > 0 {
		number, wire, n := protowire.ConsumeTag(raw)
		size := protowire.ConsumeFieldValue(number, wire, raw[n:])
		if number == field.Number() && wire == protowire.BytesType {
			found, _ = protowire.ConsumeBytes(raw[n:])
		}
		raw = raw[n+size:]
	}
	if found == nil || !deeper {
		return found
	}
	return fieldBytes(field.Message(), found, rest)
}

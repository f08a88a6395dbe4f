package profile

import "google.golang.org/protobuf/types/descriptorpb"

// kind is the declared type of a field.
type kind uint8

const (
	kindBool kind = iota + 1
	kindInt32
	kindSint32
	kindUint32
	kindInt64
	kindSint64
	kindUint64
	kindSfixed32
	kindFixed32
	kindSfixed64
	kindFixed64
	kindFloat
	kindDouble
	kindString
	kindBytes
	kindEnum
	kindMessage
)

// kinds maps descriptor types; groups are missing and thereby refused.
var kinds = map[descriptorpb.FieldDescriptorProto_Type]struct {
	kind kind
	wire uint64
}{
	descriptorpb.FieldDescriptorProto_TYPE_BOOL:     {kindBool, wireVarint},
	descriptorpb.FieldDescriptorProto_TYPE_INT32:    {kindInt32, wireVarint},
	descriptorpb.FieldDescriptorProto_TYPE_SINT32:   {kindSint32, wireVarint},
	descriptorpb.FieldDescriptorProto_TYPE_UINT32:   {kindUint32, wireVarint},
	descriptorpb.FieldDescriptorProto_TYPE_INT64:    {kindInt64, wireVarint},
	descriptorpb.FieldDescriptorProto_TYPE_SINT64:   {kindSint64, wireVarint},
	descriptorpb.FieldDescriptorProto_TYPE_UINT64:   {kindUint64, wireVarint},
	descriptorpb.FieldDescriptorProto_TYPE_SFIXED32: {kindSfixed32, wireFixed32},
	descriptorpb.FieldDescriptorProto_TYPE_FIXED32:  {kindFixed32, wireFixed32},
	descriptorpb.FieldDescriptorProto_TYPE_SFIXED64: {kindSfixed64, wireFixed64},
	descriptorpb.FieldDescriptorProto_TYPE_FIXED64:  {kindFixed64, wireFixed64},
	descriptorpb.FieldDescriptorProto_TYPE_FLOAT:    {kindFloat, wireFixed32},
	descriptorpb.FieldDescriptorProto_TYPE_DOUBLE:   {kindDouble, wireFixed64},
	descriptorpb.FieldDescriptorProto_TYPE_STRING:   {kindString, wireBytes},
	descriptorpb.FieldDescriptorProto_TYPE_BYTES:    {kindBytes, wireBytes},
	descriptorpb.FieldDescriptorProto_TYPE_ENUM:     {kindEnum, wireVarint},
	descriptorpb.FieldDescriptorProto_TYPE_MESSAGE:  {kindMessage, wireBytes},
}

// signed converts a wire number of an integer, enum or bool kind to its value; unsigned 64-bit values wrap.
func (k kind) signed(v uint64) int64 {
	switch k {
	case kindInt32, kindSfixed32, kindEnum:
		return int64(int32(v))
	case kindSint32:
		u := uint32(v)
		return int64(int32(u>>1) ^ -int32(u&1))
	case kindUint32, kindFixed32:
		return int64(uint32(v))
	case kindSint64:
		return int64(v>>1) ^ -int64(v&1)
	case kindBool:
		if v != 0 {
			return 1
		}
		return 0
	case kindInt64, kindUint64, kindSfixed64, kindFixed64:
		return int64(v)
	}
	return 0
}

// form is how a well-known message is written as JSON.
type form uint8

const (
	formPlain form = iota
	formAny
	formTimestamp
	formDuration
	formWrapper
	formStruct
	formValue
	formList
	formFieldMask
)

var forms = map[string]form{
	"google.protobuf.Any":         formAny,
	"google.protobuf.Timestamp":   formTimestamp,
	"google.protobuf.Duration":    formDuration,
	"google.protobuf.BoolValue":   formWrapper,
	"google.protobuf.Int32Value":  formWrapper,
	"google.protobuf.Int64Value":  formWrapper,
	"google.protobuf.UInt32Value": formWrapper,
	"google.protobuf.UInt64Value": formWrapper,
	"google.protobuf.FloatValue":  formWrapper,
	"google.protobuf.DoubleValue": formWrapper,
	"google.protobuf.StringValue": formWrapper,
	"google.protobuf.BytesValue":  formWrapper,
	"google.protobuf.Struct":      formStruct,
	"google.protobuf.Value":       formValue,
	"google.protobuf.ListValue":   formList,
	"google.protobuf.FieldMask":   formFieldMask,
}

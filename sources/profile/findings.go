package profile

import transcriptv1 "agy-reader/proto/agyreader/transcript/v1"

// Findings collects what a walk over one message found. Reuse it with Reset.
//
// Paths are JSON paths: the prefix the caller gave, then JSON names joined by dots, `[2]` for an element of a repeated
// field, and for a map entry `.key` when the key is made of ASCII letters, digits, `_` and `-`, otherwise `["key"]` with the
// key as a JSON string (cut after 64 bytes). The content of an Any lies at the path of the Any itself. Well-known messages
// are named by their fields here, whatever their JSON form.
//
// At most 65,536 findings and 16 MiB of paths are kept; More counts the rest.
type Findings struct {
	// Unknown fields with the path of the message that holds them, and their bytes (copied): the content of a
	// length-delimited field, the number's bytes of others, a group up to and with its end tag. A declared field that
	// arrives with another wire type is unknown too.
	Unknown []*transcriptv1.UnknownField
	// UnknownEnums are values outside their enum, as `path=number`, unless the profile leaves that enum open.
	UnknownEnums []string
	// UnknownWrappers are Any payloads that stay closed: of a type the profile does not have, as `path=typeURL`, or that
	// are not a message of that type, as `path=typeURL: malformed`; and wrappers without a display form, because they carry
	// a message of another type, as `path=typeURL: not projected`, or an empty one, as `path=typeURL: empty`.
	UnknownWrappers []string
	// BadText are paths of string fields that are not UTF-8. A bad map key is reported at the path of its entry.
	BadText []string
	// BadValues are values of well-known messages that have no JSON form, as `path=what`, for example a Timestamp after the
	// year 9999. AppendJSON writes them as plain objects. They are known to the schema, so Known ignores them.
	BadValues []string
	// More counts findings beyond the limits.
	More int

	pathBytes int
}

const (
	maxFindings  = 1 << 16
	maxPathBytes = 16 << 20
)

// Reset empties the findings and keeps the memory.
func (f *Findings) Reset() {
	clear(f.Unknown)
	f.Unknown = f.Unknown[:0]
	f.UnknownEnums = f.UnknownEnums[:0]
	f.UnknownWrappers = f.UnknownWrappers[:0]
	f.BadText = f.BadText[:0]
	f.BadValues = f.BadValues[:0]
	f.More, f.pathBytes = 0, 0
}

// Clean reports whether nothing was found.
func (f *Findings) Clean() bool {
	return f.Known() && len(f.BadText) == 0 && len(f.BadValues) == 0
}

// Known reports whether the schema knows everything that was walked: no unknown field, enum value or wrapper. Strict
// reading asks this; damaged text and odd times are known content.
func (f *Findings) Known() bool {
	return len(f.Unknown) == 0 && len(f.UnknownEnums) == 0 && len(f.UnknownWrappers) == 0 && f.More == 0
}

// room reports whether one more finding may be kept, and counts it when not.
func (f *Findings) room() bool {
	n := len(f.Unknown) + len(f.UnknownEnums) + len(f.UnknownWrappers) + len(f.BadText) + len(f.BadValues)
	if n >= maxFindings || f.pathBytes >= maxPathBytes {
		f.More++
		return false
	}
	return true
}

// add keeps a finding that is text.
func (f *Findings) add(list *[]string, text string) {
	f.pathBytes += len(text)
	*list = append(*list, text)
}

// mark remembers how much was found, so that cut can take back what followed.
type mark struct{ unknown, enums, wrappers, text, values, more, bytes int }

func (f *Findings) mark() mark {
	return mark{
		len(f.Unknown), len(f.UnknownEnums), len(f.UnknownWrappers), len(f.BadText), len(f.BadValues), f.More, f.pathBytes,
	}
}

func (f *Findings) cut(m mark) {
	f.Unknown = f.Unknown[:m.unknown]
	f.UnknownEnums = f.UnknownEnums[:m.enums]
	f.UnknownWrappers = f.UnknownWrappers[:m.wrappers]
	f.BadText = f.BadText[:m.text]
	f.BadValues = f.BadValues[:m.values]
	f.More, f.pathBytes = m.more, m.bytes
}

package profile

import (
	"math"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// Valid reports whether the view refers to a message (it may be empty).
func (v View) Valid() bool { return v.t != nil }

// Message returns the fully qualified message name.
func (v View) Message() string {
	if v.t == nil {
		return ""
	}
	return v.t.msg.name
}

// Raw returns the wire bytes.
func (v View) Raw() []byte { return v.raw }

// Has reports whether the field occurs on the wire, also with its zero value.
func (v View) Has(f Field) bool {
	_, _, _, ok := v.find(f)
	return ok
}

// Str returns a string or bytes field; invalid UTF-8 is replaced by U+FFFD, one for each bad byte, in string fields.
func (v View) Str(f Field) string {
	d, _, b, _ := v.find(f)
	return v.r.text(d, b)
}

// Bytes returns a bytes or string field.
func (v View) Bytes(f Field) []byte {
	if d, _, b, _ := v.find(f); d != nil && (d.kind == kindBytes || d.kind == kindString) {
		return b
	}
	return nil
}

// Int returns any integer, enum or bool field as a signed number; an unsigned 64-bit value above the range wraps.
func (v View) Int(f Field) int64 {
	d, n, b, ok := v.find(f)
	if !ok || b != nil {
		return 0
	}
	return d.kind.signed(n)
}

// Uint returns any integer field as an unsigned number; a negative value wraps.
func (v View) Uint(f Field) uint64 { return uint64(v.Int(f)) }

// Bool returns a bool field.
func (v View) Bool(f Field) bool {
	d, n, _, ok := v.find(f)
	return ok && d.kind == kindBool && n != 0
}

// Float returns a float or double field.
func (v View) Float(f Field) float64 {
	d, n, _, ok := v.find(f)
	switch {
	case ok && d.kind == kindFloat:
		return float64(math.Float32frombits(uint32(n)))
	case ok && d.kind == kindDouble:
		return math.Float64frombits(n)
	}
	return 0
}

// Enum returns the short name of an enum value: without the prefix its zero value has (`CORTEX_STEP_STATUS_DONE` →
// `DONE`). An unknown number is returned as decimal text, an absent field as "".
func (v View) Enum(f Field) string {
	d, n, b, ok := v.find(f)
	if !ok || d.kind != kindEnum || b != nil {
		return ""
	}
	return d.enum.table().shortName(d.kind.signed(n), true)
}

// EnumFull is Enum with the full name.
func (v View) EnumFull(f Field) string {
	d, n, b, ok := v.find(f)
	if !ok || d.kind != kindEnum || b != nil {
		return ""
	}
	number := d.kind.signed(n)
	if name, known := d.enum.table().value(number); known {
		return name.full
	}
	return strconv.FormatInt(number, 10)
}

// Time returns a google.protobuf.Timestamp field in nanoseconds since 1970 UTC. ok is false when the field is absent or
// holds a value no clock shows: before 1970-01-02, after year 2200 (sentinels, case C02).
func (v View) Time(f Field) (ns int64, ok bool) {
	const earliest, latest = 86400, 7289654400 // 1970-01-02, 2201-01-01
	s, n, ok := v.seconds(f, formTimestamp)
	if !ok || s < earliest || s >= latest || n < 0 || n > 999_999_999 {
		return 0, false
	}
	return s*1e9 + n, true
}

// Duration returns a google.protobuf.Duration field in nanoseconds. ok is false when the field is absent, malformed or
// longer than 290 years.
func (v View) Duration(f Field) (ns int64, ok bool) {
	const longest = 290 * 365 * 86400
	s, n, ok := v.seconds(f, formDuration)
	if !ok || s < -longest || s > longest || n < -999_999_999 || n > 999_999_999 {
		return 0, false
	}
	return s*1e9 + n, true
}

// seconds reads the two numbers of a Timestamp or Duration field.
func (v View) seconds(f Field, want form) (s, n int64, ok bool) {
	d, _, b, ok := v.find(f)
	if !ok || d.repeated || d.msg == nil || d.msg.form != want {
		return 0, 0, false
	}
	s, n = secondsNanos(b)
	return s, n, true
}

// secondsNanos reads the wire form that Timestamp and Duration share.
func secondsNanos(b []byte) (s, n int64) {
	for i := 0; i < len(b); {
		tag, v, _, end := next(b, i)
		if end < 0 {
			break
		}
		switch tag {
		case 1 << 3:
			s = int64(v)
		case 2 << 3:
			n = int64(int32(v))
		}
		i = end
	}
	return s, n
}

// text returns the value of a string or bytes field.
func (r *Resolved) text(f *field, b []byte) string {
	if f == nil || len(b) == 0 || f.kind != kindString && f.kind != kindBytes {
		return ""
	}
	s := unsafeText(b)
	if r.repair && f.kind == kindString && !utf8.ValidString(s) {
		return repaired(s)
	}
	return s
}

// unsafeText is b as a string without a copy; b must not change.
func unsafeText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

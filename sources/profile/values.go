package profile

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"
)

// isZero reports whether v, the number or the length of an item, is the default of its kind.
func (f *field) isZero(v uint64) bool {
	switch f.kind {
	case kindInt32, kindSint32, kindUint32, kindEnum:
		return uint32(v) == 0
	}
	return v == 0
}

// value writes one value: b holds the bytes of a length-delimited kind, v the number of others.
func (w *writer) value(dst []byte, f *field, v uint64, b []byte) ([]byte, error) {
	switch f.kind {
	case kindMessage:
		return w.message(dst, f.msg, b)
	case kindString:
		return w.string(dst, unsafeText(b)), nil
	case kindBytes:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), b), '"'), nil
	}
	return w.number(dst, f, v), nil
}

func (w *writer) string(dst []byte, s string) []byte {
	out, ascii := appendEscaped(dst, s)
	if ascii || w.validText || utf8.ValidString(s) {
		return out
	}
	w.odd = true
	return appendRepairedString(out[:len(dst)], s)
}

// number writes a value that is neither text, bytes nor message.
func (w *writer) number(dst []byte, f *field, v uint64) []byte {
	switch f.kind {
	case kindBool:
		return strconv.AppendBool(dst, v != 0)
	case kindInt64, kindSint64, kindSfixed64:
		return append(strconv.AppendInt(append(dst, '"'), f.kind.signed(v), 10), '"')
	case kindUint64, kindFixed64:
		return append(strconv.AppendUint(append(dst, '"'), v, 10), '"')
	case kindFloat:
		return appendFloat(dst, float64(math.Float32frombits(uint32(v))), 32)
	case kindDouble:
		return appendFloat(dst, math.Float64frombits(v), 64)
	case kindEnum:
		n := f.kind.signed(v)
		if w.clean {
			w.judge(f.enum, n)
		}
		return appendEnum(dst, f.enum, n)
	}
	return strconv.AppendInt(dst, f.kind.signed(v), 10)
}

// appendEnum writes the name of an enum value, its number when it has none.
func appendEnum(dst []byte, e *enum, number int64) []byte {
	if e.name == "google.protobuf.NullValue" {
		return append(dst, "null"...)
	}
	if n, ok := e.table().value(number); ok {
		return append(append(append(dst, '"'), n.full...), '"')
	}
	return strconv.AppendInt(dst, number, 10)
}

// appendFloat writes a float as encoding/json does, and the three values JSON lacks as strings.
func appendFloat(dst []byte, v float64, bits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, `"NaN"`...)
	case math.IsInf(v, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(dst, `"-Infinity"`...)
	}
	format, abs := byte('f'), math.Abs(v)
	small, large := abs < 1e-6, abs >= 1e21
	if bits == 32 {
		small, large = float32(abs) < 1e-6, float32(abs) >= 1e21
	}
	if abs != 0 && (small || large) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, v, format, -1, bits)
	if n := len(dst); format == 'e' && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 is e-9
		dst = dst[:n-1]
	}
	return dst
}

package profile

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protowire"
)

// appendNumber appends a number as it stands on the wire behind its tag.
func (f *field) appendNumber(dst []byte, v uint64) []byte {
	switch f.wire {
	case wireFixed32:
		return protowire.AppendFixed32(dst, uint32(v))
	case wireFixed64:
		return protowire.AppendFixed64(dst, v)
	}
	return protowire.AppendVarint(dst, v)
}

// text writes a string. What is not Unicode is repaired and reported.
func (r *jsonReader) text(dst []byte, dec *jsontext.Decoder) ([]byte, bool, error) {
	if dec.PeekKind() != '"' {
		return dst, false, r.leave(dec, "not a text")
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return dst, false, err
	}
	dst, err = jsontext.AppendUnquote(dst, raw)
	if err != nil {
		r.left.add(r.path, "text is not Unicode", raw, true)
	}
	return dst, true, nil
}

// base64 writes bytes.
func (r *jsonReader) base64(dst []byte, dec *jsontext.Decoder) ([]byte, bool, error) {
	raw, err := dec.ReadValue()
	if err != nil {
		return dst, false, err
	}
	if raw.Kind() == '"' {
		if value, ok := unbase64(nameOf(raw)); ok {
			return append(dst, value...), true, nil
		}
	}
	r.left.add(r.path, "not base64", raw, false)
	return dst, false, nil
}

// unbase64 takes both alphabets, with and without padding.
func unbase64(text []byte) ([]byte, bool) {
	enc := base64.StdEncoding
	if strings.ContainsAny(unsafeText(text), "-_") {
		enc = base64.URLEncoding
	}
	if len(text)%4 != 0 {
		enc = enc.WithPadding(base64.NoPadding)
	}
	if strings.ContainsAny(unsafeText(text), "\r\n") {
		return nil, false // the library would skip them
	}
	value, err := enc.AppendDecode(nil, text)
	return value, err == nil
}

// number reads a value that is neither text, bytes nor message, as appendNumber takes it.
func (r *jsonReader) number(f *field, dec *jsontext.Decoder) (v uint64, ok bool, err error) {
	raw, err := dec.ReadValue()
	if err != nil {
		return 0, false, err
	}
	reason := "wrong type"
	switch f.kind {
	case kindBool:
		if raw.Kind() == 't' || raw.Kind() == 'f' {
			return uint64(len("false") - len(raw)), true, nil
		}
	case kindEnum:
		if v, ok, reason = enumNumber(f.enum, raw); ok {
			return v, true, nil
		}
	case kindFloat, kindDouble:
		v, ok, exact := floatNumber(f.kind, raw)
		if ok && !exact {
			r.left.add(r.path, "number rounded", raw, true)
		}
		if ok {
			return v, true, nil
		}
		reason = "not a number of this type"
	default:
		if text, isNumber := numberText(raw); isNumber {
			if v, ok := wholeNumber(f.kind, text); ok {
				return v, true, nil
			}
		}
		reason = "not a whole number of this type"
	}
	r.left.add(r.path, reason, raw, false)
	return 0, false, nil
}

// enumNumber reads an enum value: its name, else its number.
func enumNumber(e *enum, raw jsontext.Value) (v uint64, ok bool, reason string) {
	switch raw.Kind() {
	case 'n':
		return 0, true, ""
	case '"':
		n, known := e.number(nameOf(raw))
		return uint64(int64(n)), known, "unknown enum name"
	case '0':
		v, ok := wholeNumber(kindInt32, string(raw))
		return v, ok, "not an enum number"
	}
	return 0, false, "wrong type"
}

// numberText returns a number, or one in quotes, as text.
func numberText(raw jsontext.Value) (string, bool) {
	if raw.Kind() == '0' {
		return string(raw), true
	}
	if raw.Kind() != '"' {
		return "", false
	}
	text := nameOf(raw)
	return string(text), isNumber(text)
}

// isNumber reports whether text is a JSON number and nothing else.
func isNumber(text []byte) bool {
	if len(text) == 0 || text[0] <= ' ' || text[len(text)-1] <= ' ' {
		return false
	}
	value := jsontext.Value(text)
	return value.Kind() == '0' && value.IsValid()
}

// wholeNumber reads an integer of a kind, and returns it as it stands on the wire. 1e3 and 5.0 are integers too.
func wholeNumber(k kind, text string) (v uint64, ok bool) {
	if strings.ContainsAny(text, ".eE") {
		if text, ok = plainInteger(text); !ok {
			return 0, false
		}
	}
	bits, unsigned := 64, false
	switch k {
	case kindInt32, kindSint32, kindSfixed32, kindEnum:
		bits = 32
	case kindUint32, kindFixed32:
		bits, unsigned = 32, true
	case kindUint64, kindFixed64:
		unsigned = true
	}
	if unsigned {
		if text == "-0" {
			text = "0"
		}
		v, err := strconv.ParseUint(text, 10, bits)
		return v, err == nil
	}
	n, err := strconv.ParseInt(text, 10, bits)
	if k == kindSint32 || k == kindSint64 {
		return protowire.EncodeZigZag(n), err == nil
	}
	return uint64(n), err == nil
}

// plainInteger writes a JSON number with a fraction or an exponent as an integer, when it is one of at most 20 digits.
func plainInteger(text string) (string, bool) {
	const most = 20
	mantissa, exponent := strings.ToLower(text), 0
	if at := strings.IndexByte(mantissa, 'e'); at >= 0 {
		n, err := strconv.Atoi(mantissa[at+1:])
		if err != nil {
			return "", false
		}
		mantissa, exponent = mantissa[:at], n
	}
	negative := strings.HasPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	fraction = strings.TrimRight(fraction, "0")
	exponent -= len(fraction)
	digits := strings.TrimLeft(whole+fraction, "0")
	for exponent < 0 && strings.HasSuffix(digits, "0") {
		digits, exponent = digits[:len(digits)-1], exponent+1
	}
	switch {
	case digits == "":
		return "0", true
	case exponent < 0 || exponent > most || len(digits)+exponent > most:
		return "", false
	}
	digits += strings.Repeat("0", exponent)
	if negative {
		digits = "-" + digits
	}
	return digits, true
}

// floatNumber reads a float as it stands on the wire; exact is false when it has more digits than the kind keeps.
func floatNumber(k kind, raw jsontext.Value) (v uint64, ok, exact bool) {
	bits, digits := 64, 17
	if k == kindFloat {
		bits, digits = 32, 9
	}
	var number float64
	switch text, isNumber := numberText(raw); {
	case isNumber:
		var err error
		if number, err = strconv.ParseFloat(text, bits); err != nil {
			return 0, false, false
		}
		significant := significantDigits(text)
		exact = significant <= digits && (number != 0 || significant == 0)
	case raw.Kind() != '"':
		return 0, false, false
	default:
		exact = true
		switch string(nameOf(raw)) {
		case "NaN":
			number = math.NaN()
		case "Infinity":
			number = math.Inf(1)
		case "-Infinity":
			number = math.Inf(-1)
		default:
			return 0, false, false
		}
	}
	if k == kindFloat {
		return uint64(math.Float32bits(float32(number))), true, exact
	}
	return math.Float64bits(number), true, exact
}

// significantDigits counts the digits of a JSON number between the first and the last that is not zero.
func significantDigits(text string) int {
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		text = text[:at]
	}
	text = strings.TrimLeft(text, "-0.")
	if strings.Contains(text, ".") {
		text = strings.TrimRight(text, "0")
	} else {
		text = strings.TrimRight(text, "0.")
	}
	return len(text) - strings.Count(text, ".")
}

package profile

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Limits of google.protobuf.Timestamp (years 1 to 9999) and Duration (10,000 years).
const (
	minTimestamp = -62135596800
	maxTimestamp = 253402300799
	maxDuration  = 315576000000
	maxNanos     = 999_999_999
)

// badValue says why a well-known message has no JSON form of its own; "" when it has.
func badValue(m *message, raw []byte) string {
	switch m.form {
	case formTimestamp:
		s, n := secondsNanos(raw)
		if s < minTimestamp || s > maxTimestamp || n < 0 || n > maxNanos {
			return "time out of range"
		}
	case formDuration:
		s, n := secondsNanos(raw)
		if s < -maxDuration || s > maxDuration || n < -maxNanos || n > maxNanos || s > 0 && n < 0 || s < 0 && n > 0 {
			return "duration out of range"
		}
	case formValue:
		return badDynamic(m.table(), raw)
	case formFieldMask:
		return badMask(m.table(), raw)
	}
	return ""
}

// badDynamic judges a google.protobuf.Value.
func badDynamic(t *table, raw []byte) string {
	var last *field
	var n uint64
	for i := 0; i < len(raw); {
		tag, v, _, end := next(raw, i)
		if end < 0 {
			break
		}
		if f := t.field(tag >> 3); f != nil && f.accepts(tag&7) {
			last, n = f, v
		}
		i = end
	}
	if last == nil {
		return "value of no kind"
	}
	if v := math.Float64frombits(n); last.kind == kindDouble && (math.IsNaN(v) || math.IsInf(v, 0)) {
		return "value is not a finite number"
	}
	return ""
}

// badMask judges a google.protobuf.FieldMask: each path must survive the way to lowerCamelCase and back.
func badMask(t *table, raw []byte) string {
	for i := 0; i < len(raw); {
		tag, _, start, end := next(raw, i)
		if end < 0 {
			break
		}
		i = end
		if f := t.field(tag >> 3); f == nil || f.kind != kindString || !f.accepts(tag&7) {
			continue
		}
		path := unsafeText(raw[start:end])
		if !isFullName(path) || snakeCase(camelCase(path)) != path {
			return "path without a JSON form"
		}
	}
	return ""
}

// isFullName reports names joined by dots.
func isFullName(path string) bool {
	for part := range strings.SplitSeq(path, ".") {
		for i, c := range []byte(part) {
			letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
			if !letter && (i == 0 || c < '0' || c > '9') {
				return false
			}
		}
		if part == "" {
			return false
		}
	}
	return true
}

// snakeCase is the way back from camelCase.
func snakeCase(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if 'A' <= c && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// appendTimestamp appends a time in range as a JSON string in RFC 3339 with 0, 3, 6 or 9 digits.
func appendTimestamp(b []byte, s, n int64) []byte {
	t := time.Unix(s, 0).UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	b = append(b, '"')
	b = appendDigits(b, year, 4)
	b = appendDigits(append(b, '-'), int(month), 2)
	b = appendDigits(append(b, '-'), day, 2)
	b = appendDigits(append(b, 'T'), hour, 2)
	b = appendDigits(append(b, ':'), minute, 2)
	b = appendDigits(append(b, ':'), second, 2)
	return append(appendFraction(b, n), 'Z', '"')
}

// appendDuration appends a duration in range as a JSON string.
func appendDuration(b []byte, s, n int64) []byte {
	b = append(b, '"')
	if s < 0 || n < 0 {
		b = append(b, '-')
		s, n = -s, -n
	}
	b = strconv.AppendUint(b, uint64(s), 10)
	return append(appendFraction(b, n), 's', '"')
}

// appendFraction appends nanoseconds as 0, 3, 6 or 9 digits behind a dot.
func appendFraction(b []byte, n int64) []byte {
	if n == 0 {
		return b
	}
	b = appendDigits(append(b, '.'), int(n), 9)
	for range 2 {
		if k := len(b) - 3; b[k] == '0' && b[k+1] == '0' && b[k+2] == '0' {
			b = b[:k]
		}
	}
	return b
}

func appendDigits(b []byte, v, width int) []byte {
	for range width {
		b = append(b, '0')
	}
	for i := len(b) - 1; v > 0 && width > 0; i, width = i-1, width-1 {
		b[i] = byte('0' + v%10)
		v /= 10
	}
	return b
}

package profile

import "encoding/binary"

// Wire types.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireGroup   = 3
	wireEnd     = 4
	wireFixed32 = 5
)

// maxDepth is how deep messages, map entries, Any contents and groups may nest.
const maxDepth = 100

// maxNumber is the highest field number.
const maxNumber = 1<<29 - 1

// next reads the item at b[i:]. The value lies in b[start:end] (for wireBytes without its length, for a group with its
// end tag) and the next item begins at end. v is the value of a number, and the length of bytes. end is negative when the
// bytes are malformed.
func next(b []byte, i int) (tag, v uint64, start, end int) {
	if uint(i) < uint(len(b)) && b[i] < 0x80 {
		tag = uint64(b[i])
		i++
	} else if tag, i = longVarint(b, i); i < 0 {
		return 0, 0, 0, -1
	}
	if tag>>3-1 >= maxNumber {
		return 0, 0, 0, -1
	}
	switch tag & 7 {
	case wireVarint:
		if uint(i) < uint(len(b)) && b[i] < 0x80 {
			return tag, uint64(b[i]), i, i + 1
		}
		v, end = longVarint(b, i)
		return tag, v, i, end
	case wireBytes:
		if uint(i) < uint(len(b)) && b[i] < 0x80 {
			v, start = uint64(b[i]), i+1
		} else if v, start = longVarint(b, i); start < 0 {
			return 0, 0, 0, -1
		}
		if v > uint64(len(b)-start) {
			return 0, 0, 0, -1
		}
		return tag, v, start, start + int(v)
	case wireFixed64:
		if len(b)-i < 8 {
			return 0, 0, 0, -1
		}
		return tag, binary.LittleEndian.Uint64(b[i:]), i, i + 8
	case wireFixed32:
		if len(b)-i < 4 {
			return 0, 0, 0, -1
		}
		return tag, uint64(binary.LittleEndian.Uint32(b[i:])), i, i + 4
	case wireGroup:
		return tag, 0, i, skipGroup(b, i, tag>>3)
	}
	return 0, 0, 0, -1
}

// varint reads a base-128 number at b[i:]; end is negative when it is malformed.
func varint(b []byte, i int) (v uint64, end int) {
	if i < len(b) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	return longVarint(b, i)
}

func longVarint(b []byte, i int) (v uint64, end int) {
	for shift := uint(0); shift < 64 && i < len(b); shift += 7 {
		c := b[i]
		i++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			if shift == 63 && c > 1 {
				return 0, -1
			}
			return v, i
		}
	}
	return 0, -1
}

// skipGroup returns the position behind the end tag of a group whose content begins at b[i:], or a negative number.
func skipGroup(b []byte, i int, number uint64) int {
	var open [maxDepth]uint64
	open[0] = number
	for depth := 1; depth > 0; {
		tag, after := varint(b, i)
		if after < 0 || tag>>3 == 0 || tag>>3 > maxNumber {
			return -1
		}
		switch tag & 7 {
		case wireGroup:
			if depth == maxDepth {
				return -1
			}
			open[depth] = tag >> 3
			depth++
			i = after
		case wireEnd:
			depth--
			if open[depth] != tag>>3 {
				return -1
			}
			i = after
		default:
			if _, _, _, i = next(b, i); i < 0 {
				return -1
			}
		}
	}
	return i
}

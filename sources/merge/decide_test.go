package merge

import (
	"fmt"
	"strings"
	"testing"

	"agy-reader/sources"
	"agy-reader/sources/mirror"
)

// FuzzDecide: whatever both sides say, every line is used once, left out because the source has its step, or shown as
// another branch; lines that fill are in order and where the source has nothing.
func FuzzDecide(f *testing.F) {
	f.Add([]byte{0, 1, 2, 9, 3}, []byte{0, 1, 2, 3, 4, 5}, []byte{2}, int8(-1))
	f.Add([]byte{}, []byte{3, 3, 200}, []byte{7, 7}, int8(2))
	f.Add([]byte{0x10, 0x21, 0x32}, []byte{0x00, 0x11, 0x22, 0x33}, []byte{0x33, 0x01}, int8(1))
	f.Fuzz(func(t *testing.T, have, lines, over []byte, pruned int8) {
		var h []sources.Mark
		for i, b := range have {
			if b&3 != 3 {
				h = append(h, sources.Mark{Index: uint32(i), Kind: kindOfByte(b), CreatedNS: secondsOfByte(b)})
			}
		}
		var l, o []mirror.Mark
		for i, b := range lines {
			if b&3 != 3 {
				l = append(l, mirror.Mark{Index: uint32(i), Kind: kindOfByte(b), CreatedNS: secondsOfByte(b), Status: "current"})
			}
		}
		for _, b := range over {
			o = append(o, mirror.Mark{Index: uint32(b & 7), Kind: kindOfByte(b >> 3), CreatedNS: secondsOfByte(b)})
		}
		d := decide(h, l, o, int64(pruned))
		left := map[string]int{}
		for _, m := range append(append([]mirror.Mark(nil), l...), o...) {
			left[name(m)]++
		}
		last := int64(-1)
		for _, m := range d.fill {
			if int64(m.Index) <= last || left[name(m)] == 0 {
				t.Fatalf("%s fills out of order or twice", name(m))
			}
			last = int64(m.Index)
			left[name(m)]--
			for _, s := range h {
				if s.Index == m.Index {
					t.Fatalf("%s fills a step that is there", name(m))
				}
			}
		}
		for _, m := range d.other {
			if left[name(m)]--; left[name(m)] < 0 {
				t.Fatalf("%s is shown twice", name(m))
			}
		}
		// What is left over is a step of the source, or an earlier state of a line that is shown.
		for i := range l {
			checkLeft(t, left, h, &l[i])
		}
		document := append([]sources.Mark(nil), h...)
		for i := range l {
			document = append(document, asMark(&l[i]))
		}
		for i := range o {
			checkLeft(t, left, document, &o[i])
		}
	})
}

func checkLeft(t *testing.T, left map[string]int, document []sources.Mark, m *mirror.Mark) {
	if left[name(*m)] <= 0 {
		return
	}
	for _, s := range document {
		if same(s, m) {
			return
		}
	}
	t.Fatalf("%s is lost", name(*m))
}

func name(m mirror.Mark) string {
	return fmt.Sprint(m.Index, " ", m.Kind, " ", m.CreatedNS, " ", m.Status)
}

func kindOfByte(b byte) string { return strings.TrimSpace([]string{"A", "B", "GENERIC", " "}[b>>2&3]) }

func secondsOfByte(b byte) int64 { return int64(b>>4) * 1e9 }

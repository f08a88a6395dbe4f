package html

import (
	"fmt"

	"agy-reader/sinks/present"
)

const (
	// mostMarks is how many marks of one block are elements. Elements are long: of a text that is nothing but control
	// characters they would make a page of many times its size.
	mostMarks = 10_000
	// mostPictures is how many equal characters in a row are shown one by one; of more one is shown, with their number.
	mostPictures = 8
)

// marks counts the marks of a block. The zero value is a whole budget.
type marks struct{ used int }

// append appends what is seen in place of r, which stands there several times. A row of equal characters is one mark: few
// fonts have the pictures, so that its element also carries the code point. Once the budget is spent the pictures stand
// alone, which is said where it begins.
func (m *marks) append(dst []byte, r rune, times int) []byte {
	m.used++
	if m.used > mostMarks {
		if m.used == mostMarks+1 {
			dst = append(append(append(dst, `<b class="c">`...), manyMarks()...), "</b>"...)
		}
		return appendPictures(dst, r, times)
	}
	dst = fmt.Appendf(dst, `<b class="c" title="U+%04X">`, r)
	return append(appendPictures(dst, r, times), "</b>"...)
}

// manyMarks is the statement in place of further elements.
func manyMarks() string {
	return "⟨more than " + present.Count(mostMarks) + " marks: from here on they stand without colour⟩"
}

// appendPictures appends a row of equal marks: `␈␈␈`, and of many `␈⟨×900,000⟩`.
func appendPictures(dst []byte, r rune, times int) []byte {
	if times > mostPictures {
		dst = append(appendPicture(dst, r), "⟨×"...)
		return append(present.AppendCount(dst, uint64(times)), "⟩"...)
	}
	for range times {
		dst = appendPicture(dst, r)
	}
	return dst
}

// appendPicture appends the picture of an ASCII control character, the code point of any other.
func appendPicture(dst []byte, r rune) []byte {
	switch {
	case r == 0x7f:
		return append(dst, "\u2421"...)
	case r > 0x7f:
		return fmt.Appendf(dst, "⟨U+%04X⟩", r)
	}
	return append(dst, string(0x2400+r)...)
}

// runLength counts how often the first n bytes of s stand there in a row. A carriage return before a line feed is not
// one of them.
func runLength[T string | []byte](s T, n int) int {
	end := n
	for end+n <= len(s) && string(s[end:end+n]) == string(s[:n]) {
		end += n
	}
	if s[0] == '\r' && end < len(s) && s[end] == '\n' {
		end--
	}
	return end / n
}

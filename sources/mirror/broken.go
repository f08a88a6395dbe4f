package mirror

import (
	"fmt"
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// bad notes a line that is not a step, with a piece of it.
func (s *scanner) bad(format string, args ...any) {
	if s.broken++; s.broken > maxBroken {
		return
	}
	text := fmt.Sprintf("%s: record %d ", s.file.name, max(s.record, 1)) + fmt.Sprintf(format, args...) +
		fmt.Sprintf(", bytes %d–%d", s.start, s.start+s.length)
	if piece := excerpt(s.head); piece != "" {
		text += ": " + piece
	}
	n := s.log.note(noteDamage, true, text)
	n.Severity = transcriptv1.Severity_SEVERITY_ERROR
	if have := len(s.log.marks); have > s.before {
		n.Anchor = anchor(s.log.marks[have-1].index)
	}
}

// excerpt quotes the beginning of a broken line.
func excerpt(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	cut := b[:min(len(b), quoted)]
	text := strconv.Quote(strings.ToValidUTF8(string(trimRune(cut)), "\uFFFD"))
	if len(cut) < len(b) {
		text += " …"
	}
	return text
}

// trimRune takes the beginning of a character that was cut off the end.
func trimRune(b []byte) []byte {
	for i := 1; i <= min(3, len(b)); i++ {
		if c := b[len(b)-i]; c >= 0xC0 {
			if i < runeLength(c) {
				return b[:len(b)-i]
			}
			break
		} else if c < 0x80 {
			break
		}
	}
	return b
}

func runeLength(first byte) int {
	switch {
	case first >= 0xF0:
		return 4
	case first >= 0xE0:
		return 3
	default:
		return 2
	}
}

package html

import (
	"strings"

	"agy-reader/sinks/present"
)

// appendTerminal appends command output as a terminal would have shown it: SGR colours as spans, and of a line that was
// overwritten with carriage returns only the last state. It returns how many earlier states were left out. All other
// control sequences stay visible. Spans are always balanced.
func appendTerminal(dst []byte, s string) (out []byte, overwritten int) {
	if !present.HasLoneReturn(s) && strings.IndexByte(s, 0x1b) < 0 {
		return appendText(dst, s), 0
	}
	t := terminal{dst: dst}
	for len(s) > 0 {
		line, rest := s, ""
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			line, rest = s[:i], s[i:]
		}
		end := ""
		if rest != "" {
			end, rest = "\n", rest[1:]
			if cut, found := strings.CutSuffix(line, "\r"); found {
				line, end = cut, "\r\n"
			}
		}
		t.line(line)
		t.text(end)
		s = rest
	}
	t.close()
	return t.dst, t.overwritten
}

type terminal struct {
	dst         []byte
	style, open style
	marks       marks
	overwritten int
}

// line writes the last visible state of one line. A state in which nothing can be seen replaces nothing.
func (t *terminal) line(s string) {
	last, shown := "", false
	for {
		state, rest, more := strings.Cut(s, "\r")
		if present.HasVisible(state) {
			if shown {
				t.overwritten++
				t.play(last, false)
			}
			last, shown = state, true
		} else if !shown {
			t.play(state, false)
		}
		if !more {
			break
		}
		s = rest
	}
	t.play(last, true)
}

// play follows the styles in s and writes its text if show is set. Erase-in-line sequences are dropped: beside a carriage
// return they only clear what is replaced anyway.
func (t *terminal) play(s string, show bool) {
	write := func(text string) {
		if show {
			t.text(text)
		}
	}
	for s != "" {
		i := strings.IndexByte(s, 0x1b)
		if i < 0 {
			write(s)
			return
		}
		n := present.SequenceLength(s[i:])
		if n == 0 {
			write(s[:i+1])
			s = s[i+1:]
			continue
		}
		write(s[:i])
		if s[i+n-1] == 'm' {
			t.style.apply(s[i+2 : i+n-1])
		}
		s = s[i+n:]
	}
}

func (t *terminal) text(s string) {
	if s == "" {
		return
	}
	if t.style != t.open {
		t.close()
		if t.style != (style{}) {
			t.dst = append(t.dst, `<span class="`...)
			t.dst = t.style.appendClasses(t.dst)
			t.dst = append(t.dst, `">`...)
			t.open = t.style
		}
	}
	t.dst = appendBudgeted(t.dst, s, &t.marks)
}

func (t *terminal) close() {
	if t.open != (style{}) {
		t.dst = append(t.dst, "</span>"...)
		t.open = style{}
	}
}

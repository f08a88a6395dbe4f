package mirror

import (
	"strconv"
	"strings"
)

// viewFile reads the product's account of a file and its numbered lines. Lines may end in CR LF; the CR is the file's.
func viewFile(w *writer) bool {
	rest := w.body
	uri, rest, ok := field(rest, "File Path: ")
	if !ok {
		return false
	}
	uri = strings.Trim(uri, "`")
	lines, rest, _ := field(rest, "Total Lines: ")
	size, rest, _ := field(rest, "Total Bytes: ")
	shown, rest, ok := field(rest, "Showing lines ")
	if !ok {
		return false
	}
	from, to, ok := strings.Cut(shown, " to ")
	first, err := strconv.ParseUint(from, 10, 32)
	last, err2 := strconv.ParseUint(to, 10, 32)
	if !ok || err != nil || err2 != nil || first == 0 {
		return false
	}
	if at := lineStart(rest, strconv.FormatUint(first, 10)+": "); at >= 0 {
		rest = rest[at:]
	} else {
		return false
	}
	content, behind := unnumbered(rest, first, last, w.cut > 0)
	if strings.Contains(strings.TrimRight(behind, "\n"), "\n") {
		// More than the one sentence that ends the text.
		w.aside("Behind the file", behind)
	}
	w.sub(stepView, func() {
		w.str(viewURI, uri)
		if first > 1 {
			w.num(viewStart, int64(first-1))
		}
		if last > first {
			w.num(viewEnd, int64(last-1))
		}
		w.str(viewContent, content)
		w.count(viewLines, lines)
		w.count(viewBytes, size)
	})
	return true
}

// field takes «Name: value» off the first line.
func field(text, name string) (value, rest string, ok bool) {
	line, rest, _ := strings.Cut(text, "\n")
	value, ok = strings.CutPrefix(strings.TrimRight(line, "\r"), name)
	if !ok {
		return "", text, false
	}
	return value, rest, true
}

// lineStart returns where a line begins with the prefix, among the first few lines; -1 when none does.
func lineStart(text, prefix string) int {
	for at, n := 0, 0; n < 4; n++ {
		if strings.HasPrefix(text[at:], prefix) {
			return at
		}
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return -1
		}
		at += i + 1
	}
	return -1
}

// unnumbered takes the numbers off lines from first to last. Where the product cut the text, numbers go on behind the mark;
// what is left of the line there stays as it is.
func unnumbered(text string, first, last uint64, cut bool) (content, rest string) {
	var out strings.Builder
	out.Grow(len(text))
	number := first
	for at := 0; at < len(text); {
		line, _, more := strings.Cut(text[at:], "\n")
		body, ok := strings.CutPrefix(line, strconv.FormatUint(number, 10)+": ")
		switch {
		case ok && number <= last:
			number++
		case cut && strings.HasSuffix(line, " bytes omitted by agy]"):
			body = line
			at += len(line) + 1
			if tail, _, ok := strings.Cut(text[min(at, len(text)):], "\n"); ok {
				// The rest of the line in which the cut ended.
				if n, _ := leadingNumber(tail); n <= number || n > last {
					body += "\n" + tail
					at += len(tail) + 1
				}
			}
			if n, ok := leadingNumber(text[min(at, len(text)):]); ok && n > number && n <= last {
				number = n
			}
			out.WriteByte('\n')
			out.WriteString(body)
			continue
		default:
			return out.String(), text[at:]
		}
		if out.Len() > 0 || number > first+1 {
			out.WriteByte('\n')
		}
		out.WriteString(body)
		at += len(line)
		if more {
			at++
		}
	}
	return out.String(), ""
}

// leadingNumber reads «N: » off the beginning of a line.
func leadingNumber(line string) (uint64, bool) {
	number, _, ok := strings.Cut(line[:min(len(line), 12)], ": ")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(number, 10, 32)
	return n, err == nil
}

package present

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// telling are the parameters that say best what a call does, the best first. None holds the body of a file.
var telling = []string{
	"CommandLine", "TargetFile", "AbsolutePath", "Url", "url", "Uri", "uri", "Query", "query", "Pattern", "pattern",
	"SearchPath", "SearchDirectory", "DirectoryPath", "TaskName", "ImageName", "Prompt", "prompt", "TaskId", "Recipient",
}

// labels are the parameters in which the product lets the model say what a call is for, the best first.
var labels = []string{"toolSummary", "toolAction"}

// bodies are parameters that hold text of a file.
var bodies = []string{"CodeContent", "ReplacementContent", "TargetContent", "Content", "content"}

// CallLine is what one line says about a call beside its name: its most telling argument, else the label the product or
// the model gave it, else its first short text argument, else nothing. verbatim tells an argument from a label. The
// line may be long, which the caller clips; it is never the body of a file. White space in it is single spaces.
func CallLine(c *transcriptv1.ToolCall) (line string, verbatim bool) {
	found := arguments(c.GetArgumentsJson())
	if found.told != "" {
		return found.told, true
	}
	for _, label := range [...]string{c.GetSummary(), c.GetAction(), found.label} {
		if label = oneLine(label); label != "" {
			return label, false
		}
	}
	return found.short, found.short != ""
}

// shortArgument is how long a first text argument may be.
const shortArgument = 100

type argumentsFound struct{ told, label, short string }

// arguments reads a JSON object as far as it is one.
func arguments(text string) (found argumentsFound) {
	told, label := len(telling), len(labels)
	eachText(text, func(name, value []byte) bool {
		at, as := place(telling, name), place(labels, name)
		switch {
		case at >= 0 && at < told:
			if line := oneLine(plainPath(string(value))); line != "" {
				found.told, told = line, at
			}
		case as >= 0 && as < label:
			if line := oneLine(string(value)); line != "" {
				found.label, label = line, as
			}
		case at < 0 && as < 0 && found.told == "" && found.short == "" && len(value) <= shortArgument && place(bodies, name) < 0:
			found.short = oneLine(string(value))
		}
		return true
	})
	return found
}

// place returns where name stands in the list, or -1.
func place(list []string, name []byte) int {
	for i, s := range list {
		if s == string(name) {
			return i
		}
	}
	return -1
}

// argument returns one text argument.
func argument(text, name string) (value string, found bool) {
	eachText(text, func(n, v []byte) bool {
		if string(n) == name && len(v) > 0 {
			value, found = string(v), true
		}
		return !found
	})
	return value, found
}

// reader is what it takes to walk a JSON object. There is a call in every other step, so readers are used again.
type reader struct {
	text        bytes.Buffer
	decoder     jsontext.Decoder
	name, value []byte
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// keptText is the largest argument object whose memory is kept.
const keptText = 64 << 10

var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// eachText walks the text members of a JSON object until f returns false or the object ends or is broken. What f gets is
// valid during the call only.
func eachText(text string, f func(name, value []byte) bool) {
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return
	}
	r := readers.Get().(*reader)
	if len(text) <= keptText {
		defer readers.Put(r)
	}
	r.text.Reset()
	r.text.WriteString(text)
	r.decoder.Reset(&r.text, lenient...)
	r.walk(f)
}

func (r *reader) walk(f func(name, value []byte) bool) {
	if _, err := r.decoder.ReadToken(); err != nil {
		return
	}
	for r.decoder.PeekKind() == '"' {
		name, err := r.decoder.ReadValue()
		if err != nil {
			return
		}
		r.name, _ = jsontext.AppendUnquote(r.name[:0], name) // a bad name is no name that is looked for
		value, err := r.decoder.ReadValue()
		if err != nil {
			return
		}
		if value.Kind() != '"' {
			continue
		}
		if r.value, err = jsontext.AppendUnquote(r.value[:0], value); err != nil || !f(r.name, r.value) {
			return
		}
	}
}

// plainPath reads a file URI as its path.
func plainPath(value string) string {
	if strings.HasPrefix(value, "file://") {
		return Path(value)
	}
	return value
}

// longestLine is where a text is cut before its white space is looked at.
const longestLine = 4 << 10

func oneLine(s string) string {
	if len(s) > longestLine {
		s = strings.ToValidUTF8(s[:longestLine], "")
	}
	if tidy(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// tidy tells whether the white space of s is single spaces between words. Of a text with anything beyond ASCII it says no.
func tidy(s string) bool {
	space := true
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' && space, c < ' ', c >= utf8.RuneSelf:
			return false
		default:
			space = c == ' '
		}
	}
	return !space || s == ""
}

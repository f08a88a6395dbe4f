package present

import (
	"bytes"
	"slices"
	"strings"

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
	eachText(text, func(name, value string) bool {
		at := slices.Index(telling, name)
		as := slices.Index(labels, name)
		switch {
		case at >= 0 && at < told:
			if line := oneLine(plainPath(value)); line != "" {
				found.told, told = line, at
			}
		case as >= 0 && as < label:
			if line := oneLine(value); line != "" {
				found.label, label = line, as
			}
		case at < 0 && as < 0 && found.short == "" && len(value) <= shortArgument && !slices.Contains(bodies, name):
			found.short = oneLine(value)
		}
		return true
	})
	return found
}

// argument returns one text argument.
func argument(text, name string) (value string, found bool) {
	eachText(text, func(n, v string) bool {
		if n == name && v != "" {
			value, found = v, true
		}
		return !found
	})
	return value, found
}

// eachText walks the text members of a JSON object until f returns false or the object ends or is broken.
func eachText(text string, f func(name, value string) bool) {
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return
	}
	d := jsontext.NewDecoder(bytes.NewBuffer([]byte(text)), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadToken(); err != nil {
		return
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return
		}
		key := name.String()
		value, err := d.ReadValue()
		if err != nil {
			return
		}
		if value.Kind() != '"' {
			continue
		}
		plain, err := jsontext.AppendUnquote(nil, value)
		if err != nil || !f(key, string(plain)) {
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
	return strings.Join(strings.Fields(s), " ")
}

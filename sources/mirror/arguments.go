package mirror

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// take reads the arguments of a call. In the short log each is JSON text inside a string, cut when it is long.
func (c *call) take(object jsontext.Value, double bool) bool {
	out := []byte{'{'}
	ok := eachMember(object, func(name string, v jsontext.Value) bool {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, name)
		out = append(out, ':')
		a := argument{name: name, text: text(v)}
		inner := jsontext.Value(a.text)
		switch {
		case !double || v.Kind() != '"':
			out = append(out, v...)
		case inner.IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)):
			out = append(out, inner...)
			a.text = text(inner)
		default:
			// Cut, or by an older version that did not encode twice: the text as it is.
			if n, cut := cutBytes(a.text); cut {
				c.cut, c.isCut = c.cut+n, true
			}
			a.text = marked(a.text)
			out, _ = jsontext.AppendQuote(out, a.text)
		}
		c.list = append(c.list, a)
		return true
	})
	c.arguments = string(append(out, '}'))
	return ok
}

// argument returns the first argument with one of the names, "" when there is none.
func (c *call) argument(names ...string) string {
	if c == nil {
		return ""
	}
	for _, name := range names {
		for _, a := range c.list {
			if a.name == name {
				return a.text
			}
		}
	}
	return ""
}

// cutMark is what the product writes where it cut a text. It stands on a line of its own.
var cutMark = pattern(`(^|\n)<truncated ([0-9]{1,18}) bytes>(\n|$)`)

// cutBytes returns how many bytes a text says were left out.
func cutBytes(s string) (n uint64, cut bool) {
	if !strings.Contains(s, "<truncated ") {
		return 0, false
	}
	for _, m := range cutMark().FindAllStringSubmatch(s, -1) {
		left, _ := strconv.ParseUint(m[2], 10, 63)
		n, cut = n+left, true
	}
	return n, cut
}

// marked says it in words of ours, so that nobody takes the mark for a part of the text.
func marked(s string) string {
	if !strings.Contains(s, "<truncated ") {
		return s
	}
	return cutMark().ReplaceAllString(s, "${1}[${2} bytes omitted by agy]${3}")
}

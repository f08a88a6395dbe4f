package shape

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// pruned are the paths below which nothing is looked at (behaviour.md m.1.4).
var pruned = []string{
	"executorMetadatas",
	"generatorMetadata",
	"metadata.mendelExperimentIds",
	"steps.[].generic",
	"steps.[].metadata.internalMetadata",
	"steps.[].metadata.sourceTrajectoryStepInfo",
	"steps.[].userInput.activeUserState",
	"steps.[].userInput.userConfig",
}

// types is a set of JSON types, the lowest bit first in the order of their names.
type types uint8

const (
	array types = 1 << iota
	boolean
	null
	number
	object
	text
)

var typeNames = [...]string{"array", "boolean", "null", "number", "object", "string"}

// typeOf is the type of a value by its first byte as jsontext has it; 0 when there is no value.
func typeOf(kind jsontext.Kind) types {
	switch kind {
	case '[':
		return array
	case 't', 'f':
		return boolean
	case 'n':
		return null
	case '0':
		return number
	case '{':
		return object
	case '"':
		return text
	}
	return 0
}

func (t types) String() string {
	var names []string
	for i, name := range typeNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// memberName is a name as it stands in paths: `*` when it is data.
func memberName(name string) string {
	if strings.HasPrefix(name, "file:") || strings.Contains(name, "/") || isUUID(name) || only(name, '0', '9', 0, 0) ||
		len(name) >= 16 && only(name, '0', '9', 'a', 'f') {
		return "*"
	}
	return name
}

// only reports whether a text is not empty and made of bytes of two ranges.
func only(s string, from, to, from2, to2 byte) bool {
	for i := range len(s) {
		if c := s[i]; (c < from || c > to) && (c < from2 || c > to2 || from2 == 0) {
			return false
		}
	}
	return s != ""
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

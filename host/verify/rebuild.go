package verify

import (
	"encoding/json"
	"strconv"
	"strings"

	"agy-reader/sources/profile"
)

// rebuild turns JSON of a daemon into JSON by the profile, and decides about what the profile does not take.
func (d *difference) rebuild(stored any) ([]byte, error) {
	p := d.shape.profile
	var left profile.Leftovers
	wire, err := p.AppendWire(nil, d.q.message, d.q.answered, "", &left)
	if err != nil {
		return nil, answerf("%s: %w", d.where(""), err)
	}
	if left.More > 0 {
		return nil, answerf("%s: too much that the profile does not know", d.where(""))
	}
	numbers := map[string]bool{}
	if len(left.List) > 0 {
		numberPaths(stored, "", numbers)
	}
	for _, l := range left.List {
		switch {
		case d.live(l.Path):
			d.pass(l.Path)
		case l.Reason == "unknown member" && (d.q.form == formOrdinary || d.q.below == ""):
			d.cover(l.Path)
		case l.Reason == "unknown enum name" && numbers[l.Path]: // an open enum: only those are stored without a name
			d.pass(l.Path)
		case l.Reason == "not base64" && len(l.JSON) > 0 && (l.JSON[0] == '{' || l.JSON[0] == '['):
			d.pass(l.Path)
		default:
			return nil, answerf("%s: %s", d.where(l.Path), l.Reason)
		}
	}
	return p.AppendJSON(nil, d.q.message, wire, nil)
}

// pass leaves a path out of the comparison. Elements shift when one is not there, so of an element it is the whole list.
func (d *difference) pass(path string) {
	for strings.HasSuffix(path, "]") && !strings.HasSuffix(path, `"]`) {
		path = path[:strings.LastIndexByte(path, '[')]
	}
	d.skip[path] = true
	d.cover(path)
}

// numberPaths collects where numbers stand.
func numberPaths(v any, path string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			numberPaths(value, memberPath(path, name), into)
		}
	case []any:
		for i, value := range v {
			numberPaths(value, path+"["+strconv.Itoa(i)+"]", into)
		}
	case json.Number:
		into[path] = true
	}
}

package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agy-reader/sources/profile"
)

// difference finds the first difference between two values that are JSON by the profile.
type difference struct {
	shape   *shape
	q       question
	covered *coverage
	// skip are paths that cannot be compared.
	skip map[string]bool
}

// tree reads JSON by the profile.
func tree(raw []byte) (any, error) {
	if len(raw) == 0 {
		return map[string]any{}, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	return v, dec.Decode(&v)
}

// compare goes through both values side by side; path is below the question's. held: what was not answered is no
// difference.
func (d *difference) compare(path string, stored, answered any, held bool) error {
	if d.skip[path] {
		return nil
	}
	switch s := stored.(type) {
	case map[string]any:
		if a, ok := answered.(map[string]any); ok {
			return d.members(path, s, a, held)
		}
	case []any:
		if a, ok := answered.([]any); ok {
			return d.items(path, s, a, held)
		}
	case string:
		if a, ok := answered.(string); ok && (s == a || d.q.step < 0 && sameClosed(s, a)) {
			return nil
		}
	case json.Number:
		if a, ok := answered.(json.Number); ok && bytes.Equal(appendNumber(nil, []byte(s)), appendNumber(nil, []byte(a))) {
			return nil
		}
	default:
		if stored == answered {
			return nil
		}
	}
	return d.mismatch(path, stored, answered)
}

func (d *difference) members(path string, stored, answered map[string]any, held bool) error {
	names := slices.Collect(maps.Keys(stored))
	for name := range answered {
		if _, both := stored[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		at, held := memberPath(path, name), held
		s, isStored := stored[name]
		a, isAnswered := answered[name]
		switch {
		case d.skip[at]:
			continue
		case d.live(at), d.q.below == "" && path == "" && !isStored && !d.shape.fed[name]:
			d.cover(at)
			continue
		case d.q.form == formOrdinary && d.shape.rules[general(d.full(at))] == ruleHeld:
			held = true
		}
		var err error
		switch {
		case isStored && isAnswered:
			err = d.compare(at, s, a, held)
		case isAnswered:
			err = d.mismatch(at, nothing{}, a)
		case held:
			d.cover(at)
		default:
			err = d.mismatch(at, s, nothing{})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *difference) items(path string, stored, answered []any, held bool) error {
	for i := range min(len(stored), len(answered)) {
		if err := d.compare(path+"["+strconv.Itoa(i)+"]", stored[i], answered[i], held); err != nil {
			return err
		}
	}
	switch at := path + "[" + strconv.Itoa(min(len(stored), len(answered))) + "]"; {
	case len(stored) < len(answered):
		return d.mismatch(at, nothing{}, answered[len(stored)])
	case len(stored) > len(answered) && held:
		d.cover(path)
	case len(stored) > len(answered):
		return d.mismatch(at, stored[len(answered)], nothing{})
	}
	return nil
}

// sameClosed reports whether two texts hold the same closed message.
func sameClosed(a, b string) bool {
	if len(a) != len(b) || len(a)%4 != 0 {
		return false
	}
	x, ok := closedText([]byte(a))
	y, also := closedText([]byte(b))
	return ok && also && bytes.Equal(x, y)
}

// live reports whether the profile says that the ordinary answer has a value from elsewhere.
func (d *difference) live(path string) bool {
	return d.q.form == formOrdinary && d.shape.rules[general(d.full(path))] == ruleLive
}

func (d *difference) cover(path string) { d.covered.add(d.full(path)) }

// full is a path from the trajectory on.
func (d *difference) full(path string) string {
	if d.q.below == "" || path == "" || path[0] == '[' {
		return d.q.below + path
	}
	return d.q.below + "." + path
}

// where names a path for people.
func (d *difference) where(path string) string {
	if path == "" {
		return d.q.where()
	}
	return d.full(path)
}

func (d *difference) mismatch(path string, stored, answered any) error {
	s, a := brief(stored, answered)
	if d.q.step < 0 {
		path = d.full(path)
	}
	return &MismatchError{Form: d.q.form, Step: d.q.step, Path: path, Stored: s, Answered: a}
}

// memberPath is the path of a member, written like those of the profile's findings.
func memberPath(path, name string) string {
	const longest = 64
	short := name
	if len(short) > longest {
		cut := longest
		for cut > longest-utf8.UTFMax && !utf8.RuneStart(short[cut]) {
			cut--
		}
		short = short[:cut] + "…"
	}
	plain := short != "" && !strings.ContainsFunc(short, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '_' && r != '-'
	})
	switch {
	case !plain:
		return path + "[" + string(profile.AppendString(nil, short)) + "]"
	case path == "":
		return short
	}
	return path + "." + short
}

// nothing stands for a value that is not there.
type nothing struct{}

// brief writes two values short: containers by size, texts from shortly before where they differ.
func brief(stored, answered any) (string, string) {
	from := 0
	if s, ok := stored.(string); ok {
		if a, ok := answered.(string); ok {
			for from < min(len(s), len(a)) && s[from] == a[from] {
				from++
			}
		}
	}
	return briefOne(stored, from), briefOne(answered, from)
}

func briefOne(v any, from int) string {
	const most, before = 24, 8
	switch v := v.(type) {
	case nothing:
		return "nothing"
	case nil:
		return "null"
	case map[string]any:
		return fmt.Sprintf("an object of %d members", len(v))
	case []any:
		return fmt.Sprintf("a list of %d elements", len(v))
	case string:
		start := max(0, from-before)
		end := min(len(v), start+most)
		text := strings.ToValidUTF8(v[min(start, len(v)):end], "")
		if start > 0 {
			text = "…" + text
		}
		if end < len(v) {
			text += "…"
		}
		if len(v) > most {
			return fmt.Sprintf("%q of %d bytes", text, len(v))
		}
		return strconv.Quote(text)
	}
	text := fmt.Sprint(v)
	if len(text) > most {
		text = text[:most] + "…"
	}
	return text
}

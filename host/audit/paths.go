package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// difference is what a canonical list and a baseline do not have in common, as lines for people.
type difference struct {
	fresh, changed, absent []string
	// places are the absent paths by the nearest path above them that is not absent.
	places []string
}

func (b Baseline) difference(lines []string) (d difference) {
	listed, here := byPath(b.Lines), byPath(lines)
	for _, path := range slices.Sorted(maps.Keys(here)) {
		switch was, known := listed[path]; {
		case !known:
			d.fresh = append(d.fresh, path+": "+here[path])
		case was != here[path]:
			d.changed = append(d.changed, path+": "+here[path]+", listed as "+was)
		}
	}
	gone := map[string]map[string]int{} // by place and name, with how many paths begin with both
	for _, path := range slices.Sorted(maps.Keys(listed)) {
		if _, there := here[path]; there {
			continue
		}
		d.absent = append(d.absent, path+": "+listed[path])
		place, name := missingAt(path, here)
		if gone[place] == nil {
			gone[place] = map[string]int{}
		}
		gone[place][name]++
	}
	for _, place := range slices.Sorted(maps.Keys(gone)) {
		d.places = append(d.places, placeLine(place, gone[place]))
	}
	return d
}

// byPath are the types by path of a canonical list.
func byPath(lines []string) map[string]string {
	types := make(map[string]string, len(lines))
	for _, line := range lines {
		at := max(strings.LastIndexByte(line, '\t'), 0)
		types[line[:at]] = strings.TrimPrefix(line[at:], "\t")
	}
	return types
}

// missingAt splits an absent path at the first name that is absent.
func missingAt(path string, here map[string]string) (place, name string) {
	for at := 0; ; {
		name, _, more := strings.Cut(path[at:], ".")
		if _, there := here[path[:at+len(name)]]; !there || !more {
			return strings.TrimSuffix(path[:at], "."), name
		}
		at += len(name) + len(".")
	}
}

// maxNames bounds how many names of a place are shown.
const maxNames = 12

func placeLine(place string, names map[string]int) string {
	if place == "" {
		place = "the top"
	}
	var shown []string
	for i, name := range slices.Sorted(maps.Keys(names)) {
		if i == maxNames {
			shown = append(shown, fmt.Sprintf("… and %d more", len(names)-i))
			break
		}
		if n := names[name]; n > 1 {
			name += fmt.Sprintf(" (%d)", n)
		}
		shown = append(shown, name)
	}
	return "below " + place + ": " + strings.Join(shown, ", ")
}

// compareLists shows which paths are new or of other types and how many are absent; of those, after a drift or a first whole
// sweep, the places.
func (a *audit) compareLists(verdict Verdict, recorded string, lines []string) {
	d := a.Baseline.difference(lines)
	is := New
	if len(d.fresh)+len(d.changed) == 0 {
		is = Pass
	}
	text := fmt.Sprintf("%d new, %d of other types and %d absent against %s", len(d.fresh), len(d.changed), len(d.absent), a.Baseline.Name)
	if verdict == Drift && a.Baseline.Fingerprint() != recorded {
		text += ", which is not the one behind the record (--baseline FILE names another)"
	}
	more := append(a.paths("+", d.fresh), a.paths("~", d.changed)...)
	switch {
	case len(d.absent) == 0:
	case a.Paths:
		more = append(more, a.paths("-", d.absent)...)
	default:
		line := fmt.Sprintf("- %d absent: not used in what was looked at, or gone; `agy-reader audit --paths` lists each", len(d.absent))
		if verdict == Drift || a.Swept && verdict != Unchanged {
			more = append(append(more, line+"; by place, with how many paths:"), a.paths("-", d.places)...)
		} else {
			more = append(more, line)
		}
	}
	a.report.check("sidecar paths", is, text, more...)
}

// paths are lines with a mark before each, not too many unless all were asked for.
func (a *audit) paths(mark string, lines []string) []string {
	if a.Paths {
		return shown(mark, lines, len(lines), "")
	}
	return shown(mark, lines, maxPaths, "; `agy-reader audit --paths` lists each")
}

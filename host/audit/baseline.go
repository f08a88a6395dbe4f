package audit

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"agy-reader/host/audit/shape"
	"agy-reader/sources"
)

// Baseline is a canonical list: the lines that `shape-fingerprint --paths` prints.
type Baseline struct {
	// Name says which list it is.
	Name  string
	Lines []string
}

// published holds the paths and types that the reference's audits found in all conversations of agy 1.2.10 and, without a
// change, 1.2.11.
//
//go:embed baseline.txt
var published string

// PublishedBaseline is the newest canonical list that was published.
func PublishedBaseline() Baseline {
	return Baseline{Name: "the published list of agy 1.2.10 and 1.2.11", Lines: split(published)}
}

// ParseBaseline reads what `shape-fingerprint --paths` printed.
func ParseBaseline(name, text string) (Baseline, error) {
	b := Baseline{Name: name, Lines: split(text)}
	for i, line := range b.Lines {
		if _, types, ok := strings.Cut(line, "\t"); !ok || types == "" {
			return Baseline{}, fmt.Errorf("%w: %s, line %d is no path, tab and types, as `agy-reader shape-fingerprint --paths` prints them", sources.ErrUnreadable, name, i+1)
		}
	}
	if len(b.Lines) == 0 {
		return Baseline{}, fmt.Errorf("%w: %s holds no line", sources.ErrUnreadable, name)
	}
	return b, nil
}

func split(text string) []string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	slices.Sort(lines)
	return slices.Compact(lines)
}

// Fingerprint is the list's shape fingerprint.
func (b Baseline) Fingerprint() string { return shape.Fingerprint(b.Lines) }

// Package record keeps the audit record: the marked section of COMPATIBILITY.md that says which agy this program was last
// checked against (behaviour.md m.3). Everything around the section stays as it is, byte for byte.
package record

import (
	"errors"
	"fmt"
	"strings"
)

// FileName is the file that holds the record.
const FileName = "COMPATIBILITY.md"

// Marks around the section, each on a line of its own.
const (
	Begin = "<!-- audit record: begin; `agy-reader audit --record` replaces what follows -->"
	End   = "<!-- audit record: end -->"
)

// NotRecorded stands for a value that no audit has found yet.
const NotRecorded = "not recorded"

// Record is what an audit found. An empty text is not recorded. No value holds a line end.
type Record struct {
	// Version of agy, such as "1.4.4".
	Version string
	// VerifiedOn is a day in UTC and a platform.
	VerifiedOn string
	// Commit of agy-reader, with «clean tree» or «dirty tree».
	Commit string
	// Schema names tables and user_version.
	Schema            string
	SchemaFingerprint string
	ShapeFingerprint  string
	// Scope says which sidecars the shape was made of.
	Scope string
	// IDE says what is known of the IDE's databases.
	IDE string
}

// ErrSection says that a file does not have the one marked section.
var ErrSection = errors.New("the marked audit record is not there exactly once")

// fields are the labels in their order.
func (r *Record) fields() []struct {
	label string
	value *string
} {
	return []struct {
		label string
		value *string
	}{
		{"agy version", &r.Version},
		{"Verified on", &r.VerifiedOn},
		{"agy-reader commit", &r.Commit},
		{"Schema", &r.Schema},
		{"Schema fingerprint", &r.SchemaFingerprint},
		{"Sidecar shape fingerprint", &r.ShapeFingerprint},
		{"Sidecar corpus scope", &r.Scope},
		{"IDE surface note", &r.IDE},
	}
}

// String is the section between its marks: a bold label and its value in each paragraph.
func (r Record) String() string {
	var b strings.Builder
	for i, f := range r.fields() {
		if i > 0 {
			b.WriteByte('\n')
		}
		value := *f.value
		if value == "" {
			value = NotRecorded
		}
		fmt.Fprintf(&b, "**%s:** %s\n", f.label, value)
	}
	return b.String()
}

// Parse reads the record of a COMPATIBILITY.md. The error is ErrSection.
func Parse(text string) (Record, error) {
	var r Record
	from, to, err := section(text)
	if err != nil {
		return r, err
	}
	for line := range strings.Lines(text[from:to]) {
		line = strings.TrimSpace(line)
		for _, f := range r.fields() {
			value, is := strings.CutPrefix(line, "**"+f.label+":**")
			if value = strings.TrimSpace(value); is && value != NotRecorded {
				*f.value = value
			}
		}
	}
	return r, nil
}

// Insert returns the text of a COMPATIBILITY.md with another record. The error is ErrSection.
func Insert(text string, r Record) (string, error) {
	from, to, err := section(text)
	if err != nil {
		return "", err
	}
	body := r.String()
	if strings.HasSuffix(text[:from], "\r\n") {
		body = strings.ReplaceAll(body, "\n", "\r\n")
	}
	return text[:from] + body + text[to:], nil
}

// section returns where the text between the marks begins and ends.
func section(text string) (from, to int, err error) {
	begins, ends, at := 0, 0, 0
	for line := range strings.Lines(text) {
		next := at + len(line)
		switch strings.TrimRight(line, "\r\n") {
		case Begin:
			begins++
			from = next
		case End:
			ends++
			to = at
		}
		at = next
	}
	if begins != 1 || ends != 1 || to < from {
		return 0, 0, fmt.Errorf("%w: it begins with the line %q and ends with %q", ErrSection, Begin, End)
	}
	return from, to, nil
}

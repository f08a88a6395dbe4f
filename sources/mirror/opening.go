package mirror

import (
	"context"
	"errors"
	"slices"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// openOrEmpty is Open, but for a folder that is there and has no log.
func openOrEmpty(ctx context.Context, ref sources.Ref) (*Log, error) {
	l, err := Open(ctx, ref)
	if !errors.Is(err, sources.ErrNotFound) {
		return l, err
	}
	folder, gone := openFolder(ref)
	if gone != nil {
		return nil, err
	}
	defer folder.Close()
	return &Log{}, nil
}

// chooseProfile picks the names that lines are written to. A log states no schema and needs none to be read.
func chooseProfile(want sources.Want) (p *profile.Profile, reason string, err error) {
	if want.Profile != "" {
		p, err = profile.Load(want.Profile)
		return p, "asked for by name", err
	}
	p, _, _, err = profile.Choose(profile.Evidence{})
	return p, "newest profile; a log states no schema, and only the names are used", err
}

// contributing returns the files that current lines stand in.
func (l *Log) contributing() []uint8 {
	var list []uint8
	for i := range l.marks {
		if !slices.Contains(list, l.marks[i].file) {
			list = append(list, l.marks[i].file)
		}
	}
	return list
}

// placed reports whether a note stands behind the step it names.
func (l *Log) placed(n *transcriptv1.Note) bool {
	if n.GetAnchor() == "" {
		return false
	}
	_, found := slices.BinarySearchFunc(l.marks, n.GetAnchor(), func(m mark, a string) int { return compareAnchor(m.index, a) })
	return found
}

// partial says what kind of document this is.
func (r *reader) partial() *transcriptv1.Note {
	n := &transcriptv1.Note{Kind: notePartial, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true}
	planner := slices.ContainsFunc(r.log.marks, func(m mark) bool { return r.log.kind(&m) == plannerKind })
	switch {
	case len(r.log.marks) == 0:
		n.Text = "partial: no model turns; the conversation's own file and its transcript logs are gone or empty"
	case !planner:
		n.Text = "reconstructed from transcript logs; partial: no model turns"
	default:
		n.Text = "reconstructed from transcript logs; the conversation's own file was not read: " +
			"results are joined to calls by their order, times are whole seconds, and steps the product never logs are missing"
	}
	return n
}

// runs cuts lines into branches: each ends where the index no longer grows.
func runs(lines []mark) (list [][]mark) {
	for len(lines) > 0 {
		end := 1
		for end < len(lines) && lines[end].index > lines[end-1].index && lines[end].file == lines[0].file {
			end++
		}
		list = append(list, lines[:end])
		lines = lines[end:]
	}
	return list
}

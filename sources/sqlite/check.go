package sqlite

import (
	"bytes"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/trajectory"
)

// check compares the row's columns with the payload they repeat.
func (s *steps) check(index int64, payload []byte, e *envelope, v []driver.Value) error {
	if format := number(v[3]); format > 0 {
		n := rowNote(index, transcriptv1.Severity_SEVERITY_WARNING, true, fmt.Sprintf("it is stored in unknown step_format %d", format))
		n.Kind = trajectory.NoteUnknown
		s.addNote(n)
	}
	if len(payload) == 0 {
		if !s.partial {
			s.addNote(rowNote(index, transcriptv1.Severity_SEVERITY_WARNING, true, "it has no stored content"))
		}
		s.partial = false
		return nil
	}
	var differ []string
	for _, c := range [...]struct {
		name    string
		differs bool
	}{
		{"step_type", e.hasType && number(v[0]) >= 0 && number(v[0]) != e.stepType},
		{"status", e.hasStatus && number(v[1]) >= 0 && number(v[1]) != e.status},
		{"has_subtrajectory", number(v[2]) >= 0 && (number(v[2]) != 0) != e.hasSub},
		{"metadata", e.hasMetadata && differs(v[4], e.metadata)},
		{"error_details", e.hasFailure && differs(v[5], e.failure)},
		{"permissions", differs(v[6], e.permissions)},
		{"task_details", e.hasTask && differs(v[7], e.task)},
	} {
		if c.differs {
			differ = append(differ, c.name)
		}
	}
	if len(differ) > 0 {
		// Blobs may be written in another order; a number that differs means that one of the two is wrong.
		wrong := slices.ContainsFunc(differ, func(column string) bool {
			return column == "step_type" || column == "status" || column == "has_subtrajectory"
		})
		s.addNote(rowNote(index, transcriptv1.Severity_SEVERITY_WARNING, wrong,
			"its columns "+strings.Join(differ, ", ")+" say something else than its content, which is shown"))
	}
	if render := asBytes(v[8]); len(render) > 0 && !bytes.Contains(payload, render) {
		s.hiddenRender++
	}
	return nil
}

// differs compares a blob column with the payload's field. A column without a value repeats nothing.
func differs(column driver.Value, field []byte) bool {
	b := asBytes(column)
	return len(b) > 0 && !bytes.Equal(b, field)
}

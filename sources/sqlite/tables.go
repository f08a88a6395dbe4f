package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/trajectory"
)

// readTable hands the rows of a table other than steps to fn. Damage is noted and not an error.
func (r *reader) readTable(ctx context.Context, t table, have map[string]bool, fn rowFunc) error {
	if !have[t.key] {
		return nil // the schema's findings say so
	}
	var err error
	if !r.schema.ordered[t.name] {
		err = r.db.readSorted(ctx, t, have, fn)
	} else {
		err = r.db.salvage(ctx, t, have, map[string]bool{t.key: true}, fn, func(d damage) error {
			r.damagedTable(t.name, d)
			return nil
		})
	}
	if damaged(err) {
		r.damagedTable(t.name, damage{last: maxKey, cause: err})
		return nil
	}
	return err
}

// damagedTable notes what of a table is lost.
func (r *reader) damagedTable(name string, d damage) {
	which := fmt.Sprintf("rows %d to %d", d.first, d.last)
	switch {
	case d.last >= maxKey:
		which = fmt.Sprintf("rows from %d on", d.first)
	case d.first == d.last:
		which = fmt.Sprintf("row %d", d.first)
	}
	r.before = append(r.before, &transcriptv1.Note{
		Kind: trajectory.NoteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Incomplete: true,
		Text: fmt.Sprintf("%s of table %s cannot be read: pages of the database are damaged (%v)", which, name, d.cause),
	})
}

// records copies the sections few people read, behind the steps.
func (s *steps) records(ctx context.Context) error {
	if !s.r.want.Records {
		return nil
	}
	for _, section := range []struct{ name, table, message string }{
		{trajectory.GenerationSection, "gen_metadata", trajectory.GenerationMessage},
		{trajectory.ExecutorSection, "executor_metadata", trajectory.ExecutorMessage},
	} {
		have := s.r.schema.has(section.table)
		if have == nil {
			continue
		}
		noted := len(s.r.before)
		t := table{name: section.table, key: "idx", columns: stored("data")}
		err := s.r.readTable(ctx, t, have, func(index int64, v []driver.Value) error {
			raw := asBytes(v[0])
			if section.name == trajectory.GenerationSection && len(raw) > smallGeneration {
				if err := s.r.models.Add(s.r.interpreter, raw); err != nil {
					return err
				}
			}
			return s.record(section.name, section.message, index, raw)
		})
		if err != nil {
			return err
		}
		for _, n := range s.r.before[noted:] {
			s.addNote(n)
		}
	}
	return nil
}

func (s *steps) record(section, message string, index int64, raw []byte) error {
	if index < 0 || index > math.MaxUint32 {
		return s.misplaced(index, len(raw))
	}
	if err := s.room(len(raw)); err != nil {
		return err
	}
	s.cur.Record(section, message, uint32(index), s.cur.Keep(raw))
	return nil
}

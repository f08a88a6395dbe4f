package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"math"

	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// outlineTable is what identifies a step, in columns that lie before its content.
var outlineTable = table{name: "steps", key: "idx", columns: stored("step_type", "metadata")}

var (
	stepKind    = names.Field("gemini_coder.Step", "type")
	stepCreated = names.Field(stepMetadataMessage, "created_at")
)

var _ sources.Outliner = (*reader)(nil)

// Extent implements sources.Outliner. It asks the primary key and the smallest index.
func (r *reader) Extent(ctx context.Context) (last int64, whole bool, err error) {
	var count, lowest, highest sql.NullInt64
	for _, q := range []struct {
		query string
		into  *sql.NullInt64
	}{
		{`SELECT count(*) FROM "steps"`, &count},
		{`SELECT CAST(min("idx") AS INTEGER) FROM "steps"`, &lowest},
		{`SELECT CAST(max("idx") AS INTEGER) FROM "steps"`, &highest},
	} {
		err := r.db.conn.QueryRowContext(ctx, q.query).Scan(q.into)
		if damaged(err) {
			return -1, false, nil // reading the steps says more
		}
		if err != nil {
			return 0, false, sourceError(ctx, err)
		}
	}
	if !highest.Valid {
		return -1, true, nil
	}
	last = min(highest.Int64, maxKey)
	return max(last, -1), lowest.Int64 == 0 && count.Int64 == highest.Int64+1, nil
}

// Outline implements sources.Outliner. While the steps are being read their connection is taken: then it opens another,
// which may see a newer state.
func (r *reader) Outline(ctx context.Context) ([]sources.Mark, error) {
	d := r.db
	if r.out != nil {
		var err error
		if d, err = r.source.connect(ctx, r.ref, false); err != nil {
			return nil, err
		}
		defer d.close()
	}
	have := r.schema.has("steps")
	kinds := map[int64]string{}
	var marks []sources.Mark
	take := func(index int64, v []driver.Value) error {
		if index < 0 || index > math.MaxUint32 || len(marks) > 0 && index <= int64(marks[len(marks)-1].Index) {
			return nil
		}
		m := sources.Mark{Index: uint32(index), CreatedNS: r.created(asBytes(v[1]))}
		if number := number(v[0]); number > 0 {
			if kinds[number] == "" {
				kinds[number] = r.profile.Resolve(&names).EnumName(stepKind, number)
			}
			m.Kind = kinds[number]
		}
		marks = append(marks, m)
		return nil
	}
	var err error
	if r.schema.ordered["steps"] {
		err = d.salvage(ctx, outlineTable, have, map[string]bool{"idx": true, "step_type": have["step_type"]}, take,
			func(damage) error { return nil })
	} else {
		err = d.readSorted(ctx, outlineTable, have, take)
	}
	if err != nil && !damaged(err) {
		return nil, sourceError(ctx, err)
	}
	return marks, nil
}

// created is the time of a step by its metadata, 0 when not known.
func (r *reader) created(metadata []byte) int64 {
	if len(metadata) == 0 {
		return 0
	}
	var f profile.Findings
	if r.profile.Check(stepMetadataMessage, metadata, "", &f) != nil {
		return 0
	}
	ns, _ := r.profile.Resolve(&names).View(stepMetadataMessage, metadata, &f).Time(stepCreated)
	return ns
}

package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/trajectory"
)

// trajectory puts the members of the trajectory message together, which a database keeps cut into rows: its scalar members
// and small sections, so that one decoder answers for them.
func (r *reader) trajectory(ctx context.Context) ([]byte, error) {
	wire, err := r.trajectoryMeta(ctx)
	if err != nil {
		return nil, err
	}
	if meta := r.schema.has("trajectory_metadata_blob"); meta["id"] && meta["data"] {
		var blob []byte
		err := r.db.conn.QueryRowContext(ctx, `SELECT "data" FROM "trajectory_metadata_blob" WHERE "id" = 'main'`).Scan(&blob)
		if err = r.tolerate("trajectory_metadata_blob", err); err != nil {
			return nil, err
		}
		if len(blob) > 0 {
			wire = protowire.AppendBytes(protowire.AppendTag(wire, trajectory.MetadataField, protowire.BytesType), blob)
		}
	}
	for _, t := range []struct {
		name  string
		field protowire.Number
	}{{"parent_references", trajectory.ReferencesField}, {"battle_mode_infos", trajectory.BattleModeField}} {
		have := r.schema.has(t.name)
		if have == nil {
			continue
		}
		rows := table{name: t.name, key: "idx", columns: stored("data")}
		err := r.readTable(ctx, rows, have, func(_ int64, v []driver.Value) error {
			wire = protowire.AppendBytes(protowire.AppendTag(wire, t.field, protowire.BytesType), asBytes(v[0]))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return wire, nil
}

// trajectoryMeta reads the one row about the trajectory.
func (r *reader) trajectoryMeta(ctx context.Context) (wire []byte, err error) {
	have := r.schema.has("trajectory_meta")
	columns := make([]string, 0, 4)
	for _, c := range []struct{ name, kind string }{
		{"trajectory_id", "TEXT"}, {"cascade_id", "TEXT"}, {"trajectory_type", "INTEGER"}, {"source", "INTEGER"},
	} {
		if have[c.name] {
			columns = append(columns, "CAST("+quoted(c.name)+" AS "+c.kind+")")
		} else {
			columns = append(columns, "NULL")
		}
	}
	if have == nil {
		return nil, nil
	}
	var id, cascade sql.NullString
	var kind, source sql.NullInt64
	count := 0
	rows, err := r.db.conn.QueryContext(ctx, `SELECT `+strings.Join(columns, ", ")+` FROM "trajectory_meta"`)
	if err == nil {
		for ; err == nil && rows.Next(); count++ {
			err = rows.Scan(&id, &cascade, &kind, &source)
		}
		err = errors.Join(err, rows.Err(), rows.Close())
	}
	if err = r.tolerate("trajectory_meta", err); err != nil {
		return nil, err
	}
	if count > 1 {
		r.before = append(r.before, &transcriptv1.Note{
			Kind: trajectory.NoteRow, Severity: transcriptv1.Severity_SEVERITY_WARNING,
			Text: fmt.Sprintf("the database describes %d trajectories; the last of them is shown", count),
		})
	}
	for _, text := range []struct {
		field protowire.Number
		value string
	}{{trajectory.IDField, id.String}, {trajectory.CascadeIDField, cascade.String}} {
		if text.value != "" {
			wire = protowire.AppendString(protowire.AppendTag(wire, text.field, protowire.BytesType), text.value)
		}
	}
	for _, enum := range []struct {
		field protowire.Number
		value int64
	}{{trajectory.TypeField, kind.Int64}, {trajectory.SourceField, source.Int64}} {
		if enum.value != 0 {
			wire = protowire.AppendVarint(protowire.AppendTag(wire, enum.field, protowire.VarintType), uint64(enum.value))
		}
	}
	return wire, nil
}

// tolerate turns a missing row into nothing and damage into a note.
func (r *reader) tolerate(name string, err error) error {
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case damaged(err):
		r.damagedTable(name, damage{last: maxKey, cause: err})
		return nil
	case err != nil:
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

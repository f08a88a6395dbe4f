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
)

// The trajectory message, which a database keeps cut into rows. Its scalar members and small sections are put together
// again here, so that one decoder answers for them. The numbers are compared with every profile by a test.
const (
	trajectoryMessage = "gemini_coder.Trajectory"
	metadataMessage   = "exa.cortex_pb.CortexTrajectoryMetadata"
	referenceMessage  = "exa.cortex_pb.CortexTrajectoryReference"

	trajectoryIDField         protowire.Number = 1
	trajectoryTypeField       protowire.Number = 4
	trajectoryReferencesField protowire.Number = 5
	cascadeIDField            protowire.Number = 6
	trajectoryMetadataField   protowire.Number = 7
	trajectorySourceField     protowire.Number = 8
	battleModeField           protowire.Number = 10
)

// trajectory puts the members of the trajectory message together.
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
			wire = protowire.AppendBytes(protowire.AppendTag(wire, trajectoryMetadataField, protowire.BytesType), blob)
		}
	}
	for _, t := range []struct {
		name  string
		field protowire.Number
	}{{"parent_references", trajectoryReferencesField}, {"battle_mode_infos", battleModeField}} {
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
			Kind: noteRow, Severity: transcriptv1.Severity_SEVERITY_WARNING,
			Text: fmt.Sprintf("the database describes %d trajectories; the last of them is shown", count),
		})
	}
	for _, text := range []struct {
		field protowire.Number
		value string
	}{{trajectoryIDField, id.String}, {cascadeIDField, cascade.String}} {
		if text.value != "" {
			wire = protowire.AppendString(protowire.AppendTag(wire, text.field, protowire.BytesType), text.value)
		}
	}
	for _, enum := range []struct {
		field protowire.Number
		value int64
	}{{trajectoryTypeField, kind.Int64}, {trajectorySourceField, source.Int64}} {
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

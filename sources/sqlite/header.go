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
	"agy-reader/sources"
	"agy-reader/sources/profile"
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

var (
	trajectoryID         = names.Field(trajectoryMessage, "trajectory_id")
	trajectoryType       = names.Field(trajectoryMessage, "trajectory_type")
	trajectoryReferences = names.Field(trajectoryMessage, "parent_references")
	cascadeID            = names.Field(trajectoryMessage, "cascade_id")
	trajectoryMetadata   = names.Field(trajectoryMessage, "metadata")
	trajectorySource     = names.Field(trajectoryMessage, "source")

	metadataCreated    = names.Field(metadataMessage, "created_at")
	metadataParent     = names.Field(metadataMessage, "parent_conversation_id")
	metadataRoot       = names.Field(metadataMessage, "root_conversation_id")
	metadataWorkspaces = names.Field(metadataMessage, "workspace_uris")
	metadataProject    = names.Field(metadataMessage, "project_id")

	referenceTrajectory   = names.Field(referenceMessage, "trajectory_id")
	referenceStep         = names.Field(referenceMessage, "step_index")
	referenceKind         = names.Field(referenceMessage, "reference_type")
	referenceConversation = names.Field(referenceMessage, "conversation_id")
)

// readHeader fills r.header from everything that is not steps, model calls or executor runs.
func (r *reader) readHeader(ctx context.Context, ref sources.Ref) error {
	wire, err := r.trajectory(ctx)
	if err != nil {
		return err
	}
	var f profile.Findings
	if err := r.profile.Check(trajectoryMessage, wire, "", &f); err != nil {
		if r.want.Strict {
			return fmt.Errorf("read the trajectory: %w: %w", sources.ErrUnknown, err)
		}
		r.before = append(r.before, &transcriptv1.Note{
			Kind: noteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Incomplete: true,
			Text: fmt.Sprintf("what the database says about the conversation as a whole could not be decoded: %v", err),
		})
		wire, f = nil, profile.Findings{}
	}
	if err := r.judge("trajectory", &f); err != nil {
		return err
	}
	if n := findingsNote("trajectory", &f); n != nil {
		r.before = append(r.before, n)
	}
	v := r.profile.Resolve(&names).View(trajectoryMessage, wire, &f)
	r.header = header(v, ref, r.name)
	r.header.Unknown = f.Unknown
	if r.header.AnnouncedSteps, err = r.announced(ctx); err != nil {
		return err
	}
	if r.want.Native || r.want.Display {
		r.header.MembersJson, err = r.profile.AppendJSON(nil, trajectoryMessage, wire, nil)
	}
	return err
}

func header(v profile.View, ref sources.Ref, name string) *transcriptv1.Header {
	meta := v.Sub(trajectoryMetadata)
	h := &transcriptv1.Header{
		ConversationId:       v.Str(cascadeID),
		TrajectoryId:         v.Str(trajectoryID),
		Title:                &transcriptv1.Sourced{Origin: "not recorded"},
		Project:              &transcriptv1.Sourced{Value: meta.Str(metadataProject), Origin: "database"},
		Surface:              ref.Surface,
		ParentConversationId: meta.Str(metadataParent),
		RootConversationId:   meta.Str(metadataRoot),
		TrajectoryType:       v.Enum(trajectoryType),
		TrajectorySource:     v.Enum(trajectorySource),
	}
	switch {
	case h.ConversationId != "":
	case ref.ID != "":
		h.ConversationId = ref.ID
	default:
		h.ConversationId = strings.TrimSuffix(name, ".db")
	}
	if h.GetProject().GetValue() == "" {
		h.Project.Origin = "not recorded"
	}
	if h.Surface == "" && h.TrajectorySource == "CLI" {
		h.Surface = "cli"
	}
	if ns, ok := meta.Time(metadataCreated); ok {
		h.CreatedNs = &ns
	}
	meta.EachStr(metadataWorkspaces, func(uri string) bool {
		h.WorkspaceUris = append(h.WorkspaceUris, uri)
		return true
	})
	v.Each(trajectoryReferences, func(ref profile.View) bool {
		out := &transcriptv1.Reference{
			Kind:           ref.Enum(referenceKind),
			ConversationId: ref.Str(referenceConversation),
			TrajectoryId:   ref.Str(referenceTrajectory),
		}
		if ref.Has(referenceStep) {
			index := ref.Int(referenceStep)
			out.StepIndex = &index
		}
		h.References = append(h.References, out)
		return true
	})
	return h
}

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

// announced is one more than the highest index, 0 when that cannot be told.
func (r *reader) announced(ctx context.Context) (uint32, error) {
	var highest sql.NullInt64
	err := r.db.conn.QueryRowContext(ctx, `SELECT CAST(max("idx") AS INTEGER) FROM "steps"`).Scan(&highest)
	if damaged(err) {
		return 0, nil // reading the steps says more
	}
	if err != nil || !highest.Valid || highest.Int64 < 0 || highest.Int64 >= maxKey {
		return 0, err
	}
	return uint32(highest.Int64) + 1, nil
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

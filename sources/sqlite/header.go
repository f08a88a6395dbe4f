package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
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
		r.before = append(r.before, &transcriptv1.Note{
			Kind: noteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Incomplete: true,
			Text: fmt.Sprintf("what the database says about the conversation as a whole could not be decoded: %v", err),
		})
		wire, f = nil, profile.Findings{}
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

package legacypb

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
)

var (
	fields profile.Names

	wrapperScope   = fields.Field(implicitMessage, "trajectory_scope")
	scopeWorkspace = fields.Field(scopeMessage, "workspace_uri")
	stepType       = fields.Field(trajectory.StepMessage, "type")
	stepMetadata   = fields.Field(trajectory.StepMessage, "metadata")
	stepCreated    = fields.Field("exa.cortex_pb.CortexStepMetadata", "created_at")
)

// readHeader fills r.header from everything that is not steps, model calls or executor runs.
func (r *reader) readHeader(ref sources.Ref, stem string) (err error) {
	head := trajectory.Head{Profile: r.profile, Wire: r.parts.rest, Ref: ref, Stem: stem, Origin: "conversation file", Want: r.want}
	var notes []*transcriptv1.Note
	if r.header, notes, err = head.Header(); err != nil {
		return err
	}
	r.before = append(r.before, notes...)
	r.header.AnnouncedSteps = uint32(r.parts.steps)
	if r.parts.implicit {
		if err := r.readWrapper(); err != nil {
			return err
		}
	}
	if r.parts.foreign {
		// One value, because its parts mean nothing.
		r.header.Unknown = append(r.header.Unknown, &transcriptv1.UnknownField{
			Path: "trajectory", Number: uint32(implicitTrajectory), WireType: uint32(protowire.BytesType), Value: r.parts.trajectory,
		})
		r.damage(fmt.Sprintf("what the file holds in the place of a trajectory is none; its %d bytes are kept", len(r.parts.trajectory)))
	}
	if len(r.parts.dropped) > 0 {
		r.damage("too big to be kept: " + strings.Join(r.parts.dropped, ", "))
	}
	if r.parts.broken != nil {
		r.damage(fmt.Sprintf("what the file holds ends too early: %v; anything behind is lost", r.parts.broken))
	}
	return nil
}

func (r *reader) damage(text string) {
	r.before = append(r.before, &transcriptv1.Note{
		Kind: trajectory.NoteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Incomplete: true, Text: text,
	})
}

// readWrapper adds what stands around a background trajectory: the workspace it belongs to.
func (r *reader) readWrapper() error {
	var f profile.Findings
	if err := r.profile.Check(implicitMessage, r.parts.outer, "", &f); err != nil {
		r.damage(fmt.Sprintf("what the file says about the workspace could not be decoded: %v", err))
		return nil
	}
	r.before = append(r.before, trajectory.FindingsNotes("the message around the trajectory", &f)...)
	r.header.Unknown = append(r.header.Unknown, f.Unknown...)
	scope := r.profile.Resolve(&fields).View(implicitMessage, r.parts.outer, &f).Sub(wrapperScope)
	if uri := scope.Str(scopeWorkspace); uri != "" && len(r.header.GetWorkspaceUris()) == 0 {
		r.header.WorkspaceUris = []string{strings.Clone(uri)}
	}
	if r.header.MembersJson == nil {
		return nil
	}
	json, err := r.profile.AppendJSON(nil, implicitMessage, r.parts.outer, nil)
	if err != nil {
		return err
	}
	r.header.MembersJson = joined(r.header.MembersJson, json)
	return nil
}

// joined puts the members of two JSON objects into one.
func joined(a, b []byte) []byte {
	switch {
	case len(b) <= len("{}"):
		return a
	case len(a) <= len("{}"):
		return b
	}
	return append(append(a[:len(a)-1:len(a)-1], ','), b[1:]...)
}

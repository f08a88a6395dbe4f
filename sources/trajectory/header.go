package trajectory

import (
	"fmt"
	"slices"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// Head is where a header comes from.
type Head struct {
	Profile *profile.Profile
	// Wire holds the trajectory's own members: everything but steps, model calls and executor runs.
	Wire []byte
	// Ref and Stem, the file's name without its ending, name the conversation when the trajectory does not.
	Ref  sources.Ref
	Stem string
	// Origin says in one word or two what kind of file it is, for example "database".
	Origin string
	Want   sources.Want
}

// Header interprets the trajectory's own members. The notes precede the first step. Title, provenance and announced steps
// are the caller's.
func (in Head) Header() (*transcriptv1.Header, []*transcriptv1.Note, error) {
	var notes []*transcriptv1.Note
	var f profile.Findings
	wire := in.Wire
	if err := in.Profile.Check(Message, wire, "", &f); err != nil {
		notes = append(notes, &transcriptv1.Note{
			Kind: NoteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Incomplete: true,
			Text: fmt.Sprintf("what the %s says about the conversation as a whole could not be decoded: %v", in.Origin, err),
		})
		wire, f = nil, profile.Findings{}
	}
	notes = append(notes, FindingsNotes("the trajectory", &f)...)
	h := in.header(in.Profile.Resolve(&names).View(Message, wire, &f))
	h.Unknown = f.Unknown
	if in.Want.Native || in.Want.Display {
		var err error
		if h.MembersJson, err = in.Profile.AppendJSON(nil, Message, wire, nil); err != nil {
			return nil, nil, err
		}
	}
	return h, notes, nil
}

func (in Head) header(v profile.View) *transcriptv1.Header {
	meta := v.Sub(trajectoryMetadata)
	h := &transcriptv1.Header{
		ConversationId:       v.Str(cascadeID),
		TrajectoryId:         v.Str(trajectoryID),
		Title:                &transcriptv1.Sourced{Origin: "not recorded"},
		Project:              &transcriptv1.Sourced{Value: meta.Str(metadataProject), Origin: in.Origin},
		Surface:              in.Ref.Surface,
		ParentConversationId: meta.Str(metadataParent),
		RootConversationId:   meta.Str(metadataRoot),
		TrajectoryType:       v.Enum(trajectoryType),
		TrajectorySource:     v.Enum(trajectorySource),
	}
	switch {
	case h.ConversationId != "":
	case in.Ref.ID != "":
		h.ConversationId = in.Ref.ID
	default:
		h.ConversationId = in.Stem
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
	workspace := func(uri string) bool {
		if uri != "" && !slices.Contains(h.WorkspaceUris, uri) {
			h.WorkspaceUris = append(h.WorkspaceUris, uri)
		}
		return true
	}
	meta.EachStr(metadataWorkspaces, workspace)
	meta.Each(metadataFolders, func(folder profile.View) bool { return workspace(folder.Str(workspaceFolder)) })
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

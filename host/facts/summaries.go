package facts

import (
	"context"
	"fmt"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/sources"
	"agy-reader/sources/profile"
)

const (
	summaryMessage     = "exa.jetski_cortex_pb.CascadeTrajectorySummary"
	annotationMessage  = "exa.jetski_cortex_pb.ConversationAnnotations"
	trajectoryMetadata = "exa.cortex_pb.CortexTrajectoryMetadata"
	workspaceMessage   = "exa.cortex_pb.CortexWorkspaceMetadata"
)

var names profile.Names

var (
	summaryText        = names.Field(summaryMessage, "summary")
	summaryModified    = names.Field(summaryMessage, "last_modified_time")
	summaryCreated     = names.Field(summaryMessage, "created_time")
	summaryWorkspaces  = names.Field(summaryMessage, "workspaces")
	summaryAnnotations = names.Field(summaryMessage, "annotations")
	summaryMetadata    = names.Field(summaryMessage, "trajectory_metadata")

	annotationTitle = names.Field(annotationMessage, "title")

	metadataWorkspaces    = names.Field(trajectoryMetadata, "workspaces")
	metadataWorkspaceURIs = names.Field(trajectoryMetadata, "workspace_uris")
	metadataParent        = names.Field(trajectoryMetadata, "parent_conversation_id")
	metadataProject       = names.Field(trajectoryMetadata, "project_id")

	workspaceFolder = names.Field(workspaceMessage, "workspace_folder_absolute_uri")
)

// decoder is the newest profile, seen through names.
var decoder = sync.OnceValues(func() (*profile.Resolved, error) {
	p, _, _, err := profile.Choose(profile.Evidence{})
	if err != nil {
		return nil, err
	}
	newest = p
	return p.Resolve(&names), nil
})

// newest is set by decoder.
var newest *profile.Profile

// loadSummaries reads a file of summaries by conversation id: a map at number 1, entry by entry, so that a broken one
// costs no other.
func (x *Index) loadSummaries(ctx context.Context, file string) {
	if data, ok := x.load(file); ok {
		x.summaries(ctx, file, data)
	}
}

func (x *Index) summaries(ctx context.Context, file string, data []byte) {
	broken := 0
	for len(data) > 0 && ctx.Err() == nil {
		number, wire, n := protowire.ConsumeTag(data)
		if n < 0 {
			x.note(file, fmt.Errorf("%w: it ends in the middle", sources.ErrPartial))
			return
		}
		value := data[n:]
		size := protowire.ConsumeFieldValue(number, wire, value)
		if size < 0 {
			x.note(file, fmt.Errorf("%w: it ends in the middle", sources.ErrPartial))
			return
		}
		data = value[size:]
		if number != 1 || wire != protowire.BytesType {
			continue
		}
		entry, _ := protowire.ConsumeBytes(value)
		id, summary, ok := mapEntry(entry)
		c := x.of(id)
		if !ok || c == nil || !x.summary(c, summary, file) {
			broken++
		}
	}
	if broken > 0 {
		x.note(file, fmt.Errorf("%w: %d entries cannot be read", sources.ErrPartial, broken))
	}
}

// mapEntry takes an entry of a protobuf map from text to messages apart.
func mapEntry(raw []byte) (key string, value []byte, ok bool) {
	for len(raw) > 0 {
		number, wire, n := protowire.ConsumeTag(raw)
		if n < 0 {
			return "", nil, false
		}
		raw = raw[n:]
		size := protowire.ConsumeFieldValue(number, wire, raw)
		if size < 0 {
			return "", nil, false
		}
		if wire == protowire.BytesType {
			content, _ := protowire.ConsumeBytes(raw)
			switch number {
			case 1:
				key = string(content)
			case 2:
				value = content
			}
		}
		raw = raw[size:]
	}
	return key, value, true
}

// summary takes over what a CascadeTrajectorySummary says; false when it cannot be decoded.
func (x *Index) summary(c *conversation, wire []byte, file string) bool {
	r, err := decoder()
	if err != nil {
		x.note(file, err)
		return false
	}
	var f profile.Findings
	if err := newest.Check(summaryMessage, wire, "", &f); err != nil {
		return false
	}
	v := r.View(summaryMessage, wire, &f)
	annotations, metadata := v.Sub(summaryAnnotations), v.Sub(summaryMetadata)
	c.renamed.set(text(annotations.Str(annotationTitle)), "annotation in "+file)
	c.title.set(text(v.Str(summaryText)), file)
	if ns, ok := v.Time(summaryCreated); ok {
		c.created.set(plausibleNS(ns), file)
	}
	if ns, ok := v.Time(summaryModified); ok {
		c.updated.set(plausibleNS(ns), file)
	}
	place := func(uri string) { c.place(clone(uri), file) }
	for _, list := range []struct {
		in    profile.View
		field profile.Field
	}{{v, summaryWorkspaces}, {metadata, metadataWorkspaces}} {
		list.in.Each(list.field, func(w profile.View) bool { place(w.Str(workspaceFolder)); return true })
	}
	metadata.EachStr(metadataWorkspaceURIs, func(uri string) bool { place(uri); return true })
	c.projectID.set(clone(metadata.Str(metadataProject)), file)
	c.parent.set(clone(metadata.Str(metadataParent)), file)
	return true
}

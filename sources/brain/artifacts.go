package brain

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/secret"
)

// metadata is what the product notes about an artifact.
type metadata struct {
	facts   []*transcriptv1.Block
	updated *int64
}

// about reads the metadata of an artifact.
func (f *Folder) about(ctx context.Context, name string) metadata {
	e, ok := f.metadata[name]
	if !ok {
		return metadata{}
	}
	raw, problem := f.small(ctx, e, maxMetadata)
	if problem != "" {
		return metadata{facts: []*transcriptv1.Block{warning(path.Base(e.name) + ": " + problem)}}
	}
	return parseMetadata(raw)
}

// parseMetadata shows every member; those with a known meaning come first, under words.
func parseMetadata(raw []byte) metadata {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return metadata{facts: []*transcriptv1.Block{
			warning("The metadata of this file cannot be read."), code("Metadata", "", valid(string(raw))),
		}}
	}
	var m metadata
	var pairs []string
	take := func(key, label string) {
		value, ok := members[key]
		if !ok {
			return
		}
		delete(members, key)
		pairs = append(pairs, label, word(value))
	}
	if at, err := time.Parse(time.RFC3339Nano, word(members["updatedAt"])); err == nil && at.Year() >= 1970 && at.Year() < 2262 {
		ns := at.UnixNano()
		m.updated = &ns
		delete(members, "updatedAt")
	}
	take("artifactType", "Type")
	take("summary", "Summary")
	take("updatedAt", "Updated")
	take("version", "Version")
	take("requestFeedback", "Asks for feedback")
	take("userFacing", "For the person")
	for _, key := range slices.Sorted(maps.Keys(members)) {
		take(key, key)
	}
	m.facts = facts(pairs...)
	return m
}

// word is a JSON value as people read it: the text of a string, else compact JSON.
func word(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	switch string(value) {
	case "true":
		return "yes"
	case "false":
		return "no"
	}
	var compact bytes.Buffer
	if json.Compact(&compact, value) != nil {
		return string(value)
	}
	return compact.String()
}

// artifacts yields the artifacts, in order of their names, also those of which only metadata is left (case A13).
func (f *Folder) artifacts(ctx context.Context, yield func(*transcriptv1.Attachment) error) error {
	all := map[string]entry{}
	for _, e := range f.files {
		switch kindOf(e.name) {
		case kindArtifact:
			all[e.name] = e
		case kindOutput:
			if outputOf(e.name) < 0 {
				all[e.name] = e
			}
		}
	}
	for name := range f.metadata {
		if _, there := all[name]; !there && !f.exists(name) {
			all[name] = entry{name: name, odd: true}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := yield(f.artifactOf(ctx, all[name])); err != nil {
			return err
		}
	}
	return nil
}

// exists reports whether the folder has a file of this name, whatever its kind.
func (f *Folder) exists(name string) bool {
	_, found := slices.BinarySearchFunc(f.files, name, func(e entry, name string) int { return cmp.Compare(e.name, name) })
	return found
}

func (f *Folder) artifactOf(ctx context.Context, e entry) *transcriptv1.Attachment {
	about := f.about(ctx, e.name)
	var c contents
	switch {
	case e.odd && !e.link && e.size == 0 && !f.exists(e.name):
		c.problem = "The file is no longer on disk; only what the product noted about it is left."
	case secret.File(e.name):
		c = contents{size: e.size, problem: "The file may hold secrets and is not read."}
	default:
		c = f.contents(ctx, e, maxArtifact)
	}
	a := f.attachment(kindArtifact, e, c)
	a.UpdatedNs = about.updated
	a.Blocks = append(about.facts, a.Blocks...)
	a.Blocks = append(a.Blocks, f.shown(a, c)...)
	return a
}

// shown is the content of an artifact or of an earlier version of one.
func (f *Folder) shown(a *transcriptv1.Attachment, c contents) []*transcriptv1.Block {
	switch {
	case c.problem != "":
		return nil
	case isMedia(a.GetMimeType()):
		return []*transcriptv1.Block{media(a)}
	}
	name := a.GetName()
	if base := revisedBy(name); base != "" {
		name = base
	}
	return text(c, func(label, text string) *transcriptv1.Block {
		if strings.EqualFold(path.Ext(name), ".md") {
			return markdown(label, text)
		}
		return code(label, language(name), text)
	})
}

// revisions yields the rendered copies of artifacts, by artifact and number. A copy that says what the artifact or the copy
// before says is not shown again.
func (f *Folder) revisions(ctx context.Context, yield func(*transcriptv1.Attachment) error) error {
	var all []entry
	for _, e := range f.files {
		if kindOf(e.name) == kindRevision {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(revisedBy(a.name), revisedBy(b.name)), cmp.Compare(revision(a.name), revision(b.name)))
	})
	// known are hashes of what was shown of the artifact at hand, with the name it was shown under.
	known, of := map[string]string{}, ""
	for _, e := range all {
		if base := revisedBy(e.name); base != of {
			of = base
			clear(known)
			if f.artifact[base] && !secret.File(base) {
				if c := f.sum(ctx, entry{name: base}); c.problem == "" {
					known[c.sum] = base
				}
			}
		}
		var c contents
		if secret.File(of) {
			c = contents{size: e.size, problem: "The file may hold secrets and is not read."}
		} else {
			c = f.contents(ctx, e, maxArtifact)
		}
		a := f.attachment(kindRevision, e, c)
		a.MimeType = mimeOf(of)
		if m, ok := f.metadata[e.name]; ok {
			about := f.about(ctx, strings.TrimSuffix(m.name, metadataSuffix))
			a.UpdatedNs, a.Blocks = about.updated, append(about.facts, a.Blocks...)
		}
		if same, ok := known[c.sum]; ok && c.sum != "" {
			a.Blocks = append(a.Blocks, info("The same as "+same+"."))
		} else {
			a.Blocks = append(a.Blocks, f.shown(a, c)...)
			known[c.sum] = e.name
		}
		if err := yield(a); err != nil {
			return err
		}
	}
	return nil
}

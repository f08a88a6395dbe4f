package legacypb

import (
	"fmt"
	"strings"

	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
	"agy-reader/sources/whole"
)

var (
	fields profile.Names

	wrapperScope   = fields.Field(implicitMessage, "trajectory_scope")
	scopeWorkspace = fields.Field(scopeMessage, "workspace_uri")
)

// readWrapper adds what stands around a background trajectory: the workspace it belongs to.
func readWrapper(r *whole.Reader, p *profile.Profile, outer []byte) error {
	header := r.Header()
	var f profile.Findings
	if err := p.Check(implicitMessage, outer, "", &f); err != nil {
		r.Damage(fmt.Sprintf("what the file says about the workspace could not be decoded: %v", err))
		return nil
	}
	r.Note(trajectory.FindingsNotes("the message around the trajectory", &f)...)
	header.Unknown = append(header.Unknown, f.Unknown...)
	scope := p.Resolve(&fields).View(implicitMessage, outer, &f).Sub(wrapperScope)
	if uri := scope.Str(scopeWorkspace); uri != "" && len(header.GetWorkspaceUris()) == 0 {
		header.WorkspaceUris = []string{strings.Clone(uri)}
	}
	if header.MembersJson == nil {
		return nil
	}
	json, err := p.AppendJSON(nil, implicitMessage, outer, nil)
	if err != nil {
		return err
	}
	header.MembersJson = joined(header.MembersJson, json)
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

package profile

import (
	"fmt"

	"agy-reader/proto/antigravity"
)

// Profile is one loaded decoder profile. Safe for concurrent use.
type Profile struct {
	info     Info
	manifest *antigravity.Manifest
	schema   *schema
	set      []byte
}

// Info is what can be said about a profile without loading its schema.
type Info struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Product string `json:"product"`
	// Versions is a range in words, for example "agy 1.0.4 – 1.1.13, IDE and Desktop 2.x".
	Versions string `json:"versions"`
	// Extends is the profile this one starts from.
	Extends string `json:"extends,omitempty"`
	// Storage lists the forms the profile is for: "db", "pb".
	Storage []string `json:"storage"`
	// Releases is the range of agy releases.
	Releases antigravity.Releases `json:"releases"`
	// Marks are fields only these versions write.
	Marks []antigravity.Mark `json:"marks,omitempty"`
	// Verified says what the profile was checked against.
	Verified []string `json:"verified"`
	// Limits says what it cannot know.
	Limits []string `json:"limits"`
	// SchemaSource says where the facts come from.
	SchemaSource string `json:"schemaSource"`
}

// newProfile binds a manifest to its descriptor set. Names in the manifest that the schema lacks are an error.
func newProfile(m *antigravity.Manifest, set []byte) (*Profile, error) {
	s, err := newSchema(set)
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", m.Name, err)
	}
	p := &Profile{info: infoOf(m), manifest: m, schema: s, set: set}
	for _, open := range m.OpenEnums {
		e := s.enums[open.Enum]
		if e == nil {
			return nil, fmt.Errorf("profile %s: open enum %s is not in the schema", m.Name, open.Enum)
		}
		e.open = true
	}
	for i := range m.Wrappers {
		if err := s.bindWrapper(&m.Wrappers[i]); err != nil {
			return nil, fmt.Errorf("profile %s: %w", m.Name, err)
		}
	}
	return p, nil
}

func infoOf(m *antigravity.Manifest) Info {
	return Info{
		Name: m.Name, Title: m.Title, Product: m.Product, Versions: m.Versions,
		Extends: m.Extends, Storage: m.Storage, Releases: m.Releases, Marks: m.Marks,
		Verified: m.Verified, Limits: m.Limits, SchemaSource: m.SchemaSource,
	}
}

// Info describes the profile.
func (p *Profile) Info() Info { return p.info }

// Manifest returns everything the profile says beside its schema: tables with keys and copies, how rows become a
// trajectory, wrappers. It is shared and must not be changed.
func (p *Profile) Manifest() *antigravity.Manifest { return p.manifest }

// Schema returns the profile's schema as a serialized google.protobuf.FileDescriptorSet. It is shared and must not be
// changed.
func (p *Profile) Schema() []byte { return p.set }

// ColumnMessage returns the message stored in a table's column, for example ("steps", "step_payload") →
// "gemini_coder.Step", and "" for a column that is not a message.
func (p *Profile) ColumnMessage(table, column string) string {
	for _, t := range p.manifest.Tables {
		if t.Name != table {
			continue
		}
		for _, c := range t.Columns {
			if c.Name == column {
				return c.Message
			}
		}
	}
	return ""
}

// FieldMessage returns the message that a field holds, "" when there is no such field or it holds none.
func (p *Profile) FieldMessage(message, field string) string {
	if f := p.schema.messages[message].at(field); f != nil && f.msg != nil {
		return f.msg.name
	}
	return ""
}

// Columns returns the columns the profile knows of a table, in order, and nil for an unknown table.
func (p *Profile) Columns(table string) []string {
	for _, t := range p.manifest.Tables {
		if t.Name != table {
			continue
		}
		names := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			names[i] = c.Name
		}
		return names
	}
	return nil
}

// Tables returns the tables the profile knows, in order.
func (p *Profile) Tables() []string {
	names := make([]string, len(p.manifest.Tables))
	for i, t := range p.manifest.Tables {
		names[i] = t.Name
	}
	return names
}

// Reviewed is a text path that blocks deliberately leave out, with the reason. Its JSON names lie below the step.
type Reviewed = antigravity.Reviewed

// Reviewed returns the list the coverage oracle honours. It is shared and must not be changed.
func (p *Profile) Reviewed() []Reviewed { return p.manifest.Reviewed }

package profile

import transcriptv1 "agy-reader/proto/agyreader/transcript/v1"

// Profile is one loaded decoder profile. Safe for concurrent use.
type Profile struct{}

// Info is what can be said about a profile without loading its schema.
type Info struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Product string `json:"product"`
	// Versions is a range in words, for example "agy 1.0.4 – 1.1.13, IDE and Desktop 2.x".
	Versions string `json:"versions"`
	// Verified says what the profile was checked against.
	Verified []string `json:"verified"`
	// Limits says what it cannot know.
	Limits []string `json:"limits"`
	// SchemaSource says where the facts come from.
	SchemaSource string `json:"schemaSource"`
}

// List returns the embedded profiles, newest first.
func List() []Info { return nil }

// Load returns an embedded profile by name. The result is cached for the life of the process.
func Load(name string) (*Profile, error) { return nil, nil }

// Evidence is what a source saw before it chose a profile.
type Evidence struct {
	// SchemaFingerprint of the SQL schema, hex SHA-256; empty when the source has none.
	SchemaFingerprint string
}

// Choose returns the profile for the evidence and the reason in words. verified is false when nothing matched and the
// newest profile was taken.
func Choose(ev Evidence) (p *Profile, reason string, verified bool, err error) {
	return nil, "", false, nil
}

// Info describes the profile.
func (p *Profile) Info() Info { return Info{} }

// ColumnMessage returns the message stored in a table's column, for example ("steps", "step_payload") →
// "gemini_coder.Step", and "" for a column that is not a message.
func (p *Profile) ColumnMessage(table, column string) string { return "" }

// Columns returns the columns the profile knows of a table, in order, and nil for an unknown table.
func (p *Profile) Columns(table string) []string { return nil }

// Tables returns the tables the profile knows, in order.
func (p *Profile) Tables() []string { return nil }

// Reviewed is a text path that blocks deliberately leave out, with the reason.
type Reviewed struct {
	// Path uses JSON names below the step, `[]` for any element and `*` for any map key:
	// `codeAction.actionResult.edit.originalContent`.
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Reviewed returns the list the coverage oracle honours.
func (p *Profile) Reviewed() []Reviewed { return nil }

// Findings collects what a walk over one message found. Reuse it with Reset.
type Findings struct {
	// Unknown fields with path and bytes (copied).
	Unknown []*transcriptv1.UnknownField
	// UnknownEnums are values outside their enum, as `path=number`.
	UnknownEnums []string
	// UnknownWrappers are Any payloads of a type the profile does not project, as `path=typeURL`.
	UnknownWrappers []string
	// BadText are paths of string fields that are not UTF-8.
	BadText []string
}

// Reset empties the findings and keeps the memory.
func (f *Findings) Reset() {}

// Clean reports whether nothing was found.
func (f *Findings) Clean() bool { return true }

// Check walks raw as message and records findings with paths below path. An error means the bytes are not a protobuf
// message at all (or nest deeper than 100 levels); it names the path.
func (p *Profile) Check(message string, raw []byte, path string, f *Findings) error { return nil }

// JSONOptions controls AppendJSON.
type JSONOptions struct {
	// Path is the prefix of the paths in findings, for example `steps[3]`.
	Path string
	// Findings receives what Check would; may be nil.
	Findings *Findings
	// Project writes wrappers in their display form, as profile.json says.
	Project bool
	// SourceOnly receives, when Project is set, stored fields that the display form does not hold. value is valid during the
	// call only.
	SourceOnly func(path, message string, value []byte)
}

// AppendJSON appends raw, a message of the named type, as protojson would write it after decoding with this schema: same
// members, same values; member order follows the wire, map keys are sorted. It is the product's own JSON form. An error
// leaves dst unusable.
func (p *Profile) AppendJSON(dst []byte, message string, raw []byte, opt *JSONOptions) ([]byte, error) {
	return dst, nil
}

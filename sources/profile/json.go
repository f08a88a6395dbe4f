package profile

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

// AppendJSON appends the message as protojson would write it.
func (v View) AppendJSON(dst []byte) []byte { return dst }

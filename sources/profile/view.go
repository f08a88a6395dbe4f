package profile

// Field is a handle on one message field that a reader declared by name. Its zero value reads as absent.
type Field struct{ id int }

// Names is the set of fields a reader declares once, at package level. It is not safe for concurrent declaration.
type Names struct {
	paths []string
}

// Field declares a field by fully qualified message name and proto field name, for example
// ("exa.cortex_pb.CortexStepRunCommand", "command_line"). A profile that lacks it reads it as absent; tests check that
// every declared name exists in at least one profile.
func (n *Names) Field(message, field string) Field {
	n.paths = append(n.paths, message+"/"+field)
	return Field{id: len(n.paths)}
}

// Resolved is a profile seen through one set of names. Safe for concurrent use.
type Resolved struct{}

// Resolve binds declared names to this profile. Call once and keep the result.
func (p *Profile) Resolve(n *Names) *Resolved { return nil }

// Missing lists declared names this profile does not have, as message/field.
func (r *Resolved) Missing() []string { return nil }

// View returns a view of a message. raw must have passed Profile.Check as message; findings is what Check reported and
// decides whether texts need repair. The view refers to raw, which must not change while the view or any string it
// returned is in use.
func (r *Resolved) View(message string, raw []byte, findings *Findings) View { return View{} }

// View is a read-only message over checked wire bytes. The zero View answers every question with «absent».
// Strings and bytes it returns are views of the wire bytes unless the text had to be repaired.
type View struct{}

// Valid reports whether the view refers to a message (it may be empty).
func (v View) Valid() bool { return false }

// Message returns the fully qualified message name.
func (v View) Message() string { return "" }

// Raw returns the wire bytes.
func (v View) Raw() []byte { return nil }

// Has reports whether the field occurs on the wire, also with its zero value.
func (v View) Has(f Field) bool { return false }

// Str returns a string or bytes field; invalid UTF-8 is replaced by U+FFFD in string fields.
func (v View) Str(f Field) string { return "" }

// Bytes returns a bytes or string field.
func (v View) Bytes(f Field) []byte { return nil }

// Int returns any integer or enum field as a signed number.
func (v View) Int(f Field) int64 { return 0 }

// Uint returns any integer field as an unsigned number.
func (v View) Uint(f Field) uint64 { return 0 }

// Bool returns a bool field.
func (v View) Bool(f Field) bool { return false }

// Float returns a float or double field.
func (v View) Float(f Field) float64 { return 0 }

// Enum returns the short name of an enum value: without the prefix its zero value has (`CORTEX_STEP_STATUS_DONE` →
// `DONE`). An unknown number is returned as decimal text, an absent field as "".
func (v View) Enum(f Field) string { return "" }

// EnumFull is Enum with the full name.
func (v View) EnumFull(f Field) string { return "" }

// Time returns a google.protobuf.Timestamp field in nanoseconds since 1970 UTC. ok is false when the field is absent or
// holds a value no clock shows: before 1970-01-02, after year 2200 (sentinels, case C02).
func (v View) Time(f Field) (ns int64, ok bool) { return 0, false }

// Duration returns a google.protobuf.Duration field in nanoseconds.
func (v View) Duration(f Field) (ns int64, ok bool) { return 0, false }

// Sub returns a singular message field; the zero View when absent.
func (v View) Sub(f Field) View { return View{} }

// Each calls fn for every element of a repeated message field until fn returns false.
func (v View) Each(f Field, fn func(View) bool) {}

// EachStr calls fn for every element of a repeated string field until fn returns false.
func (v View) EachStr(f Field, fn func(string) bool) {}

// EachInt calls fn for every element of a repeated integer or enum field, packed or not, until fn returns false.
func (v View) EachInt(f Field, fn func(int64) bool) {}

// EachEntry calls fn for every entry of a map<string, string> field, sorted by key, the last of equal keys winning.
func (v View) EachEntry(f Field, fn func(key, value string) bool) {}

// Any opens a google.protobuf.Any field. content is the zero View when the profile does not know the type.
func (v View) Any(f Field) (typeURL string, content View) { return "", View{} }

// Which returns the set member of a oneof: its proto field name and, for a message member, its view.
func (v View) Which(oneof string) (name string, member View, ok bool) { return "", View{}, false }

// AppendJSON appends the message as protojson would write it.
func (v View) AppendJSON(dst []byte) []byte { return dst }

package antigravity

// Manifest is profile.json: everything a decoder profile says beside its protobuf schema. Names of messages, enums and
// fields are those of the schema (`exa.cortex_pb.CortexStepMetadata`, `step_payload`); only Reviewed and
// Answers use JSON names, because they are compared with paths into the JSON form of a step or trajectory. Unknown members are an error.
//
// A profile may extend another one and then brings only what differs. The rule, by member: Name to Marks, which are about
// the profile itself, are never inherited, and neither is Adds, which is part of the inherited schema; OpenEnums, Reviewed, Answers and Steps are those of the other profile and its
// own, where an own entry stands in the place of one with the same enum, path and condition, path, or body; any other member that
// profile.json has, even empty, replaces the inherited one whole.
type Manifest struct {
	// Name equals the name of the folder, for example "agy-1.0.4".
	Name string `json:"name"`
	// Extends names the profile whose members and `.proto` files this one starts from; empty for a profile of its own.
	Extends string `json:"extends,omitempty"`
	// Title is one line for people.
	Title string `json:"title"`
	// Product is who writes this format.
	Product string `json:"product"`
	// Versions is the range of product versions in words.
	Versions string `json:"versions"`
	// Rank orders profiles by age: the higher, the newer. No two profiles share one.
	Rank int `json:"rank"`
	// Verified says what the profile was checked against, one sentence each.
	Verified []string `json:"verified"`
	// Limits says what the profile cannot know, one sentence each.
	Limits []string `json:"limits"`
	// SchemaSource says where the facts of the schema come from.
	SchemaSource string `json:"schemaSource"`
	// Storage lists the forms the profile is for: "db" (SQLite), "pb" (encrypted files).
	Storage []string `json:"storage"`
	// Releases is the range of agy releases, for comparison with a recorded version.
	Releases Releases `json:"releases"`
	// Marks are fields that nothing before the profile's own versions writes.
	Marks []Mark `json:"marks,omitempty"`
	// SQLSchemas are the database schemas this profile belongs to.
	SQLSchemas []SQLSchema `json:"sqlSchemas"`
	// FileKeys open the encrypted files of this format; empty when it has none.
	FileKeys []FileKey `json:"fileKeys,omitempty"`
	// Tables are all tables of that schema, each with all its columns in order.
	Tables []Table `json:"tables"`
	// Trajectory says how rows become one trajectory message.
	Trajectory Trajectory `json:"trajectory"`
	// Adds are fields and enum values on top of the `.proto` files, so that no file has to be replaced for one of them.
	Adds Additions `json:"adds,omitzero"`
	// Wrappers are messages that stand for another one which they carry inside.
	Wrappers []Wrapper `json:"wrappers"`
	// OpenEnums are enums of which numbers without a name are accepted, because the names are not public.
	OpenEnums []OpenEnum `json:"openEnums"`
	// Reviewed lists the texts that blocks deliberately leave out.
	Reviewed []Reviewed `json:"reviewed"`
	// Answers say where a daemon's ordinary answer is known, or not known well enough, to differ from what is stored.
	Answers []Answer `json:"answers,omitempty"`
	// Steps say how steps are shown for which the program has no form of its own.
	Steps []StepForm `json:"steps,omitempty"`
}

// Releases is a range of agy releases such as "1.0.4" to "1.1.13", both included and both optional. Versions of the IDE, of
// Desktop and of the engine are other series and never compared with it.
type Releases struct {
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

// Additions are what a profile adds to the schema it starts from.
type Additions struct {
	Fields []AddedField `json:"fields,omitempty"`
	Values []AddedValue `json:"values,omitempty"`
}

// AddedField is a field that a message has besides those of its file.
type AddedField struct {
	Message string `json:"message"`
	Name    string `json:"name"`
	Number  int32  `json:"number"`
	// Type is a scalar type of the protobuf language, or the full name of a message or enum.
	Type     string `json:"type"`
	Repeated bool   `json:"repeated,omitempty"`
	// Oneof is the oneof of Message that the field belongs to; empty for none.
	Oneof string `json:"oneof,omitempty"`
}

// AddedValue is a value that an enum has besides those of its file.
type AddedValue struct {
	Enum   string `json:"enum"`
	Name   string `json:"name"`
	Number int32  `json:"number"`
}

// Mark is a field of a step whose presence tells versions apart.
type Mark struct {
	// Path is the dotted way to the field, below gemini_coder.Step.
	Path string `json:"path"`
	// Numbers are the field numbers of that way, so that a mark is found before any schema is loaded.
	Numbers []uint32 `json:"numbers"`
	Reason  string   `json:"reason"`
}

// StepForm says how a step is shown that the program has no form for.
type StepForm struct {
	// Body is the field of gemini_coder.Step that holds the step's body.
	Body string `json:"body"`
	// Fields are shown first and in this order. Every other value of the body follows with its path.
	Fields []FormField `json:"fields"`
}

// FormField is one field of a body.
type FormField struct {
	// Field is a field of the body's message that holds one text.
	Field string `json:"field"`
	// As is "title" (the step's one-line summary), "fact", "text", "markdown", "code" or "output".
	As string `json:"as"`
	// Label stands before the text.
	Label string `json:"label,omitempty"`
	// Language colours code.
	Language string `json:"language,omitempty"`
}

// SQLSchema identifies a database schema.
type SQLSchema struct {
	// Fingerprint is the hex SHA-256 over the `sql` texts of sqlite_master (those that are not NULL, ordered by type, then
	// name), each followed by LF, then UserVersion in decimal and LF.
	Fingerprint string `json:"fingerprint"`
	// UserVersion is PRAGMA user_version.
	UserVersion int `json:"userVersion"`
}

// FileKey is a key that the product ships to everybody for its file format. It is part of the format and no secret.
type FileKey struct {
	// Name says which key it is in provenance and messages.
	Name string `json:"name"`
	// Cipher is `AES-256-GCM`: a nonce of 12 bytes, the ciphertext, a tag of 16 bytes, no additional data.
	Cipher string `json:"cipher"`
	// Key is the key in hex.
	Key string `json:"key"`
}

// Table is one table.
type Table struct {
	Name string `json:"name"`
	// Key is the primary key column. Rows are read in its order.
	Key string `json:"key"`
	// Columns are all columns, in the order of the CREATE statement.
	Columns []Column `json:"columns"`
}

// Column is one column.
type Column struct {
	Name string `json:"name"`
	// Message is the message a blob column holds; empty for a plain value.
	Message string `json:"message,omitempty"`
	// Opaque says that a blob column holds a message whose fields are not known. It is kept as bytes.
	Opaque bool `json:"opaque,omitempty"`
	// CopyOf is the dotted field path, in the message of the same row that feeds the trajectory, whose value this column
	// repeats. A row may hold a copy although its message has none.
	CopyOf string `json:"copyOf,omitempty"`
}

// Trajectory says how rows become one trajectory message.
type Trajectory struct {
	// Message is the message the rows add up to. Its schema gives the JSON name, the type and whether a member repeats.
	Message string `json:"message"`
	// Members are the fields a database feeds, in the order in which a document lists them.
	Members []Member `json:"members"`
}

// Member is one field of the trajectory message and the column that feeds it. A repeated field takes every row of the
// table in key order, a singular one the only row.
type Member struct {
	Field  string `json:"field"`
	Table  string `json:"table"`
	Column string `json:"column"`
}

// Wrapper says how a message projects to the message it carries. The projection, called the display form, is the carried
// message with the fields in Outer taken from the wrapper where the wrapper has them. Whatever the wrapper or the carried
// message holds and the display form does not is source-only.
type Wrapper struct {
	// Message is both the wrapper's type and the type it projects to.
	Message string `json:"message"`
	// Body is the field whose presence makes the message a wrapper.
	Body string `json:"body"`
	// Payload are dotted paths below Body to a google.protobuf.Any; the first that is present counts. A wrapper without any
	// of them is shown as it is.
	Payload []string `json:"payload"`
	// TypeURL is the type URL a payload must have.
	TypeURL string `json:"typeURL"`
	// Outer are fields of Message that the wrapper's own value replaces.
	Outer []string `json:"outer"`
}

// OpenEnum is an enum that accepts numbers without a name.
type OpenEnum struct {
	Enum   string `json:"enum"`
	Reason string `json:"reason"`
}

// Answer is a part of the trajectory for which a daemon's ordinary answer need not be what is stored.
type Answer struct {
	// Path uses JSON names below the trajectory, `[]` for any element. It covers everything below it.
	Path string `json:"path"`
	// Rule is "held" (the answer may leave parts out, what it has must be what is stored) or "live" (the answer has it
	// from elsewhere; it is not compared).
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}

// Reviewed is a text that blocks leave out on purpose.
type Reviewed struct {
	// Path uses JSON names below the step, `[]` for any element and `*` for any map key. It covers everything below it.
	Path string `json:"path"`
	// When narrows the entry to elements whose named sibling has the given value, as `name=VALUE` in JSON spelling; empty
	// covers every element.
	When   string `json:"when,omitempty"`
	Reason string `json:"reason"`
}

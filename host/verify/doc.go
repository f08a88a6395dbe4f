// Package verify decides whether what a daemon answers is what is stored, and keeps the evidence.
//
// A daemon may answer successfully with an old trajectory from its memory: equal step counts and equal times prove nothing.
// So a Snapshot of the source is taken (one strict read; for a database one read transaction with what is committed to its
// WAL, for an encrypted file the whole authenticated content), and two answers are compared with it: the full one, which
// keeps generic wrappers, with the steps as they are stored, and the ordinary one, which becomes the sidecar, with their
// display projection. Right before the sidecar is written, Unchanged looks at the source once more.
//
// # What is compared
//
// Everything that the profile says a database feeds into the trajectory: all steps, in number, order and every member; model
// calls and executor runs; metadata, ids, type, source, references to parents. Content is compared after decoding, in a
// canonical form: the order of members and map entries, the spelling of numbers and a WAL checkpoint change nothing, any
// other change does. The profile's `answers` says which members an ordinary answer may leave out ("held": what it has must
// be what is stored) and which are never stored ("live").
//
// What cannot be compared does not fail the check and is listed in Evidence.NotCovered:
//
//   - members of the answer that the profile does not know or no table feeds: the store cannot confirm them;
//   - messages the profile keeps closed, when an answer in JSON opens them: no schema says what their bytes mean. A full
//     answer in protobuf covers them;
//   - names of enum values whose names are not public (the profile's open enums), where the store has the number;
//   - what an ordinary answer may leave out and does.
//
// An unknown member or enum name inside a step of a full answer, text that is not JSON, a name twice in one object: all that
// is ErrAnswer, a fault of the answer. Columns that repeat a part of a step are checked by the source. render_info of a step
// that has no copy of it is in no answer and not covered.
//
// Inside closed messages the order of fields of different numbers, and of entries that look like those of a map, does not
// count: the product writes maps in random order, and nothing says which of these fields are maps.
//
// # Memory
//
// A Snapshot holds 64 bytes a step and the trajectory's own members. Answers are compared step by step; only where digests
// differ is the source read again, once, to name the difference.
package verify

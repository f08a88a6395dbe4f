// Package profile turns decoder profiles into answers about wire bytes.
//
// A profile is a folder of data below proto/antigravity: the protobuf schema of one range of product versions and a
// profile.json that says which SQL schema it belongs to, which column holds which message, which wrappers project to
// which display kinds, and which text paths are deliberately not shown. No profile needs Go code. One that extends another
// says only what differs. Choose picks a profile by evidence, Explain says why; AddDir adds a user's own, CheckDir says what
// is wrong with them, and Diff compares two.
//
// Four things are offered over the same tables, which are compiled per message type on first use:
//
//   - Profile.Check walks a message once, finds everything the schema does not declare, and makes views safe;
//   - View answers by declared Field, without copies, over checked bytes (bytes nobody checked read as absent, never as a
//     panic);
//   - Profile.AppendJSON transcodes wire bytes to JSON by the exact rules of protojson, without building messages;
//   - Profile.AppendWire is the way back, and reports whatever no field has a place for.
//
// A schema is read with an index over its descriptor set; nothing of it is registered or built as Go types, and programs
// that never load a profile pay nothing. The official library is the oracle of the tests, over the corpus, over random and
// over damaged messages.
package profile

// Package profile turns decoder profiles into answers about wire bytes.
//
// A profile is a folder of data below proto/antigravity: the protobuf schema of one range of product versions and a
// profile.json that says which SQL schema it belongs to, which column holds which message, which wrappers project to
// which display kinds, and which text paths are deliberately not shown. No profile needs Go code.
//
// Three things are offered over the same tables, which are compiled per message type on first use:
//
//   - Profile.Check walks a message once, finds everything the schema does not declare, and makes views safe;
//   - View answers by declared Field, without copies, over checked bytes;
//   - Profile.AppendJSON transcodes wire bytes to JSON by the exact rules of protojson, without building messages.
package profile

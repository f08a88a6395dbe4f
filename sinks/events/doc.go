// Package events dumps the document itself, for golden files, plugin fixtures and bug reports, and reads the dump back.
//
// The format is JSON Lines: one agyreader.transcript.v1.Event a line in the JSON form that every protobuf library reads
// and writes (lowerCamelCase names, 64-bit integers as strings, enums by name, bytes in base64, absent fields left out),
// made canonical: no white space between tokens, members in the order of the .proto file, one line feed behind every
// event. Equal documents have equal dumps. There is no header line; the first event is the conversation's begin.
//
// The dump holds blocks, notes and records, and nested trajectories in place. Stored JSON of steps is left to the JSON
// sidecar.
package events

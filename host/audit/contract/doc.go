// Package contract checks sidecars against the published form of the format: a JSON Schema (draft 2020-12), schema.json,
// that consumers may use without this program.
//
// A file may be far larger than memory, so it is never loaded: each value is checked as soon as it is read, and forgotten.
// Nothing here but the few keywords that schema.json needs, because the library that knows all of them takes 5 ms of every
// start of the program, whatever is asked of it; the tests hold the two together.
//
// Beyond the schema a document must be one JSON object of valid UTF-8 in which no name occurs twice in one object, since
// readers disagree about what such a document says.
package contract

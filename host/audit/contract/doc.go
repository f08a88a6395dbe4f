// Package contract checks sidecars against the published form of the format: a JSON Schema (draft 2020-12), schema.json,
// that consumers may use without this program.
//
// A file may be far larger than memory, so it is never loaded. Of a document only what the schema speaks of is kept, texts
// by their beginning; an element of an array is checked on its own, as soon as it is read, and forgotten. That gives the
// verdict of a check of the whole document as long as the schema keeps to the keywords of streamable: those that look at
// how many elements or at names not listed would see too little.
//
// Beyond the schema a document must be one JSON object of valid UTF-8 in which no name occurs twice in one object, since
// readers disagree about what such a document says.
package contract

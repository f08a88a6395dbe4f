// Package shape tells which members trajectories have and of which types, and condenses that into one fingerprint. A
// product that changes its JSON changes the fingerprint; what conversations say does not (behaviour.md m.1).
//
// # Canonical form
//
// Every value of the JSON gives one fact: its path and its type (`object`, `array`, `string`, `number`, `boolean`, `null`).
// Names are joined with `.`, elements of an array are `[]`, the document itself has the empty path. Names that look like
// data are `*`. Our own block `agyReader` is left out, and so is what lies below the paths of a fixed list: those parts hold
// free data. A document whose only member is `trajectory` is what stands in it. The facts of several documents are united.
// A line is a path, a tab and its types in order with `|` between them; lines are in order of their bytes. The fingerprint
// is the SHA-256 of the lines with a newline between them.
//
// Documents are scanned, not loaded: memory is bounded by the number of different paths and by the largest single text.
package shape

// Package interpret turns stored steps into document steps. It is written once, against names; a decoder profile says
// where the names are.
//
// How it is arranged:
//
//   - stored.go, step.go and nested.go carry one stored step from bytes to events; found.go and notes.go say what the walk
//     over the bytes found; json.go makes the JSON forms.
//   - content.go shows what every step may have, kinds.go knows the handler of each kind. A handler reads one body and adds
//     blocks through the builder (block.go). A kind without a handler is shown value by value (flatten.go).
//   - wrapper.go opens GENERIC steps that carry a typed one, so that both give the same document; tool.go and tools.go show
//     the others by the name of their tool.
//   - The fields a handler reads are declared in the fields_*.go file beside it. A name that no profile has fails a test.
//   - arena.go, slab.go, cells.go and text.go are the memory of events. Texts of the stored step are never copied; only
//     composed ones (diffs, listings, key-values) are written, once.
//
// To add a kind: declare its fields, write its handler, name it in kinds.go, put a step into testdata/steps and review the
// document that `go test -update` writes. TestEveryTextOfEveryKind names every text field the handler forgets.
package interpret

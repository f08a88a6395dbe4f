// Package mirror reads the transcript logs that the product writes beside a conversation: one JSON object a line, for people
// and hooks. A log is less than the database (no ids, whole seconds, cut texts, some steps never written), and often all
// that is left.
//
// How it is arranged:
//
//   - find.go knows where logs lie, file.go reads one of them, whole or in slices, and notices when it changes.
//   - linescan.go, scan.go and index.go pass over the bytes once and keep a few dozen bytes a line: a Mark. union.go chooses
//     between files that hold the same step, pair.go joins results to the calls they answer.
//   - record.go takes one line apart. step.go and the files named after kinds write what it says as a stored step, by the
//     names of a decoder profile, so that interpretation, JSON and every sink treat it like one out of a database. Nothing is
//     guessed: what a line does not say is not written.
//   - log.go is what a merge builds on, source.go and reader.go are the Source for conversations with logs only.
package mirror

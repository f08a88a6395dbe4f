// Package archive exports every conversation of the stores into one folder, and keeps that folder up to date.
//
// A conversation is a set of files `<created UTC date>-<slug of the title>-<first 8 of the id>` with the suffix of each
// format. The name is chosen at the first export and stays, whatever becomes of the title. Beside the documents lie
//
//	index.html, index.json      the list of everything in the archive (index.md, too, when Markdown is a format)
//	agy-reader.manifest.json    what was written from what; written last, in one step with the index
//	.agy-reader.archive         only while a run is under way, or after one was killed: the lock and what is done so far
//
// A run writes what changed since the manifest was written and nothing else. It removes no file but temporary ones that a
// killed run left. A conversation that is
// gone from the stores, or can no longer be read, keeps its documents. When the sources hold fewer steps than the document
// that lies there (a rewind, a log that was cut), the earlier document is kept under `<name>.earlier-<n>` in the same step
// that publishes the new one: the new one says what the sources hold now, and nothing that was once exported is lost.
//
// # The manifest
//
// A JSON object: `version` (of this layout, 1), `conversations` in the order of their ids, `generator`. A conversation has
// `id`, `root` (the store's label), `bucket`, `name`, what the index shows of it, `sources` (path within the store, size, and
// time of the last change in nanoseconds; a brain folder is one entry with the number of its files and a hash over their
// names, sizes and times), `options` (a hash over everything that decides the bytes: program version, formats, options, and
// what indexes and lineage say about the conversation), `files` (name, format, size, SHA-256) and `earlier` versions.
// Nothing in it depends on the clock or on where stores and archive lie.
//
// Whether a file of ours was edited is seen by its size, or by a change later than the manifest's own; then its hash
// decides. An edited file is replaced only with Force; one that is missing is written again.
package archive

// Package sqlite reads conversations from the product's SQLite databases.
//
// Reading leaves no trace: no file of the store is created, changed or removed, whatever happens. How a database is opened
// follows from the files that lie beside it (open.go, image.go, copy.go); every conversation is read inside one read transaction, so it is one
// committed state, committed write-ahead log included.
//
// Only regular files are opened, after links were followed: a FIFO, a device or a folder in the place of the database, its
// log, index or journal is sources.ErrUnreadable, never a wait. A rollback journal means a private copy, which is bounded
// and follows no path that the journal names.
//
// Layers, each knowing only the one above it: files.go and lock_*.go (the files), open.go (a connection), rows.go and
// salvage.go (rows in key order, also from damaged files), batch.go and reader.go (the Source seam).
//
// What excludes what: beside a -shm file SQLite's own locks keep the state still. Without one the file is read as an image
// that nobody may write: up to 4 MiB it is read at once and checked before the first row; a bigger one is checked again
// behind the last, and when a writer came and moved its log into the file meanwhile, reading ends with sources.ErrBusy
// instead of a mixture. Trying again then helps.
//
// Systems: on Linux locks belong to the open file. On macOS they belong to the process, so two readers of one file in one
// process may lose the lock that keeps a closing writer from tidying up; what they read stays right, because they have the
// files open. On Windows a writer cannot remove its log while an image of it is being read.
//
// States of a database that holds no conversation: a file without any table (also a zero-byte one) is
// sources.ErrUnreadable, «holds no conversation (no tables)»; a database whose tables are empty is an empty conversation.
package sqlite

// Package sqlite reads conversations from the product's SQLite databases.
//
// Reading leaves no trace: no file of the store is created, changed or removed, whatever happens. How a database is opened
// follows from the files that lie beside it (open.go); every conversation is read inside one read transaction, so it is one
// committed state, committed write-ahead log included.
//
// Layers, each knowing only the one above it: files.go and lock_*.go (the files), open.go (a connection), rows.go and
// salvage.go (rows in key order, also from damaged files), batch.go and reader.go (the Source seam).
//
// States of a database that holds no conversation: a file without any table (also a zero-byte one) is
// sources.ErrUnreadable, «holds no conversation (no tables)»; a database whose tables are empty is an empty conversation.
package sqlite

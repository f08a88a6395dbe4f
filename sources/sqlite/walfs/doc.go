// Package walfs shows a database file together with its write-ahead log as one read-only, finished database file.
//
// SQLite itself can do that only by creating a `-shm` file beside the database, or by being allowed to write. This package
// reads the log by the same rules as SQLite's own recovery: what the last commit frame covers is part of the database,
// whatever follows is not. Nothing is ever written and no lock is taken; whoever uses it must make sure that the files did
// not change meanwhile.
package walfs

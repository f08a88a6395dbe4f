// Package reuse remembers which sessions were verified, so that a watcher need not read them again on every tick.
//
// What was verified stays true for as long as nothing it depends on changed: the identity, size, mtime and ctime of the
// database, its log and journal, and the sidecar, and while the log has content the header of the WAL index. ctime is set
// by the kernel alone, so a backdated mtime hides nothing. A session that changes in a way none of this shows is still read
// again when its time limit is over; the limit grows with how long the session had been quiet.
//
// The memory is also kept in a private file below the user's cache folder, for the next watcher. It holds paths and file
// metadata, no text and no token. Deleting it is safe: everything is then checked in full.
//
// All of this is for ordinary local file systems on Linux. Elsewhere nothing is remembered.
package reuse

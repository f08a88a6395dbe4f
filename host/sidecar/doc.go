// Package sidecar keeps the file contract of `<id>.trajectory.json`: a daemon's trajectory, byte for byte, next to the
// session it belongs to, with one member of our own, `agyReader`.
//
// # Contents
//
// A sidecar is the trajectory object as the daemon answered it and a final newline. Values are never decoded and encoded
// again: big numbers, unknown members and the order of members stay. The block `agyReader` is the first member of a file
// that had none, and stays where it is in one that has it. Unknown members of the block stay too.
//
// # Writing
//
// A file is replaced at once or not at all: a temporary file of mode 0600 in the same folder is written, gets its time,
// is flushed and takes the name; the folder is flushed. Whoever reads meanwhile sees the old file or the new one.
// A symbolic link, a FIFO or a folder in a sidecar's place is refused and left alone. A sidecar with several hard links is
// never changed in place: the name gets a file of its own, the other links keep the old one.
//
// Writers exclude each other by a lock on the folder itself, so nothing is left behind, and a killed process holds it no
// longer. Systems without flock (Windows, Solaris) and file systems that refuse it have a lock inside the process only:
// there, of two processes that change one sidecar at the same moment, the last one wins. A temporary file that a killed
// writer of ours left is removed by the first write of the next process, and in a long run again and again, but only under the
// lock, which every such writer holds, or on Windows where a file cannot be removed while it is open. Temporary files of other
// programs are left. Looking for such files takes no more than a constant time a write, however many sidecars there are.
//
// # Reading
//
// Files are scanned, not loaded: memory is bounded by the largest single text (MaxToken), whatever the size of the file.
package sidecar

// Package proc reads what Linux tells about running processes: arguments, environments, descriptors and listening sockets.
//
// Only processes of one user in one network namespace are seen. Everything is bounded, and a process that ends while it is
// looked at, or whose number is given to another one, ends in an error and never in a mixture of two processes. On systems
// without a proc file system there are no processes to see.
package proc

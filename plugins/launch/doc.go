// Package launch runs a plugin: a program of its own that serves agyreader.plugin.v1 over go-plugin with mutual TLS.
//
// Start gives a Process that can carry many conversations; Close ends it. The program gets a process group (Unix) or job
// (Windows) of its own, a private folder for its socket, the null device as standard input and only the few environment
// variables every program needs. Whatever it leaves running in its group ends with it. Nothing here is global: a Process
// owns all it needs.
//
// On Linux the kernel ends the program when the host dies; elsewhere on Unix the kit in the plugin does, as soon as its
// connection ends; on Windows the job does.
package launch

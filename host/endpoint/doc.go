// Package endpoint finds the daemon that serves a session store: its address, and the token it asks for.
//
// An address the user set (ANTIGRAVITY_DAEMON_URL) is taken as it is. Otherwise, for a store of the CLI on Linux, the
// running processes are looked at: an agy process counts when it is our own user's, in our network namespace, has a log of
// the store open, and itself listens on the loopback port which that log names. Elsewhere, and for a store of the IDE, the
// logs alone say it; on Linux the port must still be our own user's.
//
// The address and the token come from one process in one look. A token is sent nowhere else: not to another port, another
// store, another user's process or another network namespace; when in doubt there is none. It is never logged, written
// or passed in arguments. A Finder keeps tokens in memory, because the tools that know them end before agy does.
//
// Watchers finds running `agy-reader --watch` in the same process table, for doctor.
//
// Facts: behaviour.md c and j, the reference's readme (Watch mode, Troubleshooting), format.md §5, and logs of real installs.
package endpoint

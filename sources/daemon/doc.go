// Package daemon reads conversations from the language server that runs inside a live agy or IDE process.
//
// Client speaks its JSON RPC over loopback HTTP and has reading methods only. What a daemon answers is its memory, not the
// store: it may be older than the database (package verify decides that) and it may be short, in which case the missing
// steps are fetched page by page. The bytes of an answer are kept exactly, so that members nobody knows and numbers above
// 2^53 survive.
//
// Source reads a conversation for `--from daemon`. Where a daemon is, is found by a function that host/endpoint provides.
package daemon

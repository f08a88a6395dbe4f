// Package present holds the presentation decisions that every readable output shares: how a time, a token count, a
// status, a file name or a control character reads. Markdown and HTML both use it, so they never differ in wording.
//
// Everything here is a pure function: no I/O, no clock, no locale. Results are plain text and not yet escaped for any
// format; the caller escapes. Text that came out of a conversation has passed Visible only where a comment says so.
package present

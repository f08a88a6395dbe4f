package rpc

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"agy-reader/sinks"
)

// Codes of diagnostics that both sides know.
const (
	CodeOptions     = "options-invalid"
	CodeUnsupported = "unsupported"
	CodeOutput      = "output"
	CodePluginBug   = "plugin-bug"
	CodeSinkFailed  = "sink-failed"
	// The host's own, never on the wire.
	CodeProtocol = "protocol-violation"
	CodeCrashed  = "crashed"
	CodeTimeout  = "timeout"
)

// Diagnostic is something a plugin has to say about a conversation besides its artifacts.
type Diagnostic struct {
	// Severity is "info", "warning" or "error".
	Severity string
	// Code is a stable string, for example CodeUnsupported.
	Code    string
	Message string
	// Hint is one next step, may be empty.
	Hint string
	// Anchor is the step it is about, may be empty.
	Anchor string
}

// PluginError is a failure of a plugin. It matches the error kind of package sinks that a caller decides on, and its cause.
type PluginError struct {
	// Plugin and Version say which one; Version may be empty.
	Plugin, Version string
	Diagnostic
	// Kind is sinks.ErrPlugin, sinks.ErrOptions, sinks.ErrOutput or sinks.ErrTimeout.
	Kind error
	// Cause is the failure below, may be nil.
	Cause error
}

// Error names the plugin first and ends with the next step.
func (f *PluginError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "plugin %s", f.Plugin)
	if f.Version != "" {
		fmt.Fprintf(&b, " %s", f.Version)
	}
	fmt.Fprintf(&b, ": %s", f.Message)
	if f.Anchor != "" {
		fmt.Fprintf(&b, " (at %s)", f.Anchor)
	}
	if f.Cause != nil {
		fmt.Fprintf(&b, ": %v", f.Cause)
	}
	if f.Hint == "" {
		return b.String()
	}
	// Behind an excerpt of lines the next step gets a line of its own.
	if strings.Contains(b.String(), "\n") {
		return b.String() + "\n" + f.Hint
	}
	return b.String() + "; " + f.Hint
}

// Unwrap gives the kind and the cause.
func (f *PluginError) Unwrap() []error {
	if f.Cause == nil {
		return []error{f.Kind}
	}
	return []error{f.Kind, f.Cause}
}

// kindOf maps the code of a fatal diagnostic to the kind callers know.
func kindOf(code string) error {
	switch code {
	case CodeOptions:
		return sinks.ErrOptions
	case CodeOutput:
		return sinks.ErrOutput
	default:
		return sinks.ErrPlugin
	}
}

// maxText bounds what a plugin can put into one message for people.
const maxText = 16 << 10

// Printable makes text of a plugin harmless on a terminal: control and formatting characters are written as escapes, and
// what is too long is cut. Line breaks and tabs stay.
func Printable(s string) string {
	s, cut := clip(s)
	clean := strings.IndexFunc(s, harmful) < 0 && utf8.ValidString(s)
	if clean {
		return s + cut
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case harmful(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String() + cut
}

func harmful(r rune) bool {
	return r != '\n' && r != '\t' && !unicode.IsGraphic(r)
}

func clip(s string) (text, cut string) {
	if len(s) <= maxText {
		return s, ""
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], " …"
}

package daemon

import (
	"fmt"
	"log/slog"
	"unique"
)

// hidden is what a token prints as.
const hidden = "[token]"

// Token is the secret a daemon asks for. It prints as "[token]" in every way there is, also from inside the unexported
// fields of other values, which fmt prints without asking: what it holds is a reference, not the text. Tokens made of the
// same text are equal by ==. The zero Token is none.
type Token struct{ text unique.Handle[string] }

// NewToken hides a token. An empty one is the zero Token.
func NewToken(text string) Token {
	if text == "" {
		return Token{}
	}
	return Token{unique.Make(text)}
}

// Known reports whether there is a token.
func (t Token) Known() bool { return t != Token{} }

// Reveal returns the token itself, for the header of a request and for nothing else; empty when there is none.
func (t Token) Reveal() string {
	if !t.Known() {
		return ""
	}
	return t.text.Value()
}

// String implements fmt.Stringer.
func (t Token) String() string {
	if !t.Known() {
		return ""
	}
	return hidden
}

// GoString implements fmt.GoStringer.
func (t Token) GoString() string { return fmt.Sprintf("%q", t.String()) }

// Format implements fmt.Formatter, for every verb.
func (t Token) Format(f fmt.State, _ rune) { fmt.Fprint(f, t.String()) }

// LogValue implements slog.LogValuer.
func (t Token) LogValue() slog.Value { return slog.StringValue(t.String()) }

// MarshalText implements encoding.TextMarshaler; JSON uses it too.
func (t Token) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Equal says the same as ==, for comparing values in tests.
func (t Token) Equal(other Token) bool { return t == other }

package sidecar

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/sources"
)

// MaxNames is the most bytes that the names of all objects around one place may have, for a strict Scanner, which keeps
// them to see one twice. A name counts 64 bytes more.
const MaxNames = 64 << 20

// NewStrictScanner reads JSON as RFC 8259 wants it between programs: a name that occurs twice in one object and invalid
// UTF-8 are ErrCorrupt, and such an error holds a *jsontext.SyntacticError with the place. Raw must not be used: what it
// reads is not counted against MaxNames.
func NewStrictScanner(r io.Reader) *Scanner {
	in := &bounded{r: r}
	return &Scanner{dec: jsontext.NewDecoder(in), in: in, open: new(openNames)}
}

// openNames counts the bytes of the names of the objects that are open.
type openNames struct {
	open  []int
	total int
}

// count takes note of a token that was just read.
func (o *openNames) count(dec *jsontext.Decoder, t jsontext.Token) error {
	switch t.Kind() {
	case '{', '[':
		o.open = append(o.open, 0)
	case '}', ']':
		last := len(o.open) - 1
		o.total -= o.open[last]
		o.open = o.open[:last]
	case '"':
		if kind, n := dec.StackIndex(dec.StackDepth()); kind != '{' || n%2 == 0 {
			return nil // a value
		}
		size := 64 + len(t.String())
		o.open[len(o.open)-1] += size
		if o.total += size; o.total > MaxNames {
			return fmt.Errorf("%w: the names in it are too many: more than %d bytes of them are open", sources.ErrLimit, MaxNames)
		}
	}
	return nil
}

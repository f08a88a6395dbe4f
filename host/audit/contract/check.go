package contract

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"agy-reader/host/sidecar"
)

// Problem is one thing that is wrong with a document.
type Problem struct {
	// Pointer is the JSON pointer (RFC 6901) of the value; empty is the document.
	Pointer string
	// Reason is one line; it may quote the beginning of a value.
	Reason string
}

// Findings are what is wrong with a document. The zero value is one that keeps the contract.
type Findings struct {
	// Problems are the first MaxProblems in the order they were met.
	Problems []Problem
	// More counts the others.
	More int
}

// MaxProblems is how many problems are told of one document.
const MaxProblems = 20

// keptText is how much of a text is looked at: more than any that the schema compares.
const keptText = 4096

// Check reads a document to its end. Findings are of the document; an error is one of r or sources.ErrLimit
// (sidecar.MaxFile, MaxToken, MaxNames), and then the document may keep the contract or not.
func Check(r io.Reader) (Findings, error) {
	schema, err := compiled()
	if err != nil {
		return Findings{}, err
	}
	c := checker{scanner: sidecar.NewStrictScanner(r)}
	value, err := c.value(expand([]*jsonschema.Schema{schema}))
	if err == nil {
		c.validate(schema, value)
		err = c.scanner.End()
	}
	if errors.Is(err, sidecar.ErrCorrupt) {
		c.problem(syntax(err))
		err = nil
	}
	return c.found, err
}

type checker struct {
	scanner *sidecar.Scanner
	found   Findings
	// at is where the reader is: the parts of a JSON pointer. Names of the schema need no escape.
	at []string
}

func (c *checker) problem(p Problem) {
	if len(c.found.Problems) == MaxProblems {
		c.found.More++
		return
	}
	c.found.Problems = append(c.found.Problems, p)
}

// value reads a value as far as schemas speak of it. Elements of arrays are checked here and left out.
func (c *checker) value(schemas []*jsonschema.Schema) (any, error) {
	switch c.scanner.Kind() {
	case '{':
		members := map[string]any{}
		err := c.scanner.Object(func(name string) error {
			below := membersOf(schemas, name)
			if below == nil {
				return c.scanner.Skip()
			}
			c.at = append(c.at, name)
			value, err := c.value(below)
			c.at = c.at[:len(c.at)-1]
			members[name] = value
			return err
		})
		return members, err
	case '[':
		below, index := elementsOf(schemas), 0
		err := c.scanner.Array(func() error {
			if below == nil {
				return c.scanner.Skip()
			}
			c.at = append(c.at, strconv.Itoa(index))
			index++
			value, err := c.value(below)
			for _, schema := range schemas {
				if schema.Items2020 != nil && err == nil {
					c.validate(schema.Items2020, value)
				}
			}
			c.at = c.at[:len(c.at)-1]
			return err
		})
		return []any{}, err
	}
	token, err := c.scanner.Token()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '"':
		return beginning(token.String(), keptText), nil
	case '0':
		return number(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	}
	return nil, nil
}

// validate checks a value that stands where the reader is.
func (c *checker) validate(schema *jsonschema.Schema, value any) {
	err := schema.Validate(value)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		c.leaves(invalid)
	} else if err != nil {
		c.problem(Problem{pointer(c.at), beginning(err.Error(), maxReason)})
	}
}

// leaves tells the errors that say something, not those that lead to them.
func (c *checker) leaves(err *jsonschema.ValidationError) {
	for _, cause := range err.Causes {
		c.leaves(cause)
	}
	if len(err.Causes) == 0 {
		c.problem(Problem{pointer(c.at, err.InstanceLocation...), reason(err.ErrorKind)})
	}
}

// pointer is a JSON pointer, cut when it is very long.
func pointer(at []string, more ...string) string {
	var b strings.Builder
	for _, part := range slices.Concat(at, more) {
		if b.Len() > maxReason {
			b.WriteString("/…")
			break
		}
		b.WriteString("/" + part)
	}
	return b.String()
}

// beginning is at most n bytes of a text.
func beginning(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}

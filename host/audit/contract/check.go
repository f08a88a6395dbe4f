package contract

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
	root, err := compiled()
	if err != nil {
		return Findings{}, err
	}
	c := checker{scanner: sidecar.NewStrictScanner(r)}
	err = c.value(expand([]*schema{root}))
	if err == nil {
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

// value reads a value and checks it with each of the schemas.
func (c *checker) value(schemas []*schema) error {
	switch c.scanner.Kind() {
	case '{':
		return c.object(schemas)
	case '[':
		c.judge(schemas, value{kind: "array"})
		return c.array(elementsOf(schemas))
	}
	token, err := c.scanner.Token()
	if err == nil {
		c.judge(schemas, scalar(token))
	}
	return err
}

func (c *checker) object(schemas []*schema) error {
	seen := map[string]bool{} // the names that schemas speak of
	err := c.scanner.Object(func(name string) error {
		below := membersOf(schemas, name)
		if below == nil {
			return c.scanner.Skip()
		}
		seen[name] = true
		c.at = append(c.at, name)
		err := c.value(below)
		c.at = c.at[:len(c.at)-1]
		return err
	})
	if err == nil {
		c.judge(schemas, value{kind: "object", missing: func(name string) bool { return !seen[name] }})
	}
	return err
}

func (c *checker) array(below []*schema) error {
	index := 0
	return c.scanner.Array(func() error {
		if below == nil {
			return c.scanner.Skip()
		}
		c.at = append(c.at, strconv.Itoa(index))
		index++
		err := c.value(below)
		c.at = c.at[:len(c.at)-1]
		return err
	})
}

// judge tells what schemas have against the value where the reader is, each reason once.
func (c *checker) judge(schemas []*schema, v value) {
	var told []string
	for _, s := range schemas {
		for _, reason := range s.reasons(v) {
			if !slices.Contains(told, reason) {
				told = append(told, reason)
				c.problem(Problem{pointer(c.at), reason})
			}
		}
	}
}

// pointer is a JSON pointer, cut when it is very long.
func pointer(at []string) string {
	var b strings.Builder
	for _, part := range at {
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

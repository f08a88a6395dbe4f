package sidecar

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/sources"
)

// Limits of what a Scanner reads.
const (
	// MaxFile is the largest sidecar, in bytes.
	MaxFile = 8 << 30
	// MaxToken is the largest single text, name or number, in bytes.
	MaxToken = 256 << 20
)

// Scanner walks through JSON without keeping it. After an error nothing more can be read. Errors are ErrCorrupt,
// sources.ErrLimit, or those of the reader and of the callbacks.
type Scanner struct {
	dec *jsontext.Decoder
	in  *bounded
	// open counts names when they must be unique.
	open *openNames
}

// NewScanner reads JSON from r. Names may occur twice and texts may hold invalid UTF-8: what is kept raw stays as it is.
func NewScanner(r io.Reader) *Scanner {
	in := &bounded{r: r}
	return &Scanner{dec: jsontext.NewDecoder(in, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)), in: in}
}

// bounded fails when one token takes too many bytes.
type bounded struct {
	r            io.Reader
	since, total int64
	failed       error
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.since += int64(n)
	b.total += int64(n)
	if b.since > MaxToken {
		err = fmt.Errorf("%w: one value has more than %d bytes", sources.ErrLimit, MaxToken)
	} else if b.total > MaxFile {
		err = fmt.Errorf("%w: it has more than %d bytes", sources.ErrLimit, int64(MaxFile))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed = err
	}
	return n, err
}

func (s *Scanner) fail(err error) error {
	if s.in.failed != nil {
		return s.in.failed
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%w: %w", ErrCorrupt, err)
}

// Kind is the first byte of the next value as jsontext has it: '{', '[', '"', '0', 't', 'f', 'n'; anything else ends or is
// none.
func (s *Scanner) Kind() jsontext.Kind { return s.dec.PeekKind() }

// Token reads one token.
func (s *Scanner) Token() (jsontext.Token, error) {
	t, err := s.dec.ReadToken()
	if err != nil {
		return t, s.fail(err)
	}
	s.in.since = 0
	if s.open != nil {
		if err := s.open.count(s.dec, t); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Raw reads the next value whole; its bytes are valid until the next call.
func (s *Scanner) Raw() (jsontext.Value, error) {
	v, err := s.dec.ReadValue()
	if err != nil {
		return nil, s.fail(err)
	}
	s.in.since = 0
	return v, nil
}

// Skip passes over the next value.
func (s *Scanner) Skip() error {
	depth := s.dec.StackDepth()
	for {
		if _, err := s.Token(); err != nil {
			return err
		}
		if s.dec.StackDepth() <= depth {
			return nil
		}
	}
}

// Text reads a text; anything else is passed over and is false.
func (s *Scanner) Text() (string, bool, error) {
	if s.Kind() != '"' {
		return "", false, s.Skip()
	}
	t, err := s.Token()
	if err != nil {
		return "", false, err
	}
	return t.String(), true, nil
}

// Object calls member with each name of an object; member must read the value. Anything but an object is passed over.
func (s *Scanner) Object(member func(name string) error) error {
	if s.Kind() != '{' {
		return s.Skip()
	}
	if _, err := s.Token(); err != nil {
		return err
	}
	for s.Kind() != '}' {
		name, err := s.Token()
		if err != nil {
			return err
		}
		if err := member(name.String()); err != nil {
			return err
		}
	}
	_, err := s.Token()
	return err
}

// Array calls element for each element of an array; it must read the value. Anything but an array is passed over.
func (s *Scanner) Array(element func() error) error {
	if s.Kind() != '[' {
		return s.Skip()
	}
	if _, err := s.Token(); err != nil {
		return err
	}
	for s.Kind() != ']' {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := s.Token()
	return err
}

// Open takes the `{` a document must begin with.
func (s *Scanner) Open() error {
	if kind := s.Kind(); kind != '{' {
		if _, err := s.Token(); err != nil {
			return err
		}
		return fmt.Errorf("%w: it is not a JSON object", ErrCorrupt)
	}
	return nil
}

// End is ErrCorrupt unless nothing is left.
func (s *Scanner) End() error {
	_, err := s.dec.ReadToken()
	switch {
	case err == nil:
		return fmt.Errorf("%w: there is more behind the object", ErrCorrupt)
	case errors.Is(err, io.EOF) && s.in.failed == nil:
		return nil
	}
	return s.fail(err)
}

package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/host/diag"
	"agy-reader/host/sidecar"
	"agy-reader/host/sync/fetch"
	"agy-reader/sinks"
)

// write gives do standard output, or the file path, which is made or emptied at the moment of the first byte: what fails
// before leaves it as it was. As elsewhere, `-` is standard output.
func (a *app) write(path string, found *fetch.Found, do func(io.Writer) error) error {
	if path == "" || path == "-" {
		return do(inertOn(a.streams.Out))
	}
	if found.Session != nil {
		belongs := []string{sidecar.Path(found.Session.Path)}
		for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
			belongs = append(belongs, found.Session.Path+suffix)
		}
		if slices.ContainsFunc(belongs, func(own string) bool { return samePath(path, own) }) {
			return diag.Usagef("--out %s is the session itself or belongs to it", path)
		}
	}
	file := &lateFile{path: path}
	err := errors.Join(do(file), file.Close())
	if file.err != nil {
		return fmt.Errorf("%w: --out: %w", sinks.ErrOutput, file.err)
	}
	return err
}

// lateFile is a file that is opened, and emptied, when something is written to it.
type lateFile struct {
	path string
	file *os.File
	// err is the first failure, which sinks may tell in words of their own.
	err error
}

func (f *lateFile) Write(p []byte) (n int, err error) {
	if f.file == nil {
		if f.file, err = os.Create(f.path); err != nil {
			f.err = cmp.Or(f.err, err)
			return 0, err
		}
	}
	n, err = f.file.Write(p)
	f.err = cmp.Or(f.err, err)
	return n, err
}

func (f *lateFile) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// sidecarText is the JSON that was found, byte for byte; what the sidecar adds comes last.
func sidecarText(found *fetch.Found) (io.Reader, error) {
	text := bytes.TrimSpace(found.Trajectory)
	if len(found.Block.Members) == 0 {
		return bytes.NewReader(text), nil
	}
	text = bytes.TrimRight(text[:len(text)-1], " \t\r\n")
	parts := []io.Reader{bytes.NewReader(text)}
	if text[len(text)-1] != '{' {
		parts = append(parts, strings.NewReader(","))
	}
	between := `"agyReader":{`
	for _, m := range found.Block.Members {
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		parts = append(parts, strings.NewReader(between+string(name)+":"), bytes.NewReader(m.Value))
		between = ","
	}
	return io.MultiReader(append(parts, strings.NewReader("}}"))...), nil
}

// indent writes JSON by two spaces a level, with the members in their order and texts and numbers as they are.
func indent(w io.Writer, text io.Reader) error {
	in := jsontext.NewDecoder(text, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	out := jsontext.NewEncoder(w, jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	for {
		token, err := in.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = out.WriteToken(token)
		}
		if err != nil {
			return err
		}
	}
}

// indenter is a writer that passes JSON on indented. It must be closed.
type indenter struct {
	pipe *io.PipeWriter
	done chan error
}

func newIndenter(w io.Writer) *indenter {
	r, pipe := io.Pipe()
	i := &indenter{pipe: pipe, done: make(chan error, 1)}
	go func() {
		err := indent(w, r)
		r.CloseWithError(err) // nobody waits for a reader that is gone
		i.done <- err
	}()
	return i
}

func (i *indenter) Write(p []byte) (int, error) { return i.pipe.Write(p) }

// Close waits until everything is passed on.
func (i *indenter) Close() error {
	_ = i.pipe.Close() // never fails
	return <-i.done
}

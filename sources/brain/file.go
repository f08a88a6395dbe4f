package brain

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/regular"
	"agy-reader/sources/secret"
)

const (
	maxMetadata = 256 << 10
	maxMessage  = 4 << 20
	maxArtifact = 1 << 20
	maxOutput   = 64 << 10
	// maxHashed is how big a file may be to be read from its beginning to its end. Bigger ones have more holes than bytes.
	maxHashed = 4 << 30
)

// open opens a file of the folder with no more than most bytes, or says why not.
func (f *Folder) open(e entry, most int64) (file *os.File, problem string) {
	root, err := os.OpenRoot(f.store)
	if err == nil {
		defer root.Close()
		name := e.name
		switch {
		case e.outside != "":
			name = e.outside
		case f.at != ".":
			name = f.at + "/" + e.name
		}
		file, err = regular.OpenIn(root, filepath.FromSlash(name))
	}
	if err != nil {
		return nil, cannotRead(err)
	}
	if e.size > most {
		file.Close()
		return nil, tooBig(e.size, most)
	}
	return file, ""
}

// cannotRead says why a file cannot be read, without the path it has on this machine.
func cannotRead(err error) string {
	var where *fs.PathError
	switch {
	case errors.Is(err, regular.ErrLink):
		return "This is a symbolic link, which is not followed."
	case errors.Is(err, fs.ErrNotExist):
		return "The file is no longer on disk."
	case errors.As(err, &where):
		err = where.Err
	}
	return fmt.Sprintf("The file cannot be read: %v.", err)
}

func tooBig(size, most int64) string {
	return fmt.Sprintf("The file has %d bytes and is not read: at most %d are.", size, most)
}

// contents are a file's hash and as much of its bytes as may be shown.
type contents struct {
	size int64
	sum  string
	// head is all of it when tail is nil; else between them bytes are left out.
	head, tail []byte
	problem    string
}

// contents reads a file once, from its beginning to its end. Of more than most bytes it keeps half of that from either end.
func (f *Folder) contents(ctx context.Context, e entry, most int) contents {
	file, problem := f.open(e, maxHashed)
	if problem != "" {
		return contents{size: e.size, problem: problem}
	}
	defer file.Close()
	sum := sha256.New()
	in := io.TeeReader(io.LimitReader(&cancelled{ctx, file}, maxHashed), sum)
	head, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
	c := contents{head: head, size: int64(len(head))}
	if err == nil && len(head) > most {
		tail := &ring{data: bytes.Clone(head[most/2:])}
		var n int64
		n, err = io.Copy(tail, in)
		c.head, c.size = head[:most/2:most/2], c.size+n
		c.tail = tail.last(most / 2)
	}
	if err != nil {
		return contents{size: e.size, problem: cannotRead(err)}
	}
	c.sum = hex.EncodeToString(sum.Sum(nil))
	return c
}

// ring keeps the last bytes written to it, a megabyte at least.
type ring struct{ data []byte }

func (r *ring) Write(p []byte) (int, error) {
	r.data = append(r.data, p...)
	if len(r.data) > 2*maxArtifact {
		r.data = append(r.data[:0], r.data[len(r.data)-maxArtifact:]...)
	}
	return len(p), nil
}

func (r *ring) last(n int) []byte { return bytes.Clone(r.data[max(len(r.data)-n, 0):]) }

// hashed is the hash of a file, once it is known.
type hashed struct {
	mu   sync.Mutex
	done bool
	c    contents
}

// sum hashes a file and keeps nothing of it. Many steps may name one file: it is read once.
func (f *Folder) sum(ctx context.Context, e entry) contents {
	known, _ := f.sums.LoadOrStore([2]string{e.outside, e.name}, &hashed{})
	h, _ := known.(*hashed)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.done {
		h.c = f.hashOf(ctx, e)
		h.done = ctx.Err() == nil
	}
	return h.c
}

func (f *Folder) hashOf(ctx context.Context, e entry) contents {
	file, problem := f.open(e, maxHashed)
	if problem != "" {
		return contents{size: e.size, problem: problem}
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(&cancelled{ctx, file}, maxHashed))
	if err != nil {
		return contents{size: e.size, problem: cannotRead(err)}
	}
	return contents{size: n, sum: hex.EncodeToString(sum.Sum(nil))}
}

func hash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// cancelled ends reading when its context does.
type cancelled struct {
	ctx context.Context //nolint:containedctx // it lives for one read
	r   io.Reader
}

func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// attachment describes a file and what of it was read.
func (f *Folder) attachment(kind string, e entry, c contents) *transcriptv1.Attachment {
	name := e.name
	if e.outside != "" {
		name = e.outside
	}
	a := &transcriptv1.Attachment{
		Kind: kind, Name: valid(name), Uri: valid(f.uri(e)), MimeType: mimeOf(e.name), Sha256: c.sum,
	}
	if e.link || secret.File(e.name) || secret.File(revisedBy(e.name)) {
		a.Uri = "" // nobody is to open it
	}
	if c.sum != "" {
		a.Size = new(uint64)
		*a.Size = uint64(c.size)
	} else if !e.odd {
		a.Size = new(uint64)
		*a.Size = uint64(max(e.size, 0))
	}
	if c.problem != "" {
		a.Blocks = append(a.Blocks, warning(c.problem))
	}
	return a
}

package artifact

import (
	"context"
	"errors"
	"io"
	"os"
)

// Stream is an Output that takes one artifact and, once it is complete, writes it to a writer such as standard output. Until
// then it lies in a private temporary folder, so that a slow reader at the other end never holds up the source.
type Stream struct {
	*Set
	w io.Writer
}

var _ Output = (*Stream)(nil)

// OpenStream starts an Output that ends in w, which stays open.
func OpenStream(w io.Writer) (*Stream, error) {
	dir, err := os.MkdirTemp("", "agy-reader-")
	if err != nil {
		return nil, outputError("spool in", os.TempDir(), err)
	}
	f, err := openFolder(dir)
	if err != nil {
		removeFolders([]string{dir})
		return nil, outputError("spool in", dir, err)
	}
	set := newSet(dir, f, Options{}, []string{dir})
	set.as = "stdout"
	return &Stream{Set: set, w: w}, nil
}

// Commit implements Output. A failure in the middle of the copy cannot be taken back. Where the system allows it, nothing
// is left in the temporary folder even if the reader at the other end goes away and takes this process with it.
func (s *Stream) Commit(ctx context.Context) ([]File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil, outputError("write to", "-", errState)
	}
	staged, err := s.stage(ctx)
	var files []File
	for _, st := range staged {
		if err == nil {
			err = s.copyOut(ctx, st)
			files = append(files, File{Name: st.piece.name, Path: "-", MediaType: st.piece.mediaType, Size: st.size})
		}
	}
	if err := errors.Join(err, s.end(true)); err != nil {
		return nil, err
	}
	return files, nil
}

func (s *Stream) copyOut(ctx context.Context, st *staged) error {
	from, err := s.dir.OpenFile(st.temp, os.O_RDONLY, 0)
	if err != nil {
		return outputError("read back", st.piece.name, err)
	}
	defer from.Close()
	if s.dir.Remove(st.temp) == nil {
		removeFolders(s.made)
	}
	buf := make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := from.Read(buf)
		if n > 0 {
			if _, err := s.w.Write(buf[:n]); err != nil {
				return outputError("write to", "-", err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return outputError("read back", st.piece.name, err)
		}
	}
}

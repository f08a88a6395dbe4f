package sidecar

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"agy-reader/sources"
)

// maxRead is the largest trajectory that is read into memory, in bytes: more than a daemon's answers may have. Replaced in
// tests.
var maxRead int64 = 1 << 30

// File is a sidecar in memory.
type File struct {
	// Trajectory is the daemon's object without agyReader, otherwise byte for byte.
	Trajectory json.RawMessage
	// Block is empty when the file has none.
	Block Block
}

// Read loads a sidecar. Errors are those of Open, ErrCorrupt and sources.ErrLimit.
func Read(path string) (*File, error) {
	in, l, err := scanFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	content := l.with(in, Block{})
	if content.size > maxRead {
		return nil, fmt.Errorf("read %s: %w: it has %d bytes, and no answer of a daemon has more than %d", path, sources.ErrLimit, content.size, maxRead)
	}
	trajectory := make([]byte, content.size)
	if _, err := io.ReadFull(content, trajectory); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return &File{Trajectory: trajectory[:len(trajectory)-1], Block: l.block}, nil
}

// ReadBlock reads the block alone, with the errors of Read. The rest is checked and not kept.
func ReadBlock(path string) (Block, error) {
	in, l, err := scanFile(path)
	if err != nil {
		return Block{}, err
	}
	in.Close()
	return l.block, nil
}

func scanFile(path string) (*os.File, layout, error) {
	in, err := Open(path)
	if err != nil {
		return nil, layout{}, err
	}
	l, err := scan(in)
	if err != nil {
		in.Close()
		return nil, l, fmt.Errorf("read %s: %w", path, err)
	}
	return in, l, nil
}

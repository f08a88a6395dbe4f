package main

import (
	"context"
	"io"

	"agy-reader/host/artifact"
)

// discard is an Output that counts.
type discard struct{ bytes int64 }

var _ artifact.Output = (*discard)(nil)

// Create implements sinks.Artifacts.
func (d *discard) Create(string, string, uint32) (io.WriteCloser, error) { return discardPart{d}, nil }

// Commit implements artifact.Output.
func (d *discard) Commit(context.Context) ([]artifact.File, error) { return nil, nil }

// Abort implements artifact.Output.
func (d *discard) Abort() error { return nil }

type discardPart struct{ *discard }

func (p discardPart) Write(b []byte) (int, error) {
	p.bytes += int64(len(b))
	return len(b), nil
}

func (discardPart) Close() error { return nil }

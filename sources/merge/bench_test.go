package merge_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/sqlite"
)

// BenchmarkWhole compares reading a whole database directly with reading it through merge, beside logs that hold the same.
func BenchmarkWhole(b *testing.B) {
	for _, size := range []struct {
		name  string
		steps int
	}{{"small", 8}, {"big", 5000}} {
		s := newStore(b)
		s.database(size.steps)
		s.log("transcript.jsonl", lines(0, size.steps-1)...)
		for _, by := range []struct {
			name   string
			source sources.Source
			ref    sources.Ref
		}{
			{"sqlite", sqlite.New(), s.ref()},
			{"auto, no store known", source(), sources.Ref{ID: id, Path: s.file(".db")}},
			{"auto", source(), s.ref()},
		} {
			b.Run(filepath.Join(size.name, by.name), func(b *testing.B) {
				for b.Loop() {
					drain(b, by.source, by.ref)
				}
			})
		}
	}
}

func drain(b *testing.B, source sources.Source, ref sources.Ref) {
	ctx := context.Background()
	r, err := source.Open(ctx, ref, sources.Want{Blocks: true})
	if err != nil {
		b.Fatal(err)
	}
	for {
		batch, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
		if err := batch.Decode(func(*transcriptv1.Event) error { return nil }); err != nil {
			b.Fatal(err)
		}
		batch.Release()
	}
	if _, err := r.Close(); err != nil {
		b.Fatal(err)
	}
}

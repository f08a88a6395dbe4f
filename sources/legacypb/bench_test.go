package legacypb

import (
	"context"
	"errors"
	"io"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/sqlite"
)

// The same real steps from an encrypted file and from a database: the target is 1.3 times the time at most.
func BenchmarkFileAgainstDatabase(b *testing.B) {
	var pairs [][2]string
	for _, path := range files(b, "conversations") {
		pairs = append(pairs, [2]string{path, asDatabase(b, path)})
	}
	for i, source := range []sources.Source{New(), sqlite.New()} {
		b.Run(source.Describe().Name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				for _, pair := range pairs {
					drain(b, source, pair[i])
				}
			}
		})
	}
}

func drain(b *testing.B, s sources.Source, path string) {
	b.Helper()
	ctx := context.Background()
	r, err := s.Open(ctx, sources.Ref{Path: path}, sources.Want{Blocks: true})
	if err != nil {
		b.Fatal(err)
	}
	for {
		batch, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = batch.Decode(func(*transcriptv1.Event) error { return nil })
		}
		if err != nil {
			b.Fatal(err)
		}
		batch.Release()
	}
	if _, err := r.Close(); err != nil {
		b.Fatal(err)
	}
}

package verify_test

import (
	"context"
	"os"
	"testing"

	"agy-reader/host/artifact"
	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/host/corpus"
	"agy-reader/host/demo/build"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// long makes a big conversation of the steps of mixed.
func long(b *testing.B, rounds int) (store.Session, []byte) {
	b.Helper()
	var payloads [][]byte
	filler := make([]byte, 8000)
	for i := range filler {
		filler[i] = "some words of an output\n"[i%24]
	}
	for range rounds {
		for _, step := range mixedSteps {
			payloads = append(payloads, build.Step(b, step[0]))
		}
		payloads = append(payloads, build.Prompt(b, string(filler)))
	}
	c, err := build.NewConversation(mixedID, mixedTrajectory, payloads...)
	if err != nil {
		b.Fatal(err)
	}
	session := write(b, c)
	return session, assemble(b, session.Path)
}

// BenchmarkCheck is a full check: snapshot, comparison of both answers, last look. BenchmarkConvert is what the same
// session costs to convert to JSON.
func BenchmarkCheck(b *testing.B) {
	b.Run("made", func(b *testing.B) {
		session, wire := long(b, 1000)
		bench(b, session, wire)
	})
	b.Run("real", func(b *testing.B) {
		path := biggest(b)
		bench(b, sessionOf(path), assemble(b, path))
	})
}

func bench(b *testing.B, session store.Session, wire []byte) {
	b.Helper()
	v := verifier()
	ordinary := displayed(b, session)
	b.SetBytes(int64(len(wire)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := v.Take(b.Context(), session)
		if err != nil {
			b.Fatal(err)
		}
		if _, err = s.Check(context.Background(), daemon.Full{Proto: wire}, ordinary); err != nil {
			b.Fatal(err)
		}
		if err = s.Unchanged(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkConvert: see BenchmarkCheck.
func BenchmarkConvert(b *testing.B) {
	b.Run("made", func(b *testing.B) {
		session, wire := long(b, 1000)
		b.SetBytes(int64(len(wire)))
		for b.Loop() {
			displayed(b, session)
		}
	})
	b.Run("real", func(b *testing.B) {
		path := biggest(b)
		wire := assemble(b, path)
		b.SetBytes(int64(len(wire)))
		for b.Loop() {
			displayed(b, sessionOf(path))
		}
	})
}

// displayed converts a session to JSON and returns the document.
func displayed(b *testing.B, session store.Session) []byte {
	b.Helper()
	registry, err := builtin.Registry()
	if err != nil {
		b.Fatal(err)
	}
	source, err := registry.Source("sqlite")
	if err != nil {
		b.Fatal(err)
	}
	sink, err := registry.Sink("json")
	if err != nil {
		b.Fatal(err)
	}
	out, err := artifact.Open(b.TempDir(), artifact.Options{})
	if err != nil {
		b.Fatal(err)
	}
	result, err := convert.Run(b.Context(), convert.Job{
		Source: source, Ref: session.Ref(), Out: out, Targets: []convert.Target{{Sink: sink}},
	})
	if err != nil {
		b.Fatal(err)
	}
	raw, err := os.ReadFile(result.Files[0].Path)
	if err != nil {
		b.Fatal(err)
	}
	return raw
}

// biggest is the biggest real database.
func biggest(b *testing.B) string {
	b.Helper()
	path, size := "", int64(0)
	for _, one := range corpus.Databases(b, corpus.Copy(b)) {
		if info, err := os.Stat(one); err == nil && info.Size() > size {
			path, size = one, info.Size()
		}
	}
	return path
}

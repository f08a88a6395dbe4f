//go:build unix

package launch_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/launch"
	"agy-reader/plugins/rpc"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// copySink writes a heading and the text of every step: as little work as a sink can do.
func copySink() sinks.Sink {
	return &copying{}
}

type copying struct{}

func (copying) Describe() sinks.Info {
	return sinks.Info{Name: "copy", MediaType: "text/plain", Suffix: ".txt", Needs: sinks.Needs{Blocks: true}}
}

func (copying) Open(_ context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	w, err := out.Create(req.BaseName+".txt", "text/plain", 0)
	return &copySession{w: w}, err
}

type copySession struct {
	w   io.WriteCloser
	buf []byte
}

func (s *copySession) Event(ev *transcriptv1.Event) error {
	s.buf = append(append(s.buf[:0], "## "...), ev.GetStep().GetAnchor()...)
	for _, b := range ev.GetStep().GetBlocks() {
		s.buf = append(append(s.buf, '\n'), b.GetText()...)
	}
	_, err := s.w.Write(s.buf)
	return err
}

func (s *copySession) Close() error { return s.w.Close() }
func (s *copySession) Abort()       {}

// nowhere counts what is written.
type nowhere struct{ bytes int64 }

func (n *nowhere) Create(string, string, uint32) (io.WriteCloser, error) { return n, nil }
func (n *nowhere) Write(p []byte) (int, error)                           { n.bytes += int64(len(p)); return len(p), nil }
func (n *nowhere) Close() error                                          { return nil }

// BenchmarkStep is the cost of one step both ways, marshalling included (P2: at most 12 µs and at least 200 MB/s for 2 KB
// in a process).
func BenchmarkStep(b *testing.B) {
	process := func(b *testing.B) (sinks.Sink, func()) {
		p, err := launch.Start(b.Context(), self(b, "copy"), launch.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = p.Close() })
		return p.Sink(), func() { _ = p.Close() }
	}
	memory := func(b *testing.B) (sinks.Sink, func()) {
		client, err := rpc.Connect(b.Context(), trial.Dial(b, rpc.NewSinkServer(copySink(), rpc.Manifest{}, nil).Register), "m", rpc.ClientOptions{})
		if err != nil {
			b.Fatal(err)
		}
		return client, func() {}
	}
	direct := func(*testing.B) (sinks.Sink, func()) { return copySink(), func() {} }
	for _, size := range []int{200, 2 << 10, 32 << 10} {
		for _, way := range []struct {
			name string
			open func(*testing.B) (sinks.Sink, func())
		}{{"direct", direct}, {"memory", memory}, {"process", process}} {
			b.Run(fmt.Sprintf("%s/%d", way.name, size), func(b *testing.B) {
				out := &nowhere{}
				sink, closeNow := way.open(b)
				session, err := sink.Open(b.Context(), request(), out)
				if err != nil {
					b.Fatal(err)
				}
				ev := trial.Sized(1, size)
				b.SetBytes(int64(size))
				before := cpuTime()
				b.ResetTimer()
				for range b.N {
					if err := session.Event(ev); err != nil {
						b.Fatal(err)
					}
				}
				if err := session.Close(); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				// On a busy machine the time of the processors says more than the clock. A process counts once it is closed.
				closeNow()
				b.ReportMetric(float64(cpuTime()-before)/float64(b.N), "cpu-ns/op")
				if out.bytes < int64(b.N)*int64(size) {
					b.Fatalf("%d bytes came of %d", out.bytes, int64(b.N)*int64(size))
				}
			})
		}
	}
}

// BenchmarkStart is a plugin from nothing to described, and back to nothing.
func BenchmarkStart(b *testing.B) {
	for range b.N {
		p, err := launch.Start(b.Context(), self(b, "copy"), launch.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkConversation is a small conversation in a process that runs already.
func BenchmarkConversation(b *testing.B) {
	p, err := launch.Start(b.Context(), self(b, "copy"), launch.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	b.ResetTimer()
	for range b.N {
		session, err := p.Sink().Open(b.Context(), request(), &nowhere{})
		if err != nil {
			b.Fatal(err)
		}
		for i := range 10 {
			if err := session.Event(trial.Sized(i, 2<<10)); err != nil {
				b.Fatal(err)
			}
		}
		if err := session.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

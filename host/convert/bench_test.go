package convert_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
	"agy-reader/sinks"
	"agy-reader/sources"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// endless yields the same batches again and again without copying them: what is measured is the router.
type endless struct {
	fakeSource
	batch []*transcriptv1.Event
	count int
}

func (e *endless) Open(_ context.Context, _ sources.Ref, _ sources.Want) (sources.Reader, error) {
	return &endlessReader{endless: e}, nil
}

type endlessReader struct {
	*endless
	read int
}

func (r *endlessReader) Header() *transcriptv1.Header {
	return &transcriptv1.Header{ConversationId: "conv"}
}

func (r *endlessReader) Next(context.Context) (sources.Batch, error) {
	if r.read == r.count {
		return nil, io.EOF
	}
	r.read++
	return reused(r.batch), nil
}

func (r *endlessReader) Close() (*transcriptv1.Footer, error) { return nil, nil }

type reused []*transcriptv1.Event

func (r reused) Decode(yield func(*transcriptv1.Event) error) error {
	for _, ev := range r {
		if err := yield(ev); err != nil {
			return err
		}
	}
	return nil
}

func (reused) Release() {}

// lineSink renders a step's JSON, as the cheapest real sink does.
type lineSink struct{ fakeSink }

func (s *lineSink) Open(_ context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	w, err := out.Create(req.BaseName, "text/plain", 0)
	return &lineSession{w}, err
}

type lineSession struct{ w io.WriteCloser }

func (s *lineSession) Event(*transcriptv1.Event) error { return nil }

func (s *lineSession) Render(dst []byte, ev *transcriptv1.Event) ([]byte, error) {
	return append(dst, ev.GetStep().GetDisplayJson()...), nil
}

func (s *lineSession) Rendered(_ *transcriptv1.Event, out []byte) error {
	_, err := s.w.Write(out)
	return err
}

func (s *lineSession) Close() error { return s.w.Close() }

func (s *lineSession) Abort() {}

// BenchmarkRouter measures what the router adds to a step: pairing, overview, order. Allocations are per step.
func BenchmarkRouter(b *testing.B) {
	const perBatch, batches = 64, 200
	var events []*transcriptv1.Event
	for i := 0; i < perBatch; i += 4 {
		id := fmt.Sprint("call-", i)
		events = append(events, stepEvent(i, user), stepEvent(i+1, assistant, calling(id), using("r"+id, 10)),
			stepEvent(i+2, tool, answering(id)), stepEvent(i+3, assistant))
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers-", workers), func(b *testing.B) {
			source := &endless{batch: events, count: batches}
			b.ReportAllocs()
			for b.Loop() {
				out, err := artifact.OpenStream(io.Discard)
				if err != nil {
					b.Fatal(err)
				}
				_, err = convert.Run(b.Context(), convert.Job{
					Source: source, Targets: []convert.Target{{Sink: &lineSink{fakeSink{name: "line", needs: all}}}}, Out: out, Workers: workers,
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*perBatch*batches), "ns/step")
		})
	}
}

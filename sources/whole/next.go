package whole

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"io"

	"google.golang.org/protobuf/encoding/protowire"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/trajectory"
)

// Header implements sources.Reader.
func (r *Reader) Header() *transcriptv1.Header { return r.header }

// Next implements sources.Reader.
func (r *Reader) Next(ctx context.Context) (sources.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b := trajectory.NewBatch(&r.reading)
	for r.at != partEnd {
		switch r.at {
		case partNotes:
			for _, n := range r.before {
				b.Note(n)
			}
			r.begin(partSteps, trajectory.StepsField)
		case partSteps:
			if r.steps(b) {
				return b, nil
			}
			r.at = partEndOfSteps
		case partEndOfSteps:
			if r.in.Want.Gaps && b.Len() > 0 {
				return b, nil
			}
			first := r.index
			r.begin(partCalls, trajectory.GenerationsField)
			if r.in.Want.Gaps {
				return endOfSteps{b, first}, nil
			}
			if !r.in.Want.Records {
				r.at = partEnd
			}
		case partCalls:
			if r.in.Want.Records && r.records(b, trajectory.GenerationSection, trajectory.GenerationMessage) {
				return b, nil
			}
			r.begin(partExecutors, trajectory.ExecutorsField)
		case partExecutors:
			if r.in.Want.Records && r.records(b, trajectory.ExecutorSection, trajectory.ExecutorMessage) {
				return b, nil
			}
			r.at = partEnd
		}
	}
	if b.Len() > 0 {
		return b, nil
	}
	b.Release()
	return nil, io.EOF
}

func (r *Reader) begin(p part, number protowire.Number) {
	r.at, r.items, r.index = p, r.in.Parts.Items(number), 0
}

// steps adds steps to b and reports whether b is full.
func (r *Reader) steps(b *trajectory.Batch) bool {
	for {
		before := r.items
		payload, ok := r.items.Next()
		if !ok {
			return false
		}
		if b.Full(len(payload)) {
			r.items = before
			return true
		}
		if r.digest != nil {
			r.hash(payload)
		}
		kind, status := trajectory.TypeAndStatus(payload)
		if status == trajectory.ClearedStatus {
			r.cleared++
		}
		b.Step(interpret.Input{Index: r.index, Payload: payload, StepType: kind, Status: status})
		r.index++
	}
}

// records adds records to b and reports whether b is full.
func (r *Reader) records(b *trajectory.Batch, section, message string) bool {
	for {
		before := r.items
		raw, ok := r.items.Next()
		if !ok {
			return false
		}
		if b.Full(len(raw)) {
			r.items = before
			return true
		}
		b.Record(section, message, r.index, raw)
		r.index++
	}
}

// hash adds a step to the digest: its index, its length and its bytes.
func (r *Reader) hash(payload []byte) {
	head := binary.AppendUvarint(make([]byte, 0, 2*binary.MaxVarintLen64), uint64(r.index))
	r.digest.Write(binary.AppendUvarint(head, uint64(len(payload))))
	r.digest.Write(payload)
}

// Close implements sources.Reader.
func (r *Reader) Close() (*transcriptv1.Footer, error) {
	parts := r.in.Parts
	r.in.Parts, r.items = nil, Items{}
	if r.at != partEnd || parts == nil {
		return nil, nil
	}
	f := &transcriptv1.Footer{Generations: r.models.Usage, Completeness: trajectory.Cleared(r.cleared)}
	if r.digest != nil {
		f.SourceDigest = hex.EncodeToString(r.digest.Sum(nil))
	}
	if !r.in.Want.Records {
		f.SkippedSections = trajectory.Sections(int64(parts.Calls), int64(parts.Executors), parts.ExecutorBytes)
	}
	return f, nil
}

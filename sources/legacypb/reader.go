package legacypb

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
)

// reader is one decrypted conversation, sources.Reader. Its batches refer to the decrypted bytes.
type reader struct {
	parts   *layout
	profile *profile.Profile
	reading trajectory.Reading
	want    sources.Want
	header  *transcriptv1.Header
	// before are notes that precede the first step.
	before []*transcriptv1.Note
	models trajectory.Generations

	// at is the part that Next reads, index the next item of it.
	at      part
	items   cursor
	index   uint32
	cleared int64
	digest  hash.Hash
	// release gives the file's memory back to the collector's account.
	release func()
}

// part is what a reader is reading; it begins with the notes before the first step.
type part int

const (
	partNotes part = iota
	partSteps
	partEndOfSteps
	partCalls
	partExecutors
	partEnd
)

func (s *Source) openReader(ctx context.Context, ref sources.Ref, want sources.Want) (opened *reader, err error) {
	if ref.Path == "" {
		return nil, fmt.Errorf("%w: it is not a file", sources.ErrUnsupported)
	}
	c, err := s.load(ctx, ref.Path)
	if err != nil {
		return nil, err
	}
	r := &reader{parts: newLayout(c.plain), want: want, release: hold(int64(len(c.plain)))}
	defer func() {
		if err != nil {
			r.release()
		}
	}()
	reason, unverified, err := r.choose(c.key)
	if err != nil {
		return nil, err
	}
	base := filepath.Base(ref.Path)
	if err := r.readHeader(ref, strings.TrimSuffix(base, suffix)); err != nil {
		return nil, err
	}
	r.header.Provenance = &transcriptv1.Provenance{
		Source: "legacypb", Location: base, Profile: r.profile.Info().Name, ProfileReason: reason, Unverified: unverified,
	}
	if c.key == "" {
		r.before = append(r.before, &transcriptv1.Note{
			Kind: trajectory.NoteRow, Severity: transcriptv1.Severity_SEVERITY_INFO,
			Text: "the file is not encrypted, so nothing vouches for its being what the product wrote",
		})
	}
	ip := interpret.New(r.profile)
	if !want.Peek || !ref.Titled {
		r.header.Title = r.title(ip)
	}
	if want.Peek {
		return r, nil
	}
	calls := r.parts.items(trajectory.GenerationsField)
	for raw, ok := calls.next(); ok; raw, ok = calls.next() {
		if err := r.models.Add(ip, raw); err != nil {
			return nil, err
		}
	}
	r.reading = trajectory.Reading{Profile: r.profile, Interpreter: ip, Session: &interpret.Session{
		ConversationID: r.header.GetConversationId(), TrajectoryID: r.header.GetTrajectoryId(),
		Want: want, Models: r.models.Models(),
	}}
	if want.Digest {
		r.digest = sha256.New()
	}
	return r, nil
}

// choose picks the decoder profile.
func (r *reader) choose(key string) (reason string, unverified bool, err error) {
	if r.want.Profile == "" {
		var verified bool
		ev := evidence(key, nil)
		if !r.want.Peek {
			ev.Samples = r.parts.samples()
		}
		r.profile, reason, verified, err = profile.Choose(ev)
		return reason, !verified, err
	}
	if r.profile, err = profile.Load(r.want.Profile); err != nil {
		return "", false, err
	}
	for _, known := range r.profile.Manifest().FileKeys {
		if known.Name == key {
			return "asked for by name", false, nil
		}
	}
	return "asked for by name", true, nil
}

// evidence is what a file says about its format.
func evidence(key string, samples [][]byte) profile.Evidence {
	return profile.Evidence{Storage: "pb", FileKey: key, Samples: samples}
}

// Evidence returns what a profile is chosen by for this conversation.
func (s *Source) Evidence(ctx context.Context, ref sources.Ref) (profile.Evidence, error) {
	c, err := s.load(ctx, ref.Path)
	if err != nil {
		return profile.Evidence{}, err
	}
	return evidence(c.key, newLayout(c.plain).samples()), nil
}

// title looks for the title the product made, else for the first prompt.
func (r *reader) title(ip *interpret.Interpreter) *transcriptv1.Sourced {
	for _, kind := range [...]int64{trajectory.CheckpointType, trajectory.UserInputType} {
		steps := r.parts.items(trajectory.StepsField)
		for payload, ok := steps.next(); ok; payload, ok = steps.next() {
			if found, _ := trajectory.TypeAndStatus(payload); found != kind {
				continue
			}
			if value, origin := ip.Title(payload); value != "" {
				return &transcriptv1.Sourced{Value: value, Origin: origin}
			}
		}
	}
	return &transcriptv1.Sourced{Origin: "not recorded"}
}

// Header implements sources.Reader.
func (r *reader) Header() *transcriptv1.Header { return r.header }

// Next implements sources.Reader.
func (r *reader) Next(ctx context.Context) (sources.Batch, error) {
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
			if r.want.Gaps && b.Len() > 0 {
				return b, nil
			}
			first := r.index
			r.begin(partCalls, trajectory.GenerationsField)
			if r.want.Gaps {
				return endOfSteps{b, first}, nil
			}
			if !r.want.Records {
				r.at = partEnd
			}
		case partCalls:
			if r.want.Records && r.records(b, trajectory.GenerationSection, trajectory.GenerationMessage) {
				return b, nil
			}
			r.begin(partExecutors, trajectory.ExecutorsField)
		case partExecutors:
			if r.want.Records && r.records(b, trajectory.ExecutorSection, trajectory.ExecutorMessage) {
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

func (r *reader) begin(p part, number protowire.Number) {
	r.at, r.items, r.index = p, r.parts.items(number), 0
}

// steps adds steps to b and reports whether b is full.
func (r *reader) steps(b *trajectory.Batch) bool {
	for {
		before := r.items
		payload, ok := r.items.next()
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
func (r *reader) records(b *trajectory.Batch, section, message string) bool {
	for {
		before := r.items
		raw, ok := r.items.next()
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
func (r *reader) hash(payload []byte) {
	head := binary.AppendUvarint(make([]byte, 0, 2*binary.MaxVarintLen64), uint64(r.index))
	r.digest.Write(binary.AppendUvarint(head, uint64(len(payload))))
	r.digest.Write(payload)
}

// Close implements sources.Reader.
func (r *reader) Close() (*transcriptv1.Footer, error) {
	parts := r.parts
	r.parts, r.items = nil, cursor{}
	r.release()
	if r.at != partEnd || parts == nil {
		return nil, nil
	}
	f := &transcriptv1.Footer{Generations: r.models.Usage, Completeness: trajectory.Cleared(r.cleared)}
	if r.digest != nil {
		f.SourceDigest = hex.EncodeToString(r.digest.Sum(nil))
	}
	if !r.want.Records {
		f.SkippedSections = trajectory.Sections(int64(parts.calls), int64(parts.executors), parts.executorBytes)
	}
	return f, nil
}

package whole

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
)

// Input is what a Reader is made of.
type Input struct {
	Parts   *Parts
	Profile *profile.Profile
	Ref     sources.Ref
	// Stem names the conversation when neither the trajectory nor Ref does. Origin says in one word or two what it was read
	// from, for example "conversation file", and Thing the same for the middle of a sentence, for example "the file".
	Stem, Origin, Thing string
	// Provenance is what the header says about that.
	Provenance *transcriptv1.Provenance
	Want       sources.Want
}

// Reader is a trajectory message as a sources.Reader. Its batches refer to the message.
type Reader struct {
	in      Input
	reading trajectory.Reading
	header  *transcriptv1.Header
	// before are notes that precede the first step.
	before []*transcriptv1.Note
	models trajectory.Generations

	// at is the part that Next reads, index the next item of it.
	at      part
	items   Items
	index   uint32
	cleared int64
	digest  hash.Hash
}

var (
	_ sources.Reader   = (*Reader)(nil)
	_ sources.Outliner = (*Reader)(nil)
)

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

// New returns a reader whose header is complete.
func New(in Input) (*Reader, error) {
	r := &Reader{in: in}
	if err := r.readHeader(); err != nil {
		return nil, err
	}
	ip := interpret.New(in.Profile)
	if !in.Want.Peek || !in.Ref.Titled {
		r.header.Title = r.title(ip)
	}
	if in.Want.Peek {
		return r, nil
	}
	calls := in.Parts.Items(trajectory.GenerationsField)
	for raw, ok := calls.Next(); ok; raw, ok = calls.Next() {
		if err := r.models.Add(ip, raw); err != nil {
			return nil, err
		}
	}
	r.reading = trajectory.Reading{Profile: in.Profile, Interpreter: ip, Session: &interpret.Session{
		ConversationID: r.header.GetConversationId(), TrajectoryID: r.header.GetTrajectoryId(),
		Want: in.Want, Models: r.models.Models(),
	}}
	if in.Want.Digest {
		r.digest = sha256.New()
	}
	return r, nil
}

// readHeader fills the header from everything that is not steps, model calls or executor runs.
func (r *Reader) readHeader() (err error) {
	in, parts := r.in, r.in.Parts
	head := trajectory.Head{Profile: in.Profile, Wire: parts.Rest, Ref: in.Ref, Stem: in.Stem, Origin: in.Origin, Want: in.Want}
	if r.header, r.before, err = head.Header(); err != nil {
		return err
	}
	r.header.AnnouncedSteps = uint32(parts.Steps)
	r.header.Provenance = in.Provenance
	if parts.Foreign {
		// One value, because its parts mean nothing.
		r.header.Unknown = append(r.header.Unknown, &transcriptv1.UnknownField{
			Path: "trajectory", Number: 1, WireType: uint32(protowire.BytesType), Value: parts.Trajectory,
		})
		r.Damage(fmt.Sprintf("what %s holds in the place of a trajectory is none; its %d bytes are kept", in.Thing, len(parts.Trajectory)))
	}
	if len(parts.Dropped) > 0 {
		r.Damage("too big to be kept: " + strings.Join(parts.Dropped, ", "))
	}
	if parts.Broken != nil {
		r.Damage(fmt.Sprintf("what %s holds ends too early: %v; anything behind is lost", in.Thing, parts.Broken))
	}
	return nil
}

// Note adds notes that precede the first step. Only before the first Next.
func (r *Reader) Note(notes ...*transcriptv1.Note) { r.before = append(r.before, notes...) }

// Damage adds a note about damage. Only before the first Next.
func (r *Reader) Damage(text string) {
	r.Note(&transcriptv1.Note{
		Kind: trajectory.NoteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Incomplete: true, Text: text,
	})
}

// Choose picks the decoder profile for a trajectory, the one asked for by name first. known reports whether a profile that
// was asked for is for what the trajectory was read from; nil is never.
func Choose(parts *Parts, ev profile.Evidence, want sources.Want, known func(*profile.Profile) bool) (p *profile.Profile, reason string, unverified bool, err error) {
	if want.Profile != "" {
		if p, err = profile.Load(want.Profile); err != nil {
			return nil, "", false, err
		}
		return p, "asked for by name", known == nil || !known(p), nil
	}
	if !want.Peek {
		ev.Samples = parts.Samples()
	}
	p, reason, verified, err := profile.Choose(ev)
	return p, reason, !verified, err
}

// Summary is what a list needs to know, from a reader that was opened with Want.Peek. It closes the reader.
func Summary(r sources.Reader) (sources.Summary, error) {
	h := r.Header()
	_, err := r.Close()
	return sources.Summary{Steps: h.AnnouncedSteps, Title: h.Title, CreatedNS: h.CreatedNs, Header: h}, err
}

// title looks for the title the product made, else for the first prompt.
func (r *Reader) title(ip *interpret.Interpreter) *transcriptv1.Sourced {
	for _, kind := range [...]int64{trajectory.CheckpointType, trajectory.UserInputType} {
		steps := r.in.Parts.Items(trajectory.StepsField)
		for payload, ok := steps.Next(); ok; payload, ok = steps.Next() {
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

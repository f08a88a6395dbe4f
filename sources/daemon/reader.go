package daemon

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
	"agy-reader/sources/whole"
)

// noteDaemon is the kind of notes about the daemon's answer as a whole.
const noteDaemon = "daemon"

// evidence is what an answer says about its format: it is that of the database, for the daemon that writes one answers.
var evidence = profile.Evidence{Storage: "db"}

// reader is an answer as a sources.Reader.
type reader struct {
	*whole.Reader
	strict bool
	// left are what of a step's JSON no profile knows, by the index of the step.
	left map[uint32][]*transcriptv1.UnknownField
}

// newReader makes the answer a trajectory in wire form, whatever it came as, and reads that.
func newReader(full Full, ref sources.Ref, stem string, want sources.Want) (*reader, error) {
	return newReaderAs("", "this is what a running daemon has in memory, and nothing proves that it is what the store holds", full, ref, stem, want)
}

// newReaderAs is newReader for an answer of another origin, which the header names and the note explains.
func newReaderAs(origin, note string, full Full, ref sources.Ref, stem string, want sources.Want) (*reader, error) {
	wire, form := full.Proto, "full protobuf answer"
	var left profile.Leftovers
	if wire == nil {
		form = "full JSON answer"
		var err error
		if wire, left, err = wireForm(full.JSON, want.Profile); err != nil {
			return nil, err
		}
	}
	if origin != "" {
		form = origin
	}
	parts := whole.Cut(wire)
	p, reason, unverified, err := whole.Choose(parts, evidence, want, nil)
	if err != nil {
		return nil, err
	}
	inner, err := whole.New(whole.Input{
		Parts: parts, Profile: p, Ref: ref, Stem: stem, Origin: "daemon", Thing: "the answer", Want: want,
		Provenance: &transcriptv1.Provenance{
			Source: "daemon", Location: form, Profile: p.Info().Name, ProfileReason: reason, Unverified: unverified,
		},
	})
	if err != nil {
		return nil, err
	}
	r := &reader{Reader: inner, strict: want.Strict, left: map[uint32][]*transcriptv1.UnknownField{}}
	r.Note(&transcriptv1.Note{
		Kind: noteDaemon, Severity: transcriptv1.Severity_SEVERITY_INFO,
		Text: note,
	})
	if full.Steps < full.Total {
		r.short(full)
	}
	r.keep(full.beside, &left)
	return r, nil
}

// wireForm makes JSON wire bytes, by the profile that leaves least over.
func wireForm(text []byte, name string) (wire []byte, left profile.Leftovers, err error) {
	names := []string{name}
	if name == "" {
		candidates, _, _, err := profile.Explain(evidence)
		if err != nil {
			return nil, left, err
		}
		names = nil
		for _, c := range candidates {
			names = append(names, c.Name)
		}
	}
	best := -1
	for i, name := range names {
		p, err := profile.Load(name)
		if err != nil {
			return nil, left, err
		}
		var over profile.Leftovers
		got, err := p.AppendWire(nil, trajectory.Message, text, "", &over)
		if err != nil {
			return nil, left, fmt.Errorf("%w: %w", ErrMalformed, err)
		}
		if best < 0 || len(over.List)+over.More < len(left.List)+left.More {
			best, wire, left = i, got, over
		}
		if left.Clean() {
			break
		}
	}
	return wire, left, nil
}

// short notes that the daemon did not give all steps.
func (r *reader) short(full Full) {
	text := fmt.Sprintf("the daemon says there are %d steps and gave %d", full.Total, full.Steps)
	if full.Short != nil {
		text += ": " + full.Short.Error()
	}
	r.Note(&transcriptv1.Note{Kind: trajectory.NoteGap, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true, Text: text})
}

// keep puts what the model has no place for where it belongs: with its step, else in the header.
func (r *reader) keep(beside []*transcriptv1.UnknownField, left *profile.Leftovers) {
	header := r.Header()
	header.Unknown = append(header.Unknown, beside...)
	if len(beside) > 0 {
		var names []string
		for _, f := range beside {
			name := strings.TrimPrefix(f.GetPath(), methodGet+".")
			if f.GetNumber() > 0 {
				name = fmt.Sprintf("field %d", f.GetNumber())
			}
			names = append(names, name)
		}
		r.Note(&transcriptv1.Note{
			Kind: noteDaemon, Severity: transcriptv1.Severity_SEVERITY_INFO,
			Text: "the daemon answered more than the trajectory, which is kept: " + trajectory.Some(names),
		})
	}
	var members []string
	for _, l := range left.List {
		if index, path, ok := stepPath(l.Path); ok {
			r.left[index] = append(r.left[index], jsonField(path, l.JSON))
			continue
		}
		header.Unknown = append(header.Unknown, jsonField(l.Path, l.JSON))
		members = append(members, l.Path+" ("+l.Reason+")")
	}
	if left.More > 0 {
		members = append(members, fmt.Sprintf("%d values that were not kept, because there are too many", left.More))
	}
	if len(members) > 0 {
		r.Note(&transcriptv1.Note{
			Kind: trajectory.NoteUnknown, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
			Text: "no decoder profile has a place for " + trajectory.Some(members),
		})
	}
}

// stepPath takes `steps[3].a.b` apart into 3 and `a.b`.
func stepPath(path string) (index uint32, rest string, ok bool) {
	path, ok = strings.CutPrefix(path, "steps[")
	number, rest, closed := strings.Cut(path, "]")
	n, err := strconv.ParseUint(number, 10, 32)
	return uint32(n), strings.TrimPrefix(rest, "."), ok && closed && err == nil
}

// Next implements sources.Reader.
func (r *reader) Next(ctx context.Context) (sources.Batch, error) {
	b, err := r.Reader.Next(ctx)
	if err != nil || len(r.left) == 0 {
		return b, err
	}
	if _, gap := b.(sources.Gap); gap {
		return b, nil
	}
	return batch{b, r}, nil
}

// batch adds to steps what of their JSON no profile knows.
type batch struct {
	sources.Batch
	r *reader
}

// Decode implements sources.Batch.
func (b batch) Decode(yield func(*transcriptv1.Event) error) error {
	nested := 0
	return b.Batch.Decode(func(ev *transcriptv1.Event) error {
		switch {
		case ev.GetBegin() != nil:
			nested++
		case ev.GetEnd() != nil:
			nested--
		}
		step := ev.GetStep()
		if step == nil || nested > 0 || len(b.r.left[step.GetIndex()]) == 0 {
			return yield(ev)
		}
		over := b.r.left[step.GetIndex()]
		step.Unknown = append(slices.Clip(step.Unknown), over...)
		if err := yield(ev); err != nil {
			return err
		}
		var paths []string
		for _, f := range over {
			paths = append(paths, f.GetPath())
		}
		note := trajectory.NoteEvent(&transcriptv1.Note{
			Kind: trajectory.NoteUnknown, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true, Anchor: step.GetAnchor(),
			Text: "no decoder profile has a place for " + trajectory.Some(paths),
		})
		if b.r.strict {
			return trajectory.RefuseIncomplete(yield)(note)
		}
		return yield(note)
	})
}

package sqlite

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
)

// queued is how many batches may wait for Next.
const queued = 2

// reader is one open conversation, sources.Reader. A goroutine of its own copies rows from the first Next on: the function
// that SQLite calls with each row cannot be left and entered again.
type reader struct {
	source      *Source
	db          *database
	schema      *schema
	ref         sources.Ref
	name        string
	profile     *profile.Profile
	interpreter *interpret.Interpreter
	reading     trajectory.Reading
	want        sources.Want
	header      *transcriptv1.Header
	// before are notes that precede the first step.
	before []*transcriptv1.Note
	models *generations

	cancel context.CancelFunc
	out    chan sources.Batch
	// err and footer are written by the goroutine before it closes out.
	err    error
	footer *transcriptv1.Footer
	ended  bool
}

func (s *Source) openReader(ctx context.Context, ref sources.Ref, want sources.Want) (_ *reader, err error) {
	d, err := s.connect(ctx, ref, want.Peek)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err == nil {
			return
		}
		if want.Peek && d.unchanged != nil && d.unchanged() != nil {
			err = fmt.Errorf("%w: %w", sources.ErrBusy, errChanged) // which explains whatever went wrong
		}
		d.close()
		err = sourceError(ctx, err)
	}()
	r := &reader{source: s, db: d, ref: ref, name: filepath.Base(ref.Path), want: want, before: d.notes}
	if r.schema, err = d.schema(ctx); err != nil {
		return nil, err
	}
	if err = r.schema.usable(); err != nil {
		return nil, err
	}
	reason, unverified, err := r.choose(ctx)
	if err != nil {
		return nil, err
	}
	r.noteSchema()
	if err = r.readHeader(ctx, ref); err != nil {
		return nil, err
	}
	r.header.Provenance = &transcriptv1.Provenance{
		Source: "sqlite", Location: r.name, Profile: r.profile.Info().Name, ProfileReason: reason,
		SchemaFingerprint: r.schema.fingerprint, Unverified: unverified,
	}
	r.interpreter = interpret.New(r.profile)
	if !want.Peek || !ref.Titled {
		if r.header.Title, err = r.title(ctx, r.interpreter); err != nil {
			return nil, err
		}
	}
	if want.Peek {
		return r, nil
	}
	if r.models, err = r.readGenerations(ctx); err != nil {
		return nil, err
	}
	r.reading = trajectory.Reading{Profile: r.profile, Interpreter: r.interpreter, Session: &interpret.Session{
		ConversationID: r.header.GetConversationId(), TrajectoryID: r.header.GetTrajectoryId(),
		// Bigger rows are read while workers interpret, and what those say must not depend on who is faster.
		Want: want, Models: r.models.Models(),
	}}
	return r, nil
}

// choose picks the decoder profile.
func (r *reader) choose(ctx context.Context) (reason string, unverified bool, err error) {
	if r.want.Profile == "" {
		var verified bool
		r.profile, reason, verified, err = profile.Choose(r.db.evidence(ctx, r.schema, !r.want.Peek))
		return reason, !verified, err
	}
	if r.profile, err = profile.Load(r.want.Profile); err != nil {
		return "", false, err
	}
	for _, known := range r.profile.Manifest().SQLSchemas {
		if known.Fingerprint == r.schema.fingerprint {
			return "asked for by name", false, nil
		}
	}
	return "asked for by name", true, nil
}

// noteSchema notes tables and columns outside the profile.
func (r *reader) noteSchema() {
	found := r.schema.unknown(r.profile)
	if len(found) == 0 {
		return
	}
	r.before = append(r.before, &transcriptv1.Note{
		Kind: trajectory.NoteUnknown, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
		Text: "not shown, because the decoder profile does not know it: " + trajectory.Some(found),
	})
}

// Header implements sources.Reader.
func (r *reader) Header() *transcriptv1.Header { return r.header }

// Next implements sources.Reader. An error of ctx ends the reading for good. A reader that was asked for the header alone
// has no batches.
func (r *reader) Next(ctx context.Context) (sources.Batch, error) {
	if r.ended || r.want.Peek {
		return nil, io.EOF
	}
	if r.out == nil {
		r.start(ctx)
	}
	select {
	case b, ok := <-r.out:
		if ok {
			return b, nil
		}
	case <-ctx.Done():
		r.cancel()
		return nil, ctx.Err()
	}
	if r.err != nil {
		return nil, r.err
	}
	r.ended = true
	return nil, io.EOF
}

// start runs the scan. Only Close and a cancelled Next end it early, so the first Next's context does not bind later ones.
func (r *reader) start(ctx context.Context) {
	ctx, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	r.out = make(chan sources.Batch, queued)
	go func() {
		defer close(r.out)
		err := r.scan(ctx)
		if r.db.unchanged != nil && ctx.Err() == nil {
			// Whatever went wrong, a change of the file explains it.
			if changed := r.db.unchanged(); changed != nil {
				err = fmt.Errorf("%w: %w", sources.ErrBusy, errChanged)
			}
		}
		if err != nil {
			r.err = sourceError(ctx, err)
		}
	}()
}

// Close implements sources.Reader.
func (r *reader) Close() (*transcriptv1.Footer, error) {
	if r.cancel != nil {
		r.cancel()
		for b := range r.out {
			b.Release()
		}
	}
	r.db.close()
	if !r.ended {
		return nil, nil
	}
	return r.footer, nil
}

// scan reads everything and leaves the footer.
func (r *reader) scan(ctx context.Context) error {
	send := func(b sources.Batch) error {
		select {
		case r.out <- b:
			return nil
		case <-ctx.Done():
			b.Release()
			return ctx.Err()
		}
	}
	s := newSteps(r, send)
	for _, n := range r.before {
		s.addNote(n)
	}
	if err := s.read(ctx, r.db, r.schema.has("steps")); err != nil {
		return err
	}
	if err := s.end(); err != nil {
		return err
	}
	if err := s.records(ctx); err != nil {
		return err
	}
	if !r.want.Records {
		if err := r.readUncovered(ctx, s.covered()); err != nil {
			return err
		}
	}
	r.footer = &transcriptv1.Footer{
		Generations: r.models.Usage, Gaps: s.gaps, SourceDigest: s.sum(), Completeness: trajectory.Cleared(s.cleared),
	}
	if !r.want.Records {
		r.footer.SkippedSections = trajectory.Sections(r.models.rows, r.models.executors, r.models.executorBytes)
		if n := r.models.uncounted(s.covered()); n != nil {
			s.addNote(n)
		}
	}
	if s.hiddenRender > 0 {
		s.addNote(&transcriptv1.Note{
			Kind: trajectory.NoteRow, Severity: transcriptv1.Severity_SEVERITY_INFO,
			Text: "not shown: render_info of " + sources.Amount(s.hiddenRender, "row") + ", display hints that the steps themselves do not hold",
		})
	}
	if err := s.flush(); err != nil {
		return err
	}
	return nil
}

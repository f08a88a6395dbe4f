package merge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

// try opens one place and reads its first batch: only then is it known that anything can be read.
func (s *Source) try(ctx context.Context, at place, want sources.Want) (*reader, error) {
	want.Gaps = true
	inner, err := at.source.Open(ctx, at.ref, want)
	if err != nil {
		return nil, err
	}
	r, err := s.around(ctx, at.ref, want, inner, at.source == s.logs)
	if err == nil && at.source == s.database && r.logEndsLater(ctx) {
		// The product writes the log after the database. Of a conversation that is going on, a database opened after its log
		// was read knows whatever the log knows.
		r.s.logs()
		_, err = inner.Close()
		if err == nil {
			inner, err = at.source.Open(ctx, at.ref, want)
		}
		if err != nil {
			r.s.drop()
			return nil, err
		}
		err = r.adopt(inner)
	}
	if err == nil {
		err = r.prepare(ctx)
	}
	if err == nil {
		err = r.place(ctx)
	}
	if err == nil {
		r.first, r.firstErr = inner.Next(ctx)
		if !errors.Is(r.firstErr, io.EOF) {
			err = r.firstErr
		}
	}
	if err == nil {
		return r, nil
	}
	_, closeErr := inner.Close()
	if r != nil {
		r.s.drop()
	}
	return nil, errors.Join(err, closeErr)
}

// around makes the reader. own tells that the inner one reads the logs itself.
func (s *Source) around(ctx context.Context, ref sources.Ref, want sources.Want, inner sources.Reader, own bool) (*reader, error) {
	sh := &shared{ctx: ctx, ref: ref, want: want, logless: own || !mayHaveLogs(ref)}
	sh.hold()
	r := &reader{s: sh}
	err := r.adopt(inner)
	if err != nil {
		return r, err
	}
	if !want.Peek && mayHaveLogs(ref) {
		if sh.folder, err = s.beside(ref); err != nil {
			r.notes = append(r.notes, besideNote(err))
		}
		if sh.folder != nil {
			sh.children = sh.folder.Children()
		}
	}
	return r, nil
}

// adopt makes inner the main source.
func (r *reader) adopt(inner sources.Reader) (err error) {
	s, header := r.s, inner.Header()
	r.inner, r.header, r.last = inner, header, -1
	s.cuts, s.cutIndexes = map[uint32][]*transcriptv1.Note{}, nil
	for _, reference := range header.GetReferences() {
		if n := cut(reference); n != nil {
			index := uint32(min(max(reference.GetStepIndex(), 0), 1<<32-1))
			if s.cuts[index] == nil {
				s.cutIndexes = append(s.cutIndexes, index)
			}
			s.cuts[index] = append(s.cuts[index], n)
		}
	}
	slices.Sort(s.cutIndexes)
	s.settings.Origin = true
	s.settings.Session = &interpret.Session{
		ConversationID: header.GetConversationId(), TrajectoryID: header.GetTrajectoryId(), Want: s.want,
	}
	if name := header.GetProvenance().GetProfile(); name != "" {
		s.settings.Profile, err = profile.Load(name)
	}
	return err
}

func besideNote(err error) *transcriptv1.Note {
	return &transcriptv1.Note{
		Kind: noteDamage, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
		Text: fmt.Sprintf("files beside the steps cannot be read: %v", err),
	}
}

// say queues notes before everything else.
func (r *reader) say(notes []*transcriptv1.Note) {
	if len(notes) == 0 {
		return
	}
	p := &pile{s: r.s}
	for _, n := range notes {
		p.event(event(n))
	}
	r.queue = append(p.done(), r.queue...)
}

// passedOver says why a place that should have been read was not. One that was never filled is no loss.
func passedOver(at place, err error) *transcriptv1.Note {
	name := filepath.Base(at.ref.Path)
	if errors.Is(err, sources.ErrEmpty) {
		return &transcriptv1.Note{
			Kind: noteFallback, Severity: transcriptv1.Severity_SEVERITY_WARNING,
			Text: fmt.Sprintf("%s is empty (%v); what follows is from the next best source", name, err),
		}
	}
	return &transcriptv1.Note{
		Kind: noteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Incomplete: true,
		Text: fmt.Sprintf("%s cannot be used (%v); what follows is from the next best source", name, err),
	}
}

package archive

import (
	"context"
	"fmt"
	"strings"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// convert writes the documents of one conversation.
func (a *archive) convert(ctx context.Context, t *task, o *Outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			o.Err = fmt.Errorf("%w: %v", convert.ErrInternal, cause)
		}
	}()
	job, err := a.opt.Job(t.session)
	if err != nil {
		o.Err = err
		return
	}
	name := a.names[key(t.session.ID)]
	out, err := artifact.Open(a.opt.Dir, artifact.Options{Force: a.opt.Force, Keep: true, Run: &a.taken, Ours: a.ours(t, name)})
	if err != nil {
		o.Err = err
		return
	}
	job.Ref, job.Targets, job.Out, job.BaseName = t.session.Ref(), a.opt.Targets, out, name
	var copies []kept
	job.Last = func(h *transcriptv1.Header, steps uint32) []*transcriptv1.Note {
		o.Earlier, copies = a.earlierOf(t, h, steps)
		return earlierNote(t, h, steps, o.Earlier)
	}
	job.Finish = func(*convert.Result) error { return a.copyAll(out, copies) }
	defer func() { _ = out.Abort() }() // does nothing after Run, unless something panicked
	result, err := convert.Run(ctx, job)
	if err != nil {
		o.Err, o.Earlier = err, nil
		return
	}
	o.Entry, o.Err = a.entry(t, result, o.Earlier)
	if o.Err != nil {
		return
	}
	o.State = Written
	if t.old != nil && o.Earlier == nil && sameFiles(o.Entry.Files, t.old.Files) {
		o.State = Unchanged
	}
	o.Err = a.journal.add(journalLine{Entry: o.Entry})
}

// ours says which files a conversation may replace although they bear no mark: those it wrote before, and after a kill
// those that have its name.
func (a *archive) ours(t *task, name string) func(string) bool {
	written := map[string]bool{}
	if t.old != nil {
		for _, f := range t.old.Files {
			written[f.Name] = true
		}
	}
	unsure := a.unsure[key(t.session.ID)]
	return func(file string) bool {
		return written[file] || unsure && strings.HasPrefix(file, name)
	}
}

// entry is what the archive knows of a conversation that was converted.
func (a *archive) entry(t *task, r *convert.Result, kept *Earlier) (*Entry, error) {
	h, f := r.Header, r.Footer
	e := &Entry{
		ID: t.session.ID, Root: t.session.Root.Surface, Bucket: t.session.Bucket, Name: a.names[key(t.session.ID)],
		Title: h.GetTitle().GetValue(), Project: h.GetProject().GetValue(), ProjectOrigin: h.GetProject().GetOrigin(),
		CreatedNS: h.CreatedNs, UpdatedNS: h.UpdatedNs, TrajectoryID: strings.Clone(h.GetTrajectoryId()), // else all it was read from stays
		Parent:  strings.Clone(h.GetParentConversationId()),
		Profile: h.GetProvenance().GetProfile(),
		Stored:  max(f.GetStoredSteps(), h.GetAnnouncedSteps()), Steps: f.GetSteps(), Notes: f.GetNotes(), Unknown: f.GetUnknownFields(),
		Incomplete: r.Incomplete, Completeness: f.GetCompleteness(), Sources: t.sourcesOf(f.GetSteps()), Options: t.options,
	}
	for _, gap := range f.GetGaps() {
		if gap.GetIncomplete() {
			e.Gaps++
		}
	}
	if u := f.GetUsage(); u.GetInputTokens() > 0 || u.GetOutputTokens() > 0 {
		total := u.GetInputTokens() + u.GetOutputTokens()
		e.Tokens = &total
	}
	earlier := map[string]bool{}
	if kept != nil {
		for _, file := range kept.Files {
			earlier[file.Name] = true
		}
	}
	var published []artifact.File
	for _, file := range r.Files {
		if !earlier[file.Name] {
			published = append(published, file)
		}
	}
	var err error
	if e.Files, err = a.describe(e.Name, published); err != nil {
		return nil, fmt.Errorf("%w: %w", sinks.ErrOutput, err)
	}
	if t.old != nil {
		e.Files = append(e.Files, a.carried(t.old, e.Files, !sameFiles(e.Files, t.old.Files))...)
		e.Earlier = t.old.Earlier
	}
	if kept != nil {
		e.Earlier = append(e.Earlier[:len(e.Earlier):len(e.Earlier)], *kept)
	}
	return e, nil
}

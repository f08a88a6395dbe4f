package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
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
	job.Finish = func(r *convert.Result) error {
		kept, err := a.keepEarlier(t, r, out)
		o.Earlier = kept
		return err
	}
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
		Incomplete: r.Incomplete, Completeness: f.GetCompleteness(), Sources: t.sources, Options: t.options,
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

// keepEarlier copies the documents that lie there into the set that will replace them, when the new ones lack steps of
// theirs: fewer steps, or another branch. A copy that was kept before is not kept again.
func (a *archive) keepEarlier(t *task, r *convert.Result, out *artifact.Set) (*Earlier, error) {
	old := t.old
	if old == nil || len(old.Files) == 0 {
		return nil, nil
	}
	rewound := old.TrajectoryID != "" && r.Header.GetTrajectoryId() != "" && old.TrajectoryID != r.Header.GetTrajectoryId()
	if r.Steps >= old.Steps && !rewound {
		return nil, nil
	}
	kept := &Earlier{N: 1, Steps: old.Steps}
	var copies [][2]File
	for _, v := range old.Earlier {
		kept.N = max(kept.N, v.N+1)
	}
	for _, f := range old.Files {
		if f.Format == "" || f.Stale {
			continue
		}
		copied := f
		copied.Name = earlierName(f.Name, old.Name, kept.N)
		switch {
		case a.holds(f.Name, f.SHA256):
			copies = append(copies, [2]File{f, copied})
		case !a.holds(copied.Name, f.SHA256): // else a killed run came that far
			continue // removed or edited: not what was exported
		}
		kept.Files = append(kept.Files, copied)
	}
	if len(kept.Files) == 0 || keptBefore(old.Earlier, kept.Files) {
		return nil, nil
	}
	for _, c := range copies {
		if err := a.copyInto(out, c[0], c[1]); err != nil {
			return nil, fmt.Errorf("keep %s: %w", c[0].Name, err)
		}
	}
	return kept, nil
}

// holds reports whether a file is there and has this hash.
func (a *archive) holds(name, sum string) bool {
	have, _, err := hashFile(a.root, name)
	return err == nil && have == sum
}

func keptBefore(earlier []Earlier, files []File) bool {
	sums := map[string]bool{}
	for _, v := range earlier {
		for _, f := range v.Files {
			sums[f.Format+f.SHA256] = true
		}
	}
	for _, f := range files {
		if !sums[f.Format+f.SHA256] {
			return false
		}
	}
	return true
}

// copyInto adds a copy of a file of the archive to the set.
func (a *archive) copyInto(out *artifact.Set, from, to File) error {
	source, err := a.root.Open(from.Name)
	if err != nil {
		return err
	}
	defer source.Close()
	w, err := out.Create(to.Name, to.MediaType, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, source)
	return errors.Join(err, w.Close())
}

package brain

import (
	"context"
	"fmt"
	"path"
	"slices"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/secret"
)

// Rest yields what belongs to the conversation as a whole, kind by kind: artifacts, their earlier versions, uploads,
// generated images, task logs and outputs of tools, messages of agents, queued prompts, the list of scratch files. With
// WithPrompts, what the person typed comes first.
//
// It does not know which steps there are: what Beside gave for a step comes once more, under the same name, and whoever
// reads in order leaves out a name that came with a step. An error is yield's or that of ctx.
func (f *Folder) Rest(ctx context.Context, yield func(*transcriptv1.Attachment) error) error {
	checked := func(a *transcriptv1.Attachment) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return yield(a)
	}
	for _, part := range []func(context.Context, func(*transcriptv1.Attachment) error) error{
		f.history, f.artifacts, f.revisions, f.media, f.logs, f.messages, f.scratchList, f.limits,
	} {
		if err := part(ctx, checked); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// media yields uploads, then images.
func (f *Folder) media(ctx context.Context, yield func(*transcriptv1.Attachment) error) error {
	for _, kind := range []string{kindUpload, kindImage} {
		for _, e := range f.files {
			if kindOf(e.name) != kind {
				continue
			}
			c := contents{size: e.size, problem: "The file may hold secrets and is not read."}
			if !secret.File(e.name) {
				c = f.sum(ctx, e)
			}
			a := f.attachment(kind, e, c)
			about := f.about(ctx, e.name)
			a.Blocks = append(about.facts, a.Blocks...)
			if a.UpdatedNs = about.updated; a.UpdatedNs == nil {
				a.UpdatedNs = uploadTime(e.name)
			}
			if c.problem == "" {
				a.Blocks = append(a.Blocks, media(a))
			}
			if err := yield(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// logs yields task logs, then outputs of tools, by step.
func (f *Folder) logs(ctx context.Context, yield func(*transcriptv1.Attachment) error) error {
	var tasks []uint32
	for n := range f.tasks {
		tasks = append(tasks, n)
	}
	slices.Sort(tasks)
	for _, n := range tasks {
		if err := yield(f.output(ctx, kindTaskLog, f.tasks[n], nil)); err != nil {
			return err
		}
	}
	var steps []uint32
	for n := range f.outputs {
		steps = append(steps, n)
	}
	slices.Sort(steps)
	for _, n := range steps {
		for _, e := range f.outputs[n] {
			if err := yield(f.output(ctx, kindOutput, e, nil)); err != nil {
				return err
			}
		}
	}
	return nil
}

// scratchList yields one list of the scratch files. They are the agent's own and are not read.
func (f *Folder) scratchList(_ context.Context, yield func(*transcriptv1.Attachment) error) error {
	if len(f.scratch) == 0 && !f.moreScratch {
		return nil
	}
	list := &transcriptv1.Listing{Uri: valid(f.uri(entry{name: scratchFolder}))}
	var lines []byte
	for i, e := range f.scratch {
		name := valid(e.name[len(scratchFolder)+1:])
		if e.link {
			name += " (a symbolic link)"
		}
		item := &transcriptv1.ListingEntry{Name: name}
		if !e.odd {
			item.Size = new(uint64)
			*item.Size = uint64(max(e.size, 0))
		}
		list.Entries = append(list.Entries, item)
		if i > 0 {
			lines = append(lines, '\n')
		}
		lines = append(lines, name...)
	}
	a := &transcriptv1.Attachment{Kind: kindScratch, Name: scratchFolder + "/", Uri: list.GetUri()}
	a.Blocks = append(a.Blocks, &transcriptv1.Block{
		Kind: "listing", Text: string(lines), Detail: &transcriptv1.Block_Listing{Listing: list},
	})
	if f.moreScratch {
		a.Blocks = append(a.Blocks, warning(fmt.Sprintf("There are more files than the %d that are looked at.", maxScratch)))
	}
	return yield(a)
}

// limits says what was not looked at.
func (f *Folder) limits(_ context.Context, yield func(*transcriptv1.Attachment) error) error {
	var blocks []*transcriptv1.Block
	if f.more {
		blocks = append(blocks, warning(fmt.Sprintf("There are more files than the %d that are looked at.", maxFiles)))
	}
	for _, name := range f.dark[:min(len(f.dark), 20)] {
		blocks = append(blocks, warning("The folder "+valid(name)+" cannot be listed, or lies too deep."))
	}
	if len(blocks) == 0 {
		return nil
	}
	return yield(&transcriptv1.Attachment{Kind: kindArtifact, Name: path.Base(f.id) + "/", Uri: valid(f.uri(entry{})), Blocks: blocks})
}

package convert

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"agy-reader/host/artifact"
	"agy-reader/host/diag"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sources"
)

// plan is a checked job.
type plan struct {
	*Job
	selection *Selection
	want      sources.Want
	workers   int
}

func newPlan(job *Job) (*plan, error) {
	if len(job.Targets) == 0 {
		return nil, diag.Usagef("no format to convert to")
	}
	selection, err := ParseSelection(job.Select)
	if err != nil {
		return nil, err
	}
	if _, err := time.LoadLocation(job.TimeZone); err != nil {
		return nil, diag.Usagef("time zone %q: %w", job.TimeZone, err)
	}
	if single, _ := job.Out.(interface{ Single() bool }); job.Assets && single != nil && single.Single() {
		return nil, diag.Usagef("files beside a document need a folder, and the output is one file: give a folder, or leave out --assets")
	}
	p := &plan{Job: job, selection: selection, workers: job.Workers}
	if job.Log == nil {
		job.Log = slog.New(slog.DiscardHandler)
	}
	if p.workers <= 0 {
		p.workers = runtime.GOMAXPROCS(0)
	}
	p.want = sources.Want{Profile: job.Profile, Strict: job.Strict, Digest: job.Digest}
	p.want.Blocks = job.Assets // they say what there is to copy
	named := map[string]bool{}
	for _, t := range job.Targets {
		info := t.Sink.Describe()
		if named[info.Name] {
			return nil, diag.Usagef("format %s is named twice", info.Name)
		}
		named[info.Name] = true
		if err := checkOptions(info, t.Options); err != nil {
			return nil, err
		}
		needs := p.needs(info)
		if job.NoThinking && (needs.Native || needs.Display) {
			return nil, diag.Usagef("format %s holds steps as they are stored, the model's reasoning included; leave out the format or --no-thinking", info.Name)
		}
		p.want.Blocks = p.want.Blocks || needs.Blocks
		p.want.Native = p.want.Native || needs.Native
		p.want.Display = p.want.Display || needs.Display
		p.want.Records = p.want.Records || needs.Records
	}
	return p, nil
}

// needs are the sink's needs as this job meets them.
func (p *plan) needs(info sinks.Info) sinks.Needs {
	needs := info.Needs
	if p.KeepWrappers && needs.Display {
		needs.Native, needs.Display = true, false
	}
	// Model records hold the whole conversation, reasoning included: they go with nothing that leaves a part out.
	needs.Records = needs.Records && !p.NoRecords && !p.NoThinking && p.selection.All()
	return needs
}

// trim takes out of a step what was not asked for, and reports whether anything is left of it. Doing it twice is as good
// as once.
func (p *plan) trim(st *transcriptv1.Step) bool {
	if p.NoThinking {
		st.Blocks = slices.DeleteFunc(st.Blocks, func(b *transcriptv1.Block) bool { return b.GetThinking() != nil })
	}
	return p.selection.trim(st)
}

// run reads the conversation and feeds the sinks. After an error every session was aborted.
func (p *plan) run(ctx context.Context) (*document, error) {
	reader, err := p.open(ctx)
	if err != nil {
		return nil, p.about(err)
	}
	doc, err := p.read(ctx, reader)
	if err == nil {
		return doc, nil
	}
	if doc != nil {
		doc.abort()
	}
	if cancelled := ctx.Err(); cancelled != nil {
		err = cancelled
		if cause := context.Cause(ctx); !errors.Is(cause, cancelled) {
			err = fmt.Errorf("%w: %w", cancelled, cause)
		}
	}
	return nil, p.about(err)
}

// read owns the reader and closes it.
func (p *plan) read(ctx context.Context, reader sources.Reader) (*document, error) {
	header := reader.Header()
	first, second, err := head(ctx, reader)
	if err != nil {
		return nil, err
	}
	from := header.GetProvenance()
	p.Log.Debug("read conversation", "id", header.GetConversationId(), "source", from.GetSource(), "profile", from.GetProfile(),
		"reason", from.GetProfileReason(), "steps", header.GetAnnouncedSteps(), "small", second == nil)
	if p.Describe != nil {
		p.Describe(header)
	}
	doc, err := openDocument(ctx, p, header)
	if err != nil {
		release(first, second)
		_, closeErr := reader.Close()
		return doc, errors.Join(err, closeErr)
	}
	footer, err := p.feed(ctx, doc, "", reader, first, second)
	if err != nil {
		return doc, err
	}
	return doc, doc.finish(footer)
}

func release(batches ...sources.Batch) {
	for _, b := range batches {
		if b != nil {
			b.Release()
		}
	}
}

// about says which conversation an error is about.
func (p *plan) about(err error) error {
	name := p.Ref.ID
	if p.Ref.Path != "" {
		name = filepath.Base(p.Ref.Path)
	}
	return fmt.Errorf("convert %s: %w", name, err)
}

// baseName is the artifact name without suffix.
func (p *plan) baseName(h *transcriptv1.Header) string {
	stem, _, _ := strings.Cut(filepath.Base(p.Ref.Path), ".")
	for _, name := range []string{p.BaseName, h.GetConversationId(), p.Ref.ID, stem} {
		if name != "" {
			return artifact.SafeName(name)
		}
	}
	return artifact.SafeName("")
}

// abandon drops the output of a job that came to nothing and returns why.
func abandon(job *Job, err error) error {
	return errors.Join(err, job.Out.Abort())
}

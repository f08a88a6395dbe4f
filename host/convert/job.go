// Package convert routes one conversation from a source through the document model to any number of sinks in one pass.
//
// Batches are read serially, decoded and rendered ahead by GOMAXPROCS workers, and put into document order by one
// goroutine that pairs calls with results, selects, unfolds nested trajectories, builds the overview and feeds every sink.
// A subagent in the document is read the same way, in the ordering goroutine of the conversation around it.
// A conversation of one batch runs in the calling goroutine. Nothing is published unless every sink succeeds.
package convert

import (
	"context"
	"log/slog"

	"agy-reader/host/artifact"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
	"agy-reader/sources"
)

// Job is one conversation to convert.
type Job struct {
	Source sources.Source
	Ref    sources.Ref
	// Targets are fed in this order. Their artifacts form one set.
	Targets []Target
	// Out takes the artifacts. Run commits or aborts it, whatever happens.
	Out artifact.Output
	// BaseName is the artifact name without suffix; empty takes the conversation id, or the stem of the file.
	BaseName string

	// Select is part of the conversation, as ParseSelection reads it; empty is all of it. A part goes without model records.
	Select string
	// Profile is the name of a decoder profile; empty chooses automatically.
	Profile string
	// Strict refuses anything unknown, missing or damaged instead of marking it; see sources.Want.
	Strict bool
	// KeepWrappers gives sinks that want the display form the stored form instead.
	KeepWrappers bool
	// NoRecords leaves out the sections few people read, also for sinks that want them.
	NoRecords bool
	// NoThinking leaves out the model's own reasoning, and with it the model records. A sink that takes stored steps cannot
	// do without: a usage error.
	NoThinking bool
	// Assets copies the files and stored bytes that the document shows into a folder beside it and links them. Out must take
	// more than one artifact.
	Assets bool
	// TimeZone is an IANA name; empty means UTC.
	TimeZone string
	// Digest asks for Footer.source_digest.
	Digest bool
	// Notice is a sentence that readable documents show on top; may be empty.
	Notice string

	// Describe completes the conversation's own header before the document begins: what other places know of it. It is
	// called once and may be nil.
	Describe func(*transcriptv1.Header)

	// Subagents says what becomes of the conversations that this one's steps started, and Family who they are. Without a
	// family they are left out.
	Subagents Subagents
	Family    Family

	// Last is called once behind the conversation's own last step, with its header and how many steps the document has: what it
	// returns is said in the document. May be nil.
	Last func(h *transcriptv1.Header, steps uint32) []*transcriptv1.Note
	// Finish is called once when the document is whole and nothing is published yet: it may add artifacts to Out, and an
	// error of it publishes nothing. The result has no files then. May be nil.
	Finish func(*Result) error

	// Workers decode and render; 0 means GOMAXPROCS.
	Workers int
	// Progress is called now and then from the ordering goroutine with the number of steps done so far; may be nil.
	Progress func(steps, announced uint32)
	// Log takes what is worth knowing but no error; nil discards it.
	Log *slog.Logger
}

// Target is one sink of a job.
type Target struct {
	Sink sinks.Sink
	// Options is a JSON object that the sink understands; nil means defaults.
	Options []byte
}

// Result is what came of a job whose artifacts were published.
type Result struct {
	// Files are the published artifacts in order of creation.
	Files []artifact.File
	// Header and Footer are those of the conversation itself, as the sinks got them.
	Header *transcriptv1.Header
	Footer *transcriptv1.Footer
	// Steps counts the conversation's own steps in the document, Notes also those of nested trajectories.
	Steps, Notes uint32
	// Incomplete is set when the document is not everything the source should hold, or holds bytes the decoder profile
	// does not know. Footer.completeness says it in words.
	Incomplete bool
}

// Run converts one conversation. It returns when everything is published, or when nothing is and no goroutine of its own is
// left. Errors wrap a kind of sources, sinks, artifact or diag, or the cause of ctx.
func Run(ctx context.Context, job Job) (*Result, error) {
	plan, err := newPlan(&job)
	if err != nil {
		return nil, abandon(&job, err)
	}
	doc, err := plan.run(ctx)
	if err != nil {
		return nil, abandon(&job, err)
	}
	result := doc.result(nil)
	if job.Finish != nil {
		if err := job.Finish(result); err != nil {
			return nil, abandon(&job, err)
		}
	}
	if result.Files, err = job.Out.Commit(ctx); err != nil {
		return nil, abandon(&job, err)
	}
	return result, nil
}

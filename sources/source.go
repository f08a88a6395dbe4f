// Package sources defines the seam between the host and whatever can read conversations.
//
// A Source opens conversations of one storage form; the host's package store finds them. A Reader hands out batches serially
// and cheaply; the expensive part, Batch.Decode, is pure and runs in workers. Nothing here knows a sink.
package sources

import (
	"context"
	"errors"
	"fmt"
	"io"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Source reads one storage form. Implementations are safe for concurrent use.
type Source interface {
	// Describe names the backend. The answer never changes.
	Describe() Info
	// Open starts reading one conversation. The Reader must be closed, also after an error of Next.
	Open(ctx context.Context, ref Ref, want Want) (Reader, error)
}

// Info describes a Source.
type Info struct {
	// Name is what `--from` takes, for example "sqlite".
	Name string
	// Summary is one line for `agy-reader sources`.
	Summary string
	// Suffixes are the file name endings it reads, with their dot.
	Suffixes []string
}

// Ref points at one conversation.
type Ref struct {
	// ID is the conversation id; empty when only a path is known.
	ID string
	// Path is the file to read: the database, else the encrypted file. Empty when only logs are left.
	Path string
	// Root is the store the conversation belongs to, and Brain its own folder there (logs, artifacts, uploads); each empty
	// when not known. Nothing outside Root is read on behalf of the conversation.
	Root, Brain string
	// Surface is "cli", "ide", "ide2", "acp" or empty.
	Surface string
	// Titled: an index has the conversation's title, so that Peek need not look for one in its steps.
	Titled bool
}

// Want says what the sinks of this run need. Nobody pays for what no sink asked.
type Want struct {
	// Blocks: interpreted content (Step.blocks, summary, call, usage).
	Blocks bool
	// Native: Step.native_json and Header.members_json.
	Native bool
	// Display: Step.display_json, Step.source_only and Header.members_json.
	Display bool
	// Records: Record events.
	Records bool
	// Peek: the header alone will be asked for; model calls are not read.
	Peek bool
	// Digest: Footer.source_digest. Hashing costs about as much as reading.
	Digest bool
	// Profile is the name of a decoder profile; empty chooses automatically.
	Profile string
	// Gaps: missing steps come as batches of their own, which implement Gap, and so does the end of the steps. Whoever asks
	// for it puts something in their place.
	Gaps bool
	// Strict refuses, instead of marking it, anything the profile does not know (ErrUnknown) and anything missing or
	// damaged (ErrPartial). The error may come as late as from Batch.Decode.
	Strict bool
}

// Reader is one open conversation. Header, Next and Close are called from one goroutine.
type Reader interface {
	// Header is complete before the first Next and belongs to the caller.
	Header() *transcriptv1.Header
	// Next returns the next rows, or io.EOF. It copies rows and decodes nothing. Batches stay valid after further calls.
	Next(ctx context.Context) (Batch, error)
	// Close releases the source and returns what the end of the stream must say: generations, gaps, digest, skipped
	// sections, source notes. Counts and totals are the host's. Close may be called once, also before io.EOF; the footer
	// is then nil.
	Close() (*transcriptv1.Footer, error)
}

// Batch is a run of consecutive rows.
type Batch interface {
	// Decode interprets the rows and yields their events in order. It is pure: it may run in any goroutine and touches
	// nothing but the batch. Events and everything they refer to belong to the batch and die with Release. An error of
	// yield is returned unchanged.
	Decode(yield func(*transcriptv1.Event) error) error
	// Release gives the memory back. No event of this batch may be used afterwards.
	Release()
}

// Gap is a Batch that stands for steps that are not there and holds nothing but the notes about it. It may hold none.
type Gap interface {
	Batch
	Missing() Missing
}

// Missing is a range of indexes without a step.
type Missing struct {
	First uint32
	// Last is the last missing index. It is below First at the end of the steps, where nothing is known to be missing.
	Last int64
	// End: no step follows. With Cause, Last is then the highest index there can be.
	End bool
	// Cause says why the steps cannot be read; empty when there simply are none.
	Cause string
}

// Outliner is implemented by a Reader that can tell which steps it holds without reading them.
type Outliner interface {
	// Extent returns the highest index of a step, -1 when there is none, and whether all below it are there. It is cheap,
	// and may be mistaken about a damaged source. Only before the first Next.
	Extent(ctx context.Context) (last int64, whole bool, err error)
	// Outline returns what identifies each step, in order. It reads no content, and leaves out what it cannot read. At any
	// time before Close.
	Outline(ctx context.Context) ([]Mark, error)
}

// Mark identifies a step: two sources that agree on all of it, as far as both know, hold the same step.
type Mark struct {
	Index uint32
	// Kind is the name of the stored step's own type, as Step.kind is but for wrappers; empty when not known.
	Kind string
	// CreatedNS is 0 when not known.
	CreatedNS int64
}

// Error kinds a caller decides on. Errors of a Source wrap one of these; host/diag maps them to exit codes. They name the
// step or table they are about, never the conversation: the caller knows it.
var (
	// ErrUnreadable: the bytes cannot be read (not a database, damaged beyond use, no permission).
	ErrUnreadable = errors.New("source cannot be read")
	// ErrEmpty, of the kind ErrUnreadable: the file is of the right kind and was never filled.
	ErrEmpty = fmt.Errorf("%w: holds no conversation", ErrUnreadable)
	// ErrBusy: another process held the database for longer than the bounded wait.
	ErrBusy = errors.New("source is busy")
	// ErrUnknown: strict reading met a table, column, field, enum value or projection outside the profile.
	ErrUnknown = errors.New("source holds something the decoder profile does not know")
	// ErrPartial: strict reading met a gap or damaged content.
	ErrPartial = errors.New("the conversation is not whole")
	// ErrUnsupported: this backend does not read this kind of file.
	ErrUnsupported = errors.New("source is of another kind")
	// ErrNotFound: no such conversation.
	ErrNotFound = errors.New("conversation not found")
	// ErrAmbiguous: what was named is the beginning of several conversations.
	ErrAmbiguous = errors.New("several conversations")
	// ErrLimit: a stated limit was exceeded.
	ErrLimit = errors.New("limit exceeded")
)

// Peeker is implemented by a Source that can say what a list needs without reading a conversation: it reads the first
// prompt and the title checkpoint at most, never model calls.
type Peeker interface {
	Peek(ctx context.Context, ref Ref) (Summary, error)
}

// Summary is what a list shows of a conversation.
type Summary struct {
	Steps uint32
	// StepsUnknown: nobody counted them, because that takes reading everything.
	StepsUnknown bool
	// StepsByIndex: Steps is one more than the last index, missing steps included, because counting takes reading everything.
	StepsByIndex bool
	Title        *transcriptv1.Sourced
	CreatedNS    *int64
	// UpdatedNS is when the last step was made, where a look at the end says it.
	UpdatedNS *int64
	// Header is all the source knows without its steps; nil when that is no more than the members above.
	Header *transcriptv1.Header
}

// Scrubber is implemented by a Source that can copy a conversation with every word replaced, so that it can be shown to
// others. See package scrub for what stays.
type Scrubber interface {
	// Scrub writes the copy to out, in the same storage form. Nothing is written before the copy is whole.
	Scrub(ctx context.Context, ref Ref, out io.Writer) (ScrubReport, error)
}

// ScrubReport says what a scrub did.
type ScrubReport struct {
	Rows, Texts int
	// Damaged are tables of which something could not be read.
	Damaged []string
	// LeftOut are tables, columns and other parts of the schema that the profile does not know and the copy does not have,
	// in words.
	LeftOut []string
}

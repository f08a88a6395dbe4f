// Package sinks defines the seam between the host and whatever writes documents.
//
// A Sink gets the events of one conversation in order and writes artifacts only through the host, which owns names,
// modes and the atomic commit. A sink in another process is one more implementation of the same interface.
package sinks

import (
	"context"
	"errors"
	"io"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Sink writes one output format. Implementations are safe for concurrent use; each Session is not.
type Sink interface {
	// Describe names the backend. The answer never changes.
	Describe() Info
	// Open starts one conversation. After an error nothing more is called.
	Open(ctx context.Context, req *Request, out Artifacts) (Session, error)
}

// Session is one conversation being written. All methods are called from one goroutine, except Renderer.Render.
type Session interface {
	// Event takes the next event. The event and everything it refers to are valid only during the call; a sink that keeps
	// something copies it. After an error only Abort follows.
	Event(ev *transcriptv1.Event) error
	// Close ends the conversation after the last event: every artifact must be closed. Called exactly once, and never
	// after an error.
	Close() error
	// Abort drops the conversation. Nothing will be published.
	Abort()
}

// Renderer is implemented by a Session whose text for a step depends on that step alone. The host, or the plugin's kit in a
// process of its own, then renders steps ahead in its workers and hands each result back in order.
type Renderer interface {
	Session
	// Render appends the output for ev, a step, to dst. It is pure and may run in many goroutines at once, before earlier
	// events were delivered. The result belongs to the caller.
	Render(dst []byte, ev *transcriptv1.Event) ([]byte, error)
	// Rendered replaces Event for an event that was rendered ahead: out is what Render appended.
	Rendered(ev *transcriptv1.Event, out []byte) error
}

// Artifacts is the only way a sink writes. The host spools, checks and publishes. A sink passes on its
// errors, and those of the writers it hands out, as they are: they say which artifact is meant.
type Artifacts interface {
	// Create starts an artifact part. name is relative, without path separators of either kind. Part numbers order the
	// pieces of one artifact; they may be written in any order and interleaved. Close ends the part.
	Create(name, mediaType string, part uint32) (io.WriteCloser, error)
}

// Request is what the user asked of this conversation.
type Request struct {
	// BaseName is the artifact name without suffix, already safe as a file name.
	BaseName string
	// Options is the sink's own options as a JSON object; nil means defaults. The host passes them on unread, Open refuses
	// what does not fit Info.OptionsSchema with an error of kind ErrOptions.
	Options []byte
	// TimeZone is an IANA name; times in documents are shown in it. Empty means UTC.
	TimeZone string
	// KeepWrappers: steps carry native_json in place of display_json.
	KeepWrappers bool
	// Notice is a sentence for people that a readable document shows on top; may be empty.
	Notice string
}

// Info describes a Sink.
type Info struct {
	// Name is what `--to` takes, for example "markdown".
	Name string
	// Summary is one line for `agy-reader sinks`.
	Summary   string
	MediaType string
	// Suffix is appended to the base name, with its dot.
	Suffix string
	Needs  Needs
	// OptionsSchema is a JSON Schema 2020-12 document, or nil when the sink takes no options.
	OptionsSchema []byte
}

// Needs are the capabilities a sink declares. The host leaves out everything else.
type Needs struct {
	// Blocks: interpreted content of steps.
	Blocks bool
	// Native, Display: Step.native_json, Step.display_json.
	Native, Display bool
	// Records: Record events.
	Records bool
	// Nested: the sink understands Begin … End inside a conversation. Without it each nested trajectory is a session of
	// its own.
	Nested bool
	// ManyFiles: the sink may create more than one artifact.
	ManyFiles bool
}

// Error kinds a caller decides on.
var (
	// ErrOptions: the options are not valid for this sink.
	ErrOptions = errors.New("sink options are not valid")
	// ErrOutput: writing failed.
	ErrOutput = errors.New("output cannot be written")
	// ErrPlugin: a sink in another process crashed, hung, or broke the protocol.
	ErrPlugin = errors.New("plugin failed")
	// ErrTimeout: a sink did not answer in time.
	ErrTimeout = errors.New("sink did not answer in time")
)

// Package sdk is all an author of a plugin imports. A sink implements Sink; the whole main function is
//
//	func main() { sdk.ServeSink(mySink{}) }
//
// The kit speaks to the host, cuts events and artifacts into messages, keeps memory bounded, turns panics into reports,
// sends log/slog and log output to the host, and ends the process when its host is gone. Started by hand, the program
// explains itself; with --describe it prints a JSON manifest.
//
// Rules for a plugin: write only through Artifacts; print nothing to standard output before ServeSink is called; keep no
// Event, nor anything it refers to, after the call that brought it.
package sdk

import (
	"agy-reader/plugins/rpc"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// The seam; see package sinks for the promises.
type (
	// Sink writes one output format.
	Sink = sinks.Sink
	// Session is one conversation being written.
	Session = sinks.Session
	// Renderer is a Session that renders each step on its own; the kit then does so in several goroutines.
	Renderer = sinks.Renderer
	// Artifacts is the only way a sink writes.
	Artifacts = sinks.Artifacts
	// Request is what the user asked of a conversation.
	Request = sinks.Request
	// Info describes a sink.
	Info = sinks.Info
	// Needs are the capabilities a sink declares.
	Needs = sinks.Needs
	// Diagnostic is something to say about a conversation besides its artifacts.
	Diagnostic = rpc.Diagnostic
)

// The document model; see transcript.proto for the promises.
type (
	// Event is one element of a transcript.
	Event = transcriptv1.Event
	// Header starts a trajectory.
	Header = transcriptv1.Header
	// Step is one step of a trajectory.
	Step = transcriptv1.Step
	// Block is one piece of content.
	Block = transcriptv1.Block
	// ToolCall is a call of a tool by the model.
	ToolCall = transcriptv1.ToolCall
	// Usage counts the tokens of a model call.
	Usage = transcriptv1.Usage
	// Attachment is a file that belongs to the conversation.
	Attachment = transcriptv1.Attachment
	// Note is something a reader must know about the stream itself.
	Note = transcriptv1.Note
	// Record is a section few people read.
	Record = transcriptv1.Record
	// Footer ends a trajectory.
	Footer = transcriptv1.Footer
	// Overview sums up a conversation.
	Overview = transcriptv1.Overview
	// Role says who speaks in a step.
	Role = transcriptv1.Role
)

// The roles of a step.
const (
	RoleUnspecified = transcriptv1.Role_ROLE_UNSPECIFIED
	RoleUser        = transcriptv1.Role_ROLE_USER
	RoleAssistant   = transcriptv1.Role_ROLE_ASSISTANT
	RoleTool        = transcriptv1.Role_ROLE_TOOL
	RoleSystem      = transcriptv1.Role_ROLE_SYSTEM
)

// Error kinds a sink may return, wrapped.
var (
	// ErrOptions: the options are not valid for this sink.
	ErrOptions = sinks.ErrOptions
	// ErrOutput: writing failed.
	ErrOutput = sinks.ErrOutput
)

// Report tells the host something that does not end the conversation. out is what Open was given; it does nothing when
// the sink does not run as a plugin.
func Report(out Artifacts, d Diagnostic) error {
	if r, ok := out.(rpc.Reporter); ok {
		return r.Report(d)
	}
	return nil
}

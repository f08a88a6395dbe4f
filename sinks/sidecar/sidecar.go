// Package sidecar writes a conversation as the product's own trajectory JSON.
//
// The document is one object: the trajectory's own members, `steps`, each record section (`generatorMetadata`,
// `executorMetadatas`) and, last, `agyReader` with what this program has to add. Every step and every record stands on one
// line of its own, compact within, exactly as the source wrote it: numbers are the source's tokens, members it does not know
// of are kept. Bytes that have no place in the product's form, unknown fields and the wrapper parts that the display form
// drops, stand under `agyReader.offline` in base64, each with its place and SHA-256, so that nothing of the source is lost.
// There, too, stands what the trajectory has no place for: where it was put together from, which steps were filled in from
// elsewhere or copied from the conversation it was forked from, notes, the files beside the steps and the subagents. A
// subagent that goes with its parent has its own steps there, under `childTrajectories`.
package sidecar

import (
	"bytes"
	"context"
	"fmt"

	"agy-reader/sinks"
)

const (
	// MediaType is what the sink writes.
	MediaType = "application/json"
	// Suffix is appended to the base name.
	Suffix = ".trajectory.json"
)

// Sidecar is the sink. The zero value is ready; it holds no state.
type Sidecar struct{}

var (
	_ sinks.Sink     = Sidecar{}
	_ sinks.Renderer = (*session)(nil)
)

// New returns the sink.
func New() Sidecar { return Sidecar{} }

// Describe implements sinks.Sink.
func (Sidecar) Describe() sinks.Info {
	return sinks.Info{
		Name:      "json",
		Summary:   "the trajectory object with the product's own member names",
		MediaType: MediaType,
		Suffix:    Suffix,
		Needs:     sinks.Needs{Display: true, Records: true, Nested: true},
	}
}

// Open implements sinks.Sink. The sink takes no options; an empty JSON object is accepted.
func (Sidecar) Open(_ context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	if options := bytes.TrimSpace(req.Options); len(options) > 0 && string(options) != "{}" {
		return nil, fmt.Errorf("json: %w: it takes none", sinks.ErrOptions)
	}
	s := &session{out: out, name: req.BaseName + Suffix, stored: req.KeepWrappers, offline: newLists()}
	var err error
	if s.steps, err = s.create(partSteps); err != nil {
		return nil, err
	}
	return s, nil
}

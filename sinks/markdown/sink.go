package markdown

import (
	"context"
	"fmt"
	"time"

	"agy-reader/sinks"
	"agy-reader/sinks/present"
)

// MediaType is what the sink writes.
const MediaType = "text/markdown; charset=utf-8"

// Suffix is appended to the base name.
const Suffix = ".md"

// Markdown is the sink. The zero value is ready; it holds no state.
type Markdown struct{}

var (
	_ sinks.Sink     = Markdown{}
	_ sinks.Renderer = (*session)(nil)
)

// New returns the sink.
func New() Markdown { return Markdown{} }

// Describe names the sink.
func (Markdown) Describe() sinks.Info {
	return sinks.Info{
		Name:      "markdown",
		Summary:   "one CommonMark file for reading, searching and reviewing",
		MediaType: MediaType,
		Suffix:    Suffix,
		Needs:     sinks.Needs{Blocks: true, Nested: true},
	}
}

// Open starts one file, of two parts: the head with the facts, and the steps.
func (Markdown) Open(ctx context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if opts := string(req.Options); opts != "" && opts != "{}" && opts != "null" {
		return nil, fmt.Errorf("markdown takes no options: %w", sinks.ErrOptions)
	}
	zone, err := present.Zone(req.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", sinks.ErrOptions, err)
	}
	body, err := out.Create(req.BaseName+Suffix, MediaType, partSteps)
	if err != nil {
		return nil, err // it names the artifact
	}
	return &session{
		style:  style{zone: zone},
		notice: req.Notice,
		name:   req.BaseName + Suffix,
		out:    out,
		body:   body,
		buf:    make([]byte, 0, flushAt+flushAt/4),
	}, nil
}

// style is what rendering a step depends on besides the step; it never changes within a session.
type style struct {
	zone *time.Location
}

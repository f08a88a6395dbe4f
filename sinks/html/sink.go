package html

import (
	"bytes"
	"context"
	"fmt"

	"agy-reader/sinks"
	"agy-reader/sinks/present"
)

const (
	mediaType = "text/html"
	suffix    = ".html"
)

// Sink writes one HTML file a conversation. The zero value is ready to use.
type Sink struct{}

var _ sinks.Sink = Sink{}

// Describe implements sinks.Sink.
func (Sink) Describe() sinks.Info {
	return sinks.Info{
		Name:      "html",
		Summary:   "one self-contained page without scripts, for any browser",
		MediaType: mediaType,
		Suffix:    suffix,
		Needs:     sinks.Needs{Blocks: true, Nested: true},
	}
}

// Open implements sinks.Sink. The sink takes no options; an empty JSON object is accepted.
func (Sink) Open(_ context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	if options := bytes.TrimSpace(req.Options); len(options) > 0 && string(options) != "{}" {
		return nil, fmt.Errorf("html: %w: it takes none", sinks.ErrOptions)
	}
	zone, err := present.Zone(req.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("html: %w", err)
	}
	return &session{
		page: page{zone: zone, notice: req.Notice},
		name: req.BaseName + suffix,
		out:  out,
	}, nil
}

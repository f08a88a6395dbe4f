package daemon

import (
	"context"
	"encoding/json"

	"agy-reader/sources"
)

// Held returns a Source that reads one trajectory that somebody got from a daemon before: an answer just fetched, or what a
// sidecar keeps. It reads nothing else, whatever Ref it is asked for; the Ref names the conversation where the trajectory
// does not. origin says in a few words what it is, for example "sidecar", and note is shown with the document.
func Held(trajectory json.RawMessage, origin, note string) sources.Source {
	return held{trajectory, origin, note}
}

type held struct {
	trajectory   json.RawMessage
	origin, note string
}

// Describe implements sources.Source.
func (held) Describe() sources.Info {
	return sources.Info{Name: "daemon", Summary: "what a daemon answered before"}
}

// Open implements sources.Source.
func (h held) Open(_ context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	r, err := newReaderAs(h.origin, h.note, Full{JSON: h.trajectory}, ref, ref.ID, want)
	if err != nil {
		return nil, err // not r, a nil pointer
	}
	return r, nil
}

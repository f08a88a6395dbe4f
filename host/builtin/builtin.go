// Package builtin is the one list of the backends that live in this binary.
package builtin

import (
	"agy-reader/host/registry"
	"agy-reader/sinks"
	"agy-reader/sinks/events"
	"agy-reader/sinks/html"
	"agy-reader/sinks/markdown"
	"agy-reader/sinks/sidecar"
	"agy-reader/sources"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/merge"
	"agy-reader/sources/mirror"
	"agy-reader/sources/sqlite"
)

// Registry returns a new registry with every built-in source and sink, in the order they are listed to people. It loads no
// profile and opens nothing; an error means two of them share a name.
func Registry() (*registry.Registry, error) {
	r := &registry.Registry{}
	database, legacy, logs := sqlite.New(), legacypb.New(), mirror.New()
	for _, s := range []sources.Source{database, legacy, logs} {
		if err := r.AddSource(s); err != nil {
			return nil, err
		}
	}
	if err := r.SetAuto(merge.New(database, legacy, logs)); err != nil {
		return nil, err
	}
	for _, s := range []sinks.Sink{markdown.New(), sidecar.New(), html.Sink{}, events.New()} {
		if err := r.AddSink(s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

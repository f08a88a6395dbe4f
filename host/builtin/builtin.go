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
	"agy-reader/sources/daemon"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/merge"
	"agy-reader/sources/mirror"
	"agy-reader/sources/sqlite"
)

// Option changes a Registry.
type Option func(*options)

type options struct{ find daemon.Find }

// WithDaemons says where running daemons are. Without it the source `daemon` is there and finds none.
func WithDaemons(find daemon.Find) Option { return func(o *options) { o.find = find } }

// Registry returns a new registry with every built-in source and sink, in the order they are listed to people. It loads no
// profile and opens nothing; an error means two of them share a name. The source that chooses by itself never asks a daemon.
func Registry(list ...Option) (*registry.Registry, error) {
	var o options
	for _, option := range list {
		option(&o)
	}
	r := &registry.Registry{}
	database, legacy, logs := sqlite.New(), legacypb.New(), mirror.New()
	live := daemon.New(o.find, []sources.Source{database, legacy})
	for _, s := range []sources.Source{database, legacy, logs, live} {
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

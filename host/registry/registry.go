// Package registry holds the named backends of one run as a value: no globals, no init. Whoever needs another set makes
// another Registry.
package registry

import (
	"fmt"
	"slices"
	"strings"

	"agy-reader/host/diag"
	"agy-reader/sinks"
	"agy-reader/sources"
)

// Registry maps names to backends. The zero value is empty and ready. Filling it is not safe for concurrent use; looking
// things up afterwards is.
type Registry struct {
	auto    sources.Source
	sources []sources.Source
	sinks   []sinks.Sink
}

// Auto is the name of the source that chooses by itself.
const Auto = "auto"

// reserved names mean something else where a backend name is expected.
var reserved = []string{Auto, "plugin"}

// AddSource registers a source under the name it describes itself with. A bad name, a reserved or a taken one is an error.
func (r *Registry) AddSource(s sources.Source) error {
	name := s.Describe().Name
	if err := check("source", name, r.sourceNames()); err != nil {
		return err
	}
	r.sources = append(r.sources, s)
	return nil
}

// SetAuto registers the source that is used when none is named: it chooses among the others by itself and is listed with none
// of them. Its name is `auto`, and there is one at most.
func (r *Registry) SetAuto(s sources.Source) error {
	if name := s.Describe().Name; name != Auto || r.auto != nil {
		return fmt.Errorf("register source %q as the one that chooses by itself: its name is %s, and there is one", name, Auto)
	}
	r.auto = s
	return nil
}

// AddSink registers a sink under the name it describes itself with. A bad name, a reserved or a taken one is an error.
func (r *Registry) AddSink(s sinks.Sink) error {
	name := s.Describe().Name
	if err := check("sink", name, r.sinkNames()); err != nil {
		return err
	}
	r.sinks = append(r.sinks, s)
	return nil
}

// Source returns the source of that name. An unknown name is a usage error that lists the known ones.
func (r *Registry) Source(name string) (sources.Source, error) {
	known := r.sourceNames()
	if i := slices.Index(known, name); i >= 0 {
		return r.sources[i], nil
	}
	if r.auto != nil {
		if name == Auto {
			return r.auto, nil
		}
		known = append([]string{Auto}, known...)
	}
	return nil, unknown("source", name, known)
}

// Sink returns the sink of that name. An unknown name is a usage error that lists the known ones.
func (r *Registry) Sink(name string) (sinks.Sink, error) {
	known := r.sinkNames()
	if i := slices.Index(known, name); i >= 0 {
		return r.sinks[i], nil
	}
	return nil, unknown("sink", name, known)
}

// Sources returns all sources in the order they were added.
func (r *Registry) Sources() []sources.Source { return slices.Clone(r.sources) }

// Sinks returns all sinks in the order they were added.
func (r *Registry) Sinks() []sinks.Sink { return slices.Clone(r.sinks) }

func (r *Registry) sourceNames() []string {
	out := make([]string, len(r.sources))
	for i, s := range r.sources {
		out[i] = s.Describe().Name
	}
	return out
}

func (r *Registry) sinkNames() []string {
	out := make([]string, len(r.sinks))
	for i, s := range r.sinks {
		out[i] = s.Describe().Name
	}
	return out
}

func check(what, name string, taken []string) error {
	switch {
	case !typeable(name):
		return fmt.Errorf("register %s %q: a name is a lower-case letter and up to 31 letters, digits or hyphens", what, name)
	case slices.Contains(reserved, name):
		return fmt.Errorf("register %s %q: the name is reserved", what, name)
	case slices.Contains(taken, name):
		return fmt.Errorf("register %s %q: the name is taken", what, name)
	}
	return nil
}

// typeable reports whether a person can type a name without quoting it. A colon is left to prefixes such as `plugin:`.
func typeable(name string) bool {
	if len(name) > 32 || name == "" || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func unknown(what, name string, known []string) error {
	return diag.Usagef("no %s named %q (there are: %s)", what, name, strings.Join(known, ", "))
}

package registry_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/diag"
	"agy-reader/host/registry"
	"agy-reader/sinks"
	"agy-reader/sources"
)

type namedSource string

func (n namedSource) Describe() sources.Info { return sources.Info{Name: string(n)} }

func (namedSource) Open(context.Context, sources.Ref, sources.Want) (sources.Reader, error) {
	return nil, errors.New("not opened here")
}

type namedSink string

func (n namedSink) Describe() sinks.Info { return sinks.Info{Name: string(n)} }

func (namedSink) Open(context.Context, *sinks.Request, sinks.Artifacts) (sinks.Session, error) {
	return nil, errors.New("not opened here")
}

func TestOrderAndLookUp(t *testing.T) {
	t.Parallel()
	var r registry.Registry
	for _, n := range []string{"zebra", "ape"} {
		if err := r.AddSink(namedSink(n)); err != nil {
			t.Fatal(err)
		}
		if err := r.AddSource(namedSource(n)); err != nil {
			t.Fatal(err)
		}
	}
	var order []string
	for _, s := range r.Sinks() {
		order = append(order, s.Describe().Name)
	}
	for _, s := range r.Sources() {
		order = append(order, s.Describe().Name)
	}
	if diff := cmp.Diff([]string{"zebra", "ape", "zebra", "ape"}, order); diff != "" {
		t.Error(diff)
	}
	if s, err := r.Sink("ape"); err != nil || s != namedSink("ape") {
		t.Errorf("got %v, %v", s, err)
	}
	if s, err := r.Source("zebra"); err != nil || s != namedSource("zebra") {
		t.Errorf("got %v, %v", s, err)
	}
	_, err := r.Sink("cow")
	if !errors.Is(err, diag.ErrUsage) || !strings.Contains(err.Error(), "zebra, ape") {
		t.Errorf("unknown sink: %v", err)
	}
	if _, err := r.Source("cow"); !errors.Is(err, diag.ErrUsage) {
		t.Errorf("unknown source: %v", err)
	}
}

// The source that chooses by itself is found by its name and listed nowhere.
func TestAuto(t *testing.T) {
	t.Parallel()
	var r registry.Registry
	if _, err := r.Source("auto"); !errors.Is(err, diag.ErrUsage) {
		t.Errorf("none was registered: %v", err)
	}
	if err := r.SetAuto(namedSource("other")); err == nil {
		t.Error("a source of another name accepted")
	}
	if err := errors.Join(r.SetAuto(namedSource("auto")), r.AddSource(namedSource("ape"))); err != nil {
		t.Fatal(err)
	}
	if err := r.SetAuto(namedSource("auto")); err == nil {
		t.Error("a second one accepted")
	}
	if s, err := r.Source("auto"); err != nil || s != namedSource("auto") {
		t.Errorf("got %v, %v", s, err)
	}
	if got := r.Sources(); len(got) != 1 || got[0] != namedSource("ape") {
		t.Errorf("listed: %v", got)
	}
	if _, err := r.Source("cow"); err == nil || !strings.Contains(err.Error(), "auto, ape") {
		t.Errorf("unknown source: %v", err)
	}
}

func TestRefusedNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "Markdown", "a:b", "plugin", "auto", "9lives", "-x", "a b", "taken", strings.Repeat("x", 33)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r registry.Registry
			if err := errors.Join(r.AddSink(namedSink("taken")), r.AddSource(namedSource("taken"))); err != nil {
				t.Fatal(err)
			}
			if err := r.AddSink(namedSink(name)); err == nil {
				t.Error("sink accepted")
			}
			if err := r.AddSource(namedSource(name)); err == nil {
				t.Error("source accepted")
			}
		})
	}
}

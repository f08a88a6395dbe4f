package builtin_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/builtin"
)

func TestRegistry(t *testing.T) {
	t.Parallel()
	r, err := builtin.Registry()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range r.Sources() {
		names = append(names, s.Describe().Name)
	}
	for _, s := range r.Sinks() {
		names = append(names, s.Describe().Name)
	}
	if diff := cmp.Diff([]string{"sqlite", "legacypb", "mirror", "daemon", "markdown", "json", "html", "events"}, names); diff != "" {
		t.Error(diff)
	}
}

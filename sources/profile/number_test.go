package profile_test

import (
	"testing"

	"agy-reader/sources/profile"
)

func TestNumber(t *testing.T) {
	t.Parallel()
	p, _, _, err := profile.Choose(profile.Evidence{})
	if err != nil {
		t.Fatal(err)
	}
	var names profile.Names
	status := names.Field("gemini_coder.Step", "status")
	none := names.Field("gemini_coder.Step", "no_such_field")
	elsewhere := names.Field("no.such.Message", "status")
	r := p.Resolve(&names)
	for field, want := range map[profile.Field]uint64{status: 4, none: 0, elsewhere: 0, {}: 0} {
		for range 2 { // the second answer comes out of the table
			if got := r.Number(field); got != want {
				t.Errorf("number of %v: %d, want %d", field, got, want)
			}
		}
	}
}

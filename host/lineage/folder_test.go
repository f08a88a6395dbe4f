package lineage

import (
	"strings"
	"testing"
)

func TestNamesOfRecords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"916eb782-4730-48af-a317-a8c24cd54909": true, "a_-Z": true, strings.Repeat("9", 128): true,
		"abc": false, strings.Repeat("9", 129): false, "-abc": false, "_abc": false, "ab.c": false, "ab/c": false, "äbcd": false, "": false,
	} {
		if got := mayBeID(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

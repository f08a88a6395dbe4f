package agytest_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The daemon's program holds nothing of this repository but itself and the schemas: what it answers is no echo of the readers.
func TestSharesNoCodeWithTheReaders(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", "agy-reader/host/agytest/agy").Output()
	if err != nil {
		t.Skipf("no go command here: %v", err)
	}
	own := slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool { return !strings.HasPrefix(name, "agy-reader/") })
	slices.Sort(own)
	want := []string{"agy-reader/host/agytest/agy", "agy-reader/host/agytest/answers", "agy-reader/host/agytest/control", "agy-reader/proto/antigravity"}
	if !slices.Equal(own, want) {
		t.Errorf("it is made of %q, want %q", own, want)
	}
}

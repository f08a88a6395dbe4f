package antigravity_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The record that the binary carries along names every profile and every database schema, and no profile that is not there.
func TestCompatibilityRecordNamesTheProfiles(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "COMPATIBILITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	record, _, ok := strings.Cut(string(text), "## Platforms")
	if !ok {
		t.Fatal("the record has lost its sections")
	}
	known := map[string]bool{}
	for _, name := range profileNames(t) {
		known[name] = true
		if !strings.Contains(record, "`"+name+"`") {
			t.Errorf("profile %s is not in the record", name)
		}
		for _, schema := range loadProfile(t, name).manifest.SQLSchemas {
			if !strings.Contains(record, schema.Fingerprint) {
				t.Errorf("the schema of %s is not in the record: %s", name, schema.Fingerprint)
			}
		}
	}
	for i, part := range strings.Split(record, "`") {
		if i%2 == 1 && (strings.HasPrefix(part, "agy-1") || strings.HasPrefix(part, "legacy-")) && !known[part] {
			t.Errorf("the record names %s, which is no profile", part)
		}
	}
}

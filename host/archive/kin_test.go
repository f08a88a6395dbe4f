package archive

import (
	"fmt"
	"testing"
	"time"
)

// A chain or a circle of parents, however long, is followed as deep as documents are.
func TestLongFamiliesAreQuick(t *testing.T) {
	t.Parallel()
	const n = 20_000
	entries := map[string]*Entry{}
	for i := range n {
		id := fmt.Sprint(i)
		entries[id] = &Entry{ID: id, Name: id, Parent: fmt.Sprint((i + 1) % n), Options: "o"}
	}
	k := newKin(entries)
	before, above := k.hash("10000"), k.hash("10100")
	start := time.Now()
	for id := range entries {
		if k.hash(id) == "" {
			t.Fatal("a parent without children")
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	k.set("9999", "9999", "other", nil)
	if k.hash("10000") == before || k.hash("10100") != above {
		t.Error("a change is seen by the parents that show it, and by no other")
	}
}

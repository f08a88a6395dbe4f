package convert

import (
	"math/rand/v2"
	"testing"
)

// A table says what a map says, whatever was put into it and however often it grew.
func TestTable(t *testing.T) {
	t.Parallel()
	for _, valued := range []bool{false, true} {
		random := rand.New(rand.NewPCG(1, 2))
		var have table
		want := map[uint64]uint32{}
		check := func(key uint64) {
			t.Helper()
			value, found := have.get(key)
			if wanted, known := want[key]; value != wanted || found != known {
				t.Fatalf("%x: %d, %v; want %d, %v", key, value, found, wanted, known)
			}
		}
		check(0)
		for i := range 50_000 {
			key := random.Uint64()
			if i%7 == 0 {
				key = ^uint64(i % 1000) // all of them at one end
			}
			value := uint32(0)
			if valued {
				value = uint32(i)
			}
			check(key)
			have.put(key, value)
			want[key] = value
			check(key)
		}
		copied := have.clone()
		have.put(2, 9)
		if _, found := copied.get(2); found || copied.used != len(want) || len(copied.keys) > 2*len(want) {
			t.Errorf("valued %v: the copy holds %d of %d in %d places", valued, copied.used, len(want), len(copied.keys))
		}
		for key := range want {
			check(key)
		}
	}
}

package convert

import (
	"math/bits"
	"slices"
)

// table maps hashes to numbers, or is a set of hashes when every number is 0. A conversation has some for every step: a map
// would take twice as much memory or more.
type table struct {
	// keys are at the place the hash gives or behind it; 0 is none. values, when there are any, stand at the same places.
	keys   []uint64
	values []uint32
	used   int
}

// find returns the place of a hash, or where it would be.
func (t *table) find(key uint64) (at int, found bool) {
	high, _ := bits.Mul64(key, uint64(len(t.keys)))
	for at = int(high); t.keys[at] != 0; {
		if t.keys[at] == key {
			return at, true
		}
		if at++; at == len(t.keys) {
			at = 0
		}
	}
	return at, false
}

func (t *table) get(key uint64) (value uint32, found bool) {
	if t.used == 0 {
		return 0, false
	}
	at, found := t.find(max(key, 1))
	if found && t.values != nil {
		value = t.values[at]
	}
	return value, found
}

func (t *table) put(key uint64, value uint32) {
	if t.used >= len(t.keys)-len(t.keys)/8 {
		t.grow()
	}
	at, found := t.find(max(key, 1))
	if !found {
		t.keys[at] = max(key, 1)
		t.used++
	}
	if value != 0 && t.values == nil {
		t.values = make([]uint32, len(t.keys))
	}
	if t.values != nil {
		t.values[at] = value
	}
}

// grow makes room for half as much again.
func (t *table) grow() {
	old := *t
	t.keys = make([]uint64, max(16, len(old.keys)/2*3))
	if old.values != nil {
		t.values = make([]uint32, len(t.keys))
	}
	for i, key := range old.keys {
		if key == 0 {
			continue
		}
		at, _ := t.find(key)
		if t.keys[at] = key; old.values != nil {
			t.values[at] = old.values[i]
		}
	}
}

func (t *table) clone() table {
	return table{keys: slices.Clone(t.keys), values: slices.Clone(t.values), used: t.used}
}

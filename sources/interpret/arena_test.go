package interpret

import (
	"strings"
	"testing"
)

func TestTextsKeepWhatWasAppended(t *testing.T) {
	t.Parallel()
	var m texts
	var want, got []string
	for i := range 400 {
		text := strings.Repeat(string(rune('a'+i%26)), i*7%5000)
		buf := m.open(i % 900)
		buf = append(buf, text...)
		want, got = append(want, text), append(got, m.closeText(buf))
		if i%100 == 50 {
			// An opened text that is given up leaves nothing behind.
			_ = append(m.open(10), "lost"...)
		}
	}
	for i := range want {
		if want[i] != got[i] {
			t.Fatalf("text %d changed", i)
		}
	}
	m.reset()
	if len(m.full) != 0 || len(m.spare) == 0 {
		t.Error("reset keeps no chunks")
	}
}

func TestSlabsHandOutZeroedValues(t *testing.T) {
	t.Parallel()
	var s slab[int]
	var r runs[int]
	for range 3 {
		seen := make(map[*int]bool)
		for range 3000 {
			v := s.next()
			if *v != 0 || seen[v] {
				t.Fatal("a value in use was handed out again")
			}
			*v, seen[v] = 1, true
		}
		var kept [][]int
		for i := range 300 {
			list := make([]int, i%40)
			for k := range list {
				list[k] = i
			}
			kept = append(kept, r.keep(list))
		}
		for i, list := range kept {
			if len(list) != i%40 || cap(list) != len(list) {
				t.Fatalf("list %d has %d, room for %d", i, len(list), cap(list))
			}
			for _, v := range list {
				if v != i {
					t.Fatalf("list %d was overwritten", i)
				}
			}
		}
		s.reset()
		r.reset()
		if len(s.chunks) > keptChunks || len(r.chunks) > keptChunks {
			t.Fatal("reset keeps too much")
		}
	}
}

package interpret

// slab hands out zeroed values from chunks it keeps across resets.
type slab[T any] struct {
	chunks [][]T
	// chunk is the chunk in use, used the number of its values handed out.
	chunk, used int
}

const (
	firstChunk = 8
	maxChunk   = 512
	// keptChunks is how many chunks survive a reset, so that one odd batch does not hold memory for ever.
	keptChunks = 32
)

// next returns a zeroed value that stays valid until reset.
func (s *slab[T]) next() *T {
	if s.chunk == len(s.chunks) {
		n := firstChunk
		if s.chunk > 0 {
			n = min(2*len(s.chunks[s.chunk-1]), maxChunk)
		}
		s.chunks = append(s.chunks, make([]T, n))
	}
	c := s.chunks[s.chunk]
	v := &c[s.used]
	if s.used++; s.used == len(c) {
		s.chunk, s.used = s.chunk+1, 0
	}
	return v
}

// reset takes every value back and clears it, so that nothing it referred to stays alive.
func (s *slab[T]) reset() {
	for i := range s.chunks {
		switch {
		case i < s.chunk:
			clear(s.chunks[i])
		case i == s.chunk:
			clear(s.chunks[i][:s.used])
		}
	}
	if len(s.chunks) > keptChunks {
		clear(s.chunks[keptChunks:])
		s.chunks = s.chunks[:keptChunks]
	}
	s.chunk, s.used = 0, 0
}

// runs hands out short slices cut from chunks it keeps across resets. The slices have no spare capacity.
type runs[T any] struct {
	chunks      [][]T
	chunk, used int
}

// keep returns a copy of list that stays valid until reset, and nil for an empty list.
func (r *runs[T]) keep(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	for r.chunk < len(r.chunks) && len(r.chunks[r.chunk])-r.used < len(list) {
		r.chunk, r.used = r.chunk+1, 0
	}
	if r.chunk == len(r.chunks) {
		n := firstChunk
		if r.chunk > 0 {
			n = min(2*len(r.chunks[r.chunk-1]), maxChunk)
		}
		r.chunks = append(r.chunks, make([]T, max(n, len(list))))
	}
	out := r.chunks[r.chunk][r.used : r.used+len(list) : r.used+len(list)]
	r.used += len(list)
	copy(out, list)
	return out
}

func (r *runs[T]) reset() {
	kept := r.chunks[:0]
	for _, c := range r.chunks {
		if len(c) <= maxChunk && len(kept) < keptChunks {
			clear(c)
			kept = append(kept, c)
		}
	}
	clear(r.chunks[len(kept):])
	r.chunks, r.chunk, r.used = kept, 0, 0
}

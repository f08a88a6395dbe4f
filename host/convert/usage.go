package convert

import (
	"hash/maphash"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// totals adds up model calls, each one once.
type totals struct {
	seen  map[uint64]struct{}
	usage transcriptv1.Usage
}

// seed makes equal ids equal within one process and collisions impossible to prepare.
var seed = maphash.MakeSeed()

func hash(kind byte, id string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	_ = h.WriteByte(kind)    // never fails
	_, _ = h.WriteString(id) // never fails
	return h.Sum64()
}

// add counts one model call unless it was counted before. Calls are the same when their response ids are, or, without one,
// their message ids; a call with neither counts each time.
func (t *totals) add(u *transcriptv1.Usage) {
	if u == nil {
		return
	}
	var key uint64
	switch {
	case u.ResponseId != "":
		key = hash('r', u.ResponseId)
	case u.MessageId != "":
		key = hash('m', u.MessageId)
	}
	if key != 0 {
		if _, counted := t.seen[key]; counted {
			return
		}
		if t.seen == nil {
			t.seen = map[uint64]struct{}{}
		}
		t.seen[key] = struct{}{}
	}
	t.usage.Calls++
	sum(&t.usage.InputTokens, u.InputTokens)
	sum(&t.usage.OutputTokens, u.OutputTokens)
	sum(&t.usage.CacheReadTokens, u.CacheReadTokens)
	sum(&t.usage.CacheWriteTokens, u.CacheWriteTokens)
	sum(&t.usage.ThinkingTokens, u.ThinkingTokens)
	sum(&t.usage.ResponseTokens, u.ResponseTokens)
}

func sum(total **uint64, n *uint64) {
	if n == nil {
		return
	}
	if *total == nil {
		*total = new(uint64)
	}
	**total += *n
}

// result is the totals as a footer holds them, nil when no call was seen.
func (t *totals) result() *transcriptv1.Usage {
	if t.usage.Calls == 0 {
		return nil
	}
	return &t.usage
}

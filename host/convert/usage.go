package convert

import (
	"hash/maphash"
	"maps"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// totals adds up model calls, each one once.
type totals struct {
	seen table
	// bare counts the calls that no id names, by their numbers.
	bare  map[uint64]int
	usage transcriptv1.Usage
	// from counts the calls by where they were found.
	from [origins]uint32
}

// Where a call was found.
const (
	inSteps = iota
	inGenerations
	inLogs
	origins
)

// origin says where the calls were found.
func (t *totals) origin() string {
	var found []string
	for i, place := range [origins]string{"steps", "generatorMetadata", "transcript logs"} {
		if t.from[i] > 0 {
			found = append(found, strconv.FormatUint(uint64(t.from[i]), 10)+" in "+place)
		}
	}
	return strings.Join(found, ", ")
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

// add counts one model call unless it was counted before, and reports whether it did. Calls are the same when their
// response ids are, or, where one of them has none, their message ids; a call with neither counts each time. One that was
// paid for elsewhere is remembered and not counted.
func (t *totals) add(u *transcriptv1.Usage, paid bool) bool {
	switch {
	case u.ResponseId == "" && u.MessageId == "":
		if t.bare == nil {
			t.bare = map[uint64]int{}
		}
		t.bare[numbers(u, u.GetInputTokens())]++
	case !t.first(u):
		return false
	}
	if paid {
		return false
	}
	t.usage.Calls++
	addUp(&t.usage, u)
	return true
}

// generation counts a model call that is recorded apart from steps. A step that names no id carries the same call when
// its numbers are the same: logs have nothing else, and some of them may count what was cached as input.
func (t *totals) generation(u *transcriptv1.Usage) bool {
	for _, input := range [...]uint64{u.GetInputTokens(), addTokens(u.GetInputTokens(), u.GetCacheReadTokens())} {
		if k := numbers(u, input); t.bare[k] > 0 && (u.ResponseId == "" && u.MessageId == "" || t.first(u)) {
			t.bare[k]--
			return false
		}
	}
	if !t.add(u, false) {
		return false
	}
	t.from[inGenerations]++
	return true
}

// first remembers a call by its ids and reports whether it is new.
func (t *totals) first(u *transcriptv1.Usage) bool {
	has := func(kind byte, id string) bool {
		_, counted := t.seen.get(hash(kind, id))
		return id != "" && counted
	}
	// 'r' holds response ids, 'm' all message ids, 'n' those of calls without a response id.
	if has('r', u.ResponseId) || u.ResponseId == "" && has('m', u.MessageId) || has('n', u.MessageId) {
		return false
	}
	keep := func(kind byte, id string) {
		if id != "" {
			t.seen.put(hash(kind, id), 0)
		}
	}
	keep('r', u.ResponseId)
	keep('m', u.MessageId)
	if u.ResponseId == "" {
		keep('n', u.MessageId)
	}
	return true
}

// numbers is what two records of one call without ids have in common.
func numbers(u *transcriptv1.Usage, input uint64) uint64 {
	return maphash.Comparable(seed, [3]uint64{input, u.GetCacheReadTokens(), u.GetOutputTokens()})
}

// clone returns totals that go their own way from here.
func (t *totals) clone() *totals {
	c := &totals{seen: t.seen.clone(), bare: maps.Clone(t.bare)}
	proto.Merge(&c.usage, &t.usage)
	return c
}

// result is the totals as a footer holds them, nil when no call was seen.
func (t *totals) result() *transcriptv1.Usage {
	if t.usage.Calls == 0 {
		return nil
	}
	return &t.usage
}

// addUp adds the counts that are recorded.
func addUp(total, u *transcriptv1.Usage) {
	sum(&total.InputTokens, u.InputTokens)
	sum(&total.OutputTokens, u.OutputTokens)
	sum(&total.CacheReadTokens, u.CacheReadTokens)
	sum(&total.CacheWriteTokens, u.CacheWriteTokens)
	sum(&total.ThinkingTokens, u.ThinkingTokens)
	sum(&total.ResponseTokens, u.ResponseTokens)
}

func sum(total **uint64, n *uint64) {
	if n == nil {
		return
	}
	if *total == nil {
		*total = new(uint64)
	}
	**total = addTokens(**total, *n)
}

func addTokens(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// sound reports whether the parts of the output add up to it, as they do in every record that was checked. A record
// without parts cannot be checked.
func sound(u *transcriptv1.Usage) bool {
	if u.OutputTokens == nil || u.ThinkingTokens == nil && u.ResponseTokens == nil {
		return true
	}
	return u.GetOutputTokens() == addTokens(u.GetThinkingTokens(), u.GetResponseTokens())
}

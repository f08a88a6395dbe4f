package present

import (
	"math"
	"strconv"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Separator stands between facts on one line.
const Separator = " · "

// short is room for most of these texts, so that their bytes need no memory of their own.
const short = 64

// AppendCount appends a whole number with a comma every three digits.
func AppendCount(dst []byte, n uint64) []byte {
	var digits [20]byte
	plain := strconv.AppendUint(digits[:0], n, 10)
	for i, d := range plain {
		if i > 0 && (len(plain)-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, d)
	}
	return dst
}

// Count is AppendCount as a string.
func Count(n uint64) string {
	return string(AppendCount(make([]byte, 0, short), n))
}

// AppendAmount appends a number with its noun, which takes an s unless n is 1: `1 step`, `2 steps`.
func AppendAmount(dst []byte, n uint64, noun string) []byte {
	dst = AppendCount(dst, n)
	dst = append(dst, ' ')
	dst = append(dst, noun...)
	if n != 1 {
		dst = append(dst, 's')
	}
	return dst
}

// Amount is AppendAmount as a string.
func Amount(n uint64, noun string) string {
	return string(AppendAmount(make([]byte, 0, short), n, noun))
}

// AppendSize appends a number of bytes: `0 B`, `1023 B`, `1.5 KiB`, `12 MiB`. One decimal below ten.
func AppendSize(dst []byte, n uint64) []byte {
	if n < 1024 {
		dst = strconv.AppendUint(dst, n, 10)
		return append(dst, " B"...)
	}
	const units = "KMGTPE"
	value, unit := float64(n)/1024, 0
	for value >= 1023.5 && unit < len(units)-1 {
		value, unit = value/1024, unit+1
	}
	precision := 0
	if value < 9.95 {
		precision = 1
	}
	dst = strconv.AppendFloat(dst, value, 'f', precision, 64)
	return append(dst, ' ', units[unit], 'i', 'B')
}

// Size is AppendSize as a string.
func Size(n uint64) string {
	return string(AppendSize(make([]byte, 0, short), n))
}

// AppendUsage appends the token counts of one call or a total: `1,234 in · 56 out · 789 cached`. Counts that are not
// recorded are left out; it appends nothing when none is recorded.
func AppendUsage(dst []byte, u *transcriptv1.Usage) []byte {
	if u == nil {
		return dst
	}
	start := len(dst)
	for _, part := range [...]struct {
		tokens *uint64
		word   string
	}{
		{u.InputTokens, " in"},
		{u.OutputTokens, " out"},
		{u.CacheReadTokens, " cached"},
		{u.CacheWriteTokens, " written to cache"},
		{u.ThinkingTokens, " thinking"},
		{u.ResponseTokens, " response"},
	} {
		if part.tokens == nil || *part.tokens > math.MaxInt64 {
			continue
		}
		if len(dst) > start {
			dst = append(dst, Separator...)
		}
		dst = AppendCount(dst, *part.tokens)
		dst = append(dst, part.word...)
	}
	return dst
}

// NoTokens stands where a model call is recorded without its tokens.
const NoTokens = "tokens not recorded"

package reuse

import (
	"hash/fnv"
	"time"
)

// Limits of how long a check is good for: the reference's numbers.
const (
	// shortest is for a session that changed about 20 minutes ago or less, longest for one that was quiet for a day or more.
	// Each is shortened by up to an hour or minute, by source, so that not everything is checked in one tick.
	shortest        = 5 * time.Minute
	shortestStagger = time.Minute
	longest         = 6 * time.Hour
	longestStagger  = time.Hour
	// share of its quiet time that a check of any other session is good for.
	share = 4
)

// limit is how long a check at the time now is good for, when the session's files last changed at last.
func limit(id string, last, now time.Time) time.Duration {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(id)) // never fails
	// In (0, 1]: the bounds themselves are never reached.
	part := float64(hash.Sum32()%1000+1) / 1000
	low := shortest - time.Duration(part*float64(shortestStagger))
	high := longest - time.Duration(part*float64(longestStagger))
	return min(max(now.Sub(last)/share, low), high)
}

// Package collector sets how much garbage the Go runtime lets pile up before it collects.
//
// The runtime's own rule, a share of all memory in use, fits no conversion: beside a few megabytes it collects hundreds of
// times a second, and beside a large file that must be in memory as a whole it lets as much garbage pile up again. What a
// collection costs is to look through memory that may hold pointers; large texts cost nothing. So the room for garbage is
// a fixed number of bytes, and a share of what must be looked through where that is more.
package collector

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// room is how many bytes of garbage always may pile up: little beside everything a conversion needs, and enough for small
	// conversations to be collected once for several of them.
	room = 7 << 20
	// share is how many percent of the memory that is looked through may be garbage beside it.
	share = 60
	// most bounds the percentage, and is the setting until the first collection. The runtime takes it of 4 MiB at least, so
	// that a process which is nearly empty gets about the same room.
	most = 250
)

// Start sets the collector now and after each collection, as long as the process lives. It does nothing when the
// environment has GOGC: then the user decides. It is for the main function, once.
func Start() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(most)
	follow(most)
}

// cycle is garbage as soon as it is made, so that what is attached to it runs after the next collection.
type cycle struct{ _ *byte }

func follow(percent int) {
	runtime.AddCleanup(&cycle{}, func(before int) {
		now := percentFor(measure())
		if now != before {
			debug.SetGCPercent(now)
		}
		follow(now)
	}, percent)
}

// measure returns how many bytes the last collection left, and how many it has to look through.
func measure() (live, scanned uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/total:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}

// percentFor is the runtime's setting that leaves the room there should be.
func percentFor(live, scanned uint64) int {
	allowed := max(room, scanned/100*share)
	return int(min(most, max(1, 100*allowed/max(live, 1))))
}

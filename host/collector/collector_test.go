package collector

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

func TestPercentFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what          string
		live, scanned uint64
		want          int
	}{
		{"nothing", 0, 0, most},
		{"a process that just began", 1 << 20, 1 << 20, most},
		{"small conversations", 4 << 20, 3 << 20, 175},
		{"a long conversation", 10 << 20, 8 << 20, 70},
		{"a large file in memory", 200 << 20, 10 << 20, 3},
		{"an enormous one", 1 << 40, 10 << 20, 1},
		{"a large store", 100e6, 100e6, share},
	} {
		if got := percentFor(c.live, c.scanned); got != c.want {
			t.Errorf("%s: %d percent, want %d", c.what, got, c.want)
		}
	}
}

func setting() int {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}

// collectUntil collects until the setting is what is asked for: what follows a collection runs a moment after it.
func collectUntil(t *testing.T, what string, ok func(percent int) bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(setting()); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: still %d percent", what, setting())
		}
		runtime.GC()
	}
}

// Not parallel: the setting is the process's.
func TestStart(t *testing.T) {
	before := setting()
	t.Cleanup(func() { debug.SetGCPercent(before) })
	t.Setenv("GOGC", "70")
	Start()
	if got := setting(); got != before {
		t.Errorf("%d percent although the user decided", got)
	}
	t.Setenv("GOGC", "")
	Start()
	if got := setting(); got != most {
		t.Errorf("%d percent at the start, want %d", got, most)
	}
	text := make([]byte, 128<<20)
	collectUntil(t, "while a large text is held", func(percent int) bool { return percent < 10 })
	runtime.KeepAlive(text) // the last use: from here on it is garbage
	collectUntil(t, "when it is held no more", func(percent int) bool { return percent > 100 })
}

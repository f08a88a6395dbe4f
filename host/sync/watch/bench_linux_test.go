package watch

import (
	"syscall"
	"testing"
	"time"

	"agy-reader/host/agytest"
)

// cpu is what this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A tick in which everything is reused, and the search for the daemon alone.
func BenchmarkTickAtRest(b *testing.B) {
	r := newRig(b, 1000)
	r.daemon(agytest.Options{})
	r.tick()
	settle()
	full := cpu()
	r.loop = nil
	r.cache = b.TempDir()
	r.tick()
	full = cpu() - full
	b.Log(r.tick())
	b.Run("tick", func(b *testing.B) {
		start := cpu()
		for range b.N {
			r.tick()
		}
		b.ReportMetric(float64((cpu()-start).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		b.ReportMetric(100*float64(cpu()-start)/float64(b.N)/float64(full), "%-of-full")
	})
	b.Run("find", func(b *testing.B) {
		start := cpu()
		for range b.N {
			r.loop.looked = false
			r.loop.discover(b.Context())
		}
		b.ReportMetric(float64((cpu()-start).Microseconds())/1000/float64(b.N), "cpu-ms/op")
	})
}

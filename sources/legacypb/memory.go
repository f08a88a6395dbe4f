package legacypb

import (
	"runtime/debug"
	"sync"
)

const (
	// heavy is the size from which a file counts.
	heavy = 8 << 20
	// garbage is about how much the collector lets pile up while large files are held.
	garbage = 32 << 20
)

// held are the decrypted files in memory. The collector lets garbage grow to a share of all memory in use; a file that
// must be in memory as a whole would double itself that way.
var held struct {
	sync.Mutex
	bytes int64
	// usual is the collector's setting without such files.
	usual int
}

// hold makes the collector leave n bytes out of account until release, which may be called more than once. A process
// without a collector stays so.
func hold(n int64) (release func()) {
	if n < heavy {
		return func() {}
	}
	weigh(n)
	return sync.OnceFunc(func() { weigh(-n) })
}

func weigh(n int64) {
	held.Lock()
	defer held.Unlock()
	if held.bytes == 0 {
		held.usual = debug.SetGCPercent(100)
	}
	held.bytes += n
	percent := held.usual
	if held.usual > 0 {
		percent = max(1, int(int64(held.usual)*garbage/(garbage+held.bytes)))
	}
	debug.SetGCPercent(percent)
}

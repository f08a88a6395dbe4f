package present

import "io"

// Long writes a text that is made piece by piece, so that lists of thousands of entries do not lie in memory as a whole.
type Long struct {
	Out io.Writer
	// Err is the first error of Out; nothing is written behind it.
	Err error
}

// longEnough is the size of a piece.
const longEnough = 64 << 10

// Pass writes dst when it is long, and returns what is to be appended to. What is appended later may look at the end of an
// entry, so it is called before one.
func (l *Long) Pass(dst []byte) []byte {
	if len(dst) < longEnough {
		return dst
	}
	return l.Flush(dst)
}

// Flush writes dst and returns it empty.
func (l *Long) Flush(dst []byte) []byte {
	if l.Err == nil {
		_, l.Err = l.Out.Write(dst)
	}
	return dst[:0]
}

// More says how many entries of a list are not in it: `and 12 more`.
func More(n uint64) string { return "and " + Count(n) + " more" }

// All is how many entries a list would have: those it has, and more.
func All(listed int, more uint32) uint64 { return uint64(listed) + uint64(more) }

package profile

import "golang.org/x/sys/cpu"

// hasBlocks: the machine has what escapeBlocks uses; every x86 since 2008 has.
var hasBlocks = cpu.X86.HasSSSE3 && cpu.X86.HasPOPCNT

// escapeBlocks writes src into dst as appendEscaped does, 16 bytes at a time without a branch for each. It stops before the
// last incomplete block, where dst has no room for another one, and before a block with a control character that is written
// in six bytes. high reports whether a byte it read is not ASCII.
//
//go:noescape
func escapeBlocks(dst []byte, src string) (read, written int, high bool)

// spread says for eight bytes, by the mask of those that are escaped, which byte comes where; 8 is the backslash.
//
//nolint:unused // escape_amd64.s uses it
var spread = func() (table [256][16]byte) {
	for mask := range table {
		n := 0
		for i := range 8 {
			if mask>>i&1 != 0 {
				table[mask][n] = 8
				n++
			}
			table[mask][n] = byte(i)
			n++
		}
	}
	return table
}()

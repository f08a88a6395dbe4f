//go:build !amd64

package profile

const hasBlocks = false

func escapeBlocks([]byte, string) (read, written int, high bool) { return 0, 0, false }

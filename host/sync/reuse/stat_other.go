//go:build !linux

package reuse

import "io/fs"

// stat: other systems' metadata is not known well enough to rely on it.
func stat(string) (File, bool) { return File{}, false }

// boot is not known.
func boot() string { return "" }

// own is never asked: no cache is kept.
func own(fs.FileInfo) bool { return false }

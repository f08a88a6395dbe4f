package sqlite

import "io/fs"

// ours: the folder for temporary files belongs to one user.
func ours(fs.FileInfo) bool { return true }

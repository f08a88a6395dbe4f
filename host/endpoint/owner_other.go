//go:build !unix

package endpoint

import "io/fs"

// ownedBy cannot tell here: the folders of a user are closed to others by their own rights.
func ownedBy(fs.FileInfo, int) bool { return true }

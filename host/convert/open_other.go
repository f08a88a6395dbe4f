//go:build !unix

package convert

import "os"

// openFlags opens a file for reading.
const openFlags = os.O_RDONLY

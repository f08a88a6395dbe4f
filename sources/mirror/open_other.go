//go:build !unix

package mirror

import "os"

// openFlags opens a file for reading.
const openFlags = os.O_RDONLY

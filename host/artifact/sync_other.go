//go:build !unix

package artifact

import "os"

// syncFolder does nothing where folders cannot be flushed.
func syncFolder(*os.File) error { return nil }

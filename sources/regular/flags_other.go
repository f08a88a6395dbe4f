//go:build !unix

package regular

import "os"

const flags = os.O_RDONLY

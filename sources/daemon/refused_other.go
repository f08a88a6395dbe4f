//go:build !windows

package daemon

import "syscall"

// refusedErrors are what the system says when nobody listens at an address.
var refusedErrors = []error{syscall.ECONNREFUSED}

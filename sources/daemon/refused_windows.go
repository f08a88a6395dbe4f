package daemon

import "syscall"

// refusedErrors are what the system says when nobody listens at an address: the name Go invented, and WSAECONNREFUSED.
var refusedErrors = []error{syscall.ECONNREFUSED, syscall.Errno(10061)}

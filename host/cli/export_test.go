package cli

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
)

// Running is held while a command line runs in this process: the flag library keeps its help flag in a variable of its own
// and writes to it.
var Running sync.Mutex

// RunWith runs one command line with streams of the caller's.
func RunWith(ctx context.Context, streams Streams, args ...string) int {
	Running.Lock()
	defer Running.Unlock()
	return Run(ctx, append([]string{"agy-reader"}, args...), streams, "")
}

// run runs one command line.
func run(t *testing.T, args ...string) (code int, out, said string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = RunWith(t.Context(), Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr}, args...)
	return code, stdout.String(), stderr.String()
}

// Command is run for tests outside the package.
var Command = run

// Command agy-reader turns conversations of Google's coding agents into files people and tools can read.
package main

import (
	"context"
	_ "embed"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"agy-reader/host/cli"
)

//go:embed COMPATIBILITY.md
var compatibility string

// garbage is how much memory may hold garbage, in percent of what is in use; GOGC says otherwise. A long conversation
// needs a fifth less memory than with the usual 100, for a twentieth more of the time.
const garbage = 60

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once, whatever it waits for
	code := cli.Run(ctx, os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, compatibility)
	stop()
	os.Exit(code)
}

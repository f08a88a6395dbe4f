// Command agy-reader turns conversations of Google's coding agents into files people and tools can read.
package main

import (
	"context"
	_ "embed"
	"os"
	"os/signal"
	"syscall"

	"agy-reader/host/cli"
	"agy-reader/host/collector"
)

//go:embed COMPATIBILITY.md
var compatibility string

func main() {
	collector.Start()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once, whatever it waits for
	code := cli.Run(ctx, os.Args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, compatibility)
	stop()
	os.Exit(code)
}

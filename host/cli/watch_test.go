package cli

import (
	"slices"
	"testing"

	"github.com/urfave/cli/v2"

	"agy-reader/host/endpoint"
)

// TestWatchersAreKnownByTheirFlags: a watcher that was started with any flag of the bare command line is found by doctor.
func TestWatchersAreKnownByTheirFlags(t *testing.T) {
	t.Parallel()
	for _, flag := range new(app).program().Flags {
		name := flag.Names()[0]
		args := []string{"--watch"}
		switch flag.(type) {
		case *cli.BoolFlag:
			args = append(args, "--"+name)
		case *cli.DurationFlag:
			args = append(args, "--"+name, "5s")
		default:
			args = append(args, "--"+name, "x")
		}
		if slices.Contains([]string{"help", "version", "generate-bash-completion", "init-completion"}, name) {
			continue // such a process only prints
		}
		if _, is := endpoint.WatchArguments(args); !is {
			t.Errorf("a process with %q is not taken for a watcher", args)
		}
	}
}

package cli

import (
	"os"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"agy-reader/host/builtin"
	"agy-reader/host/diag"
	"agy-reader/plugins/sdk"
)

// servedGarbage is how much memory may hold garbage while a sink is served, in percent of what is in use; GOGC says
// otherwise. Only a few steps are in use at any time, so that 10 MiB more are enough to take a twentieth less time than with
// the little garbage that suits a whole conversion.
const servedGarbage = 200

// serveSinkCommand serves a built-in sink as a plugin process, so that the same code can be run and tested both ways.
func (a *app) serveSinkCommand() *cli.Command {
	return &cli.Command{
		Name:      "serve-sink",
		Usage:     "serve a built-in sink to a host over the plugin protocol",
		ArgsUsage: "NAME",
		Hidden:    true,
		Action: func(c *cli.Context) error {
			args, err := positional(c)
			if err != nil {
				return err
			}
			if len(args) != 1 {
				return diag.Usagef("serve-sink takes one name; see `agy-reader sinks`")
			}
			backends, err := builtin.Registry()
			if err != nil {
				return err
			}
			sink, err := backends.Sink(args[0])
			if err != nil {
				return err
			}
			if os.Getenv("GOGC") == "" {
				debug.SetGCPercent(servedGarbage)
			}
			sdk.ServeSink(sink)
			return nil
		},
	}
}

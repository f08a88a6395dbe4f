package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

func (a *app) versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version, the commit and the Go release it was built with",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "compatibility", Usage: "print what this version was checked against"}},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if c.Bool("compatibility") {
				_, err := fmt.Fprint(a.streams.Out, a.compatibility)
				return err
			}
			fmt.Fprintf(a.streams.Out, "agy-reader %s (%s, %s %s/%s)\n", Version, commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// commit is what the Go tool recorded of the checkout, or that it recorded nothing.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "commit not recorded"
	}
	revision, dirty := "", ""
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			revision = setting.Value
		case "vcs.modified":
			if setting.Value == "true" {
				dirty = ", changed"
			}
		}
	}
	if revision == "" {
		return "commit not recorded"
	}
	return "commit " + revision[:min(12, len(revision))] + dirty
}

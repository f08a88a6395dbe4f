package cli

import (
	"bufio"
	"fmt"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"agy-reader/host/builtin"
	"agy-reader/host/doctor"
	"agy-reader/host/endpoint"
)

func (a *app) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "check daemon, token, sidecars, watcher and agy's version, and say what to do; exit 1 when something is to be done",
		Description: "Sidecars are compared with what their sessions hold; nothing is written. A daemon that does not run is no fault.\n" +
			"Start here when a downstream tool shows old conversations, or none.",
		Flags:        []cli.Flag{rootFlag(), &cli.BoolFlag{Name: "json", Usage: "print JSON with every session that is not verified"}},
		Action:       a.doctor,
		OnUsageError: func(_ *cli.Context, err error, _ bool) error { return reference(err) },
	}
}

// doctor prints what was found to stdout. What is to be done is no error text, only the exit code.
func (a *app) doctor(c *cli.Context) error {
	if c.Bool("watch") || c.Bool("list") {
		return a.bare(c) // they come before any argument (behaviour.md a.1)
	}
	if err := noArguments(c); err != nil {
		return reference(err)
	}
	roots, err := a.roots(c, false)
	if err != nil {
		return reference(err)
	}
	backends, err := builtin.Registry()
	if err != nil {
		return reference(err)
	}
	verifier, err := verifierOf(backends)
	if err != nil {
		return reference(err)
	}
	var done atomic.Int64
	stop := func() {}
	report, err := doctor.Examine(c.Context, doctor.Options{
		Roots: roots, Finder: endpoint.New(a.env), Verifier: verifier,
		Agy: doctor.Version, Recorded: doctor.Recorded(a.compatibility),
		Progress: func(n, of int) {
			if done.Store(int64(n)); n == 0 {
				stop = a.showProgress("comparing sidecars", &done, of)
			}
		},
	})
	stop()
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = writeJSON(a.streams.Out, struct {
			doctor.Verdict
			*doctor.Report
		}{report.Verdict(), report})
	} else {
		err = a.printLines(report.Lines())
	}
	if err == nil && !report.Verdict().Healthy {
		err = errSaid
	}
	return err
}

// printLines prints lines that may hold anything.
func (a *app) printLines(lines []string) error {
	out := bufio.NewWriter(a.streams.Out)
	for _, line := range lines {
		fmt.Fprintln(out, printable(line))
	}
	return out.Flush()
}

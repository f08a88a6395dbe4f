// Package cli is the command line of agy-reader: one file a command. It is the only package that prints. Results go to
// stdout, everything for people to stderr.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"agy-reader/host/audit/shape"
	"agy-reader/host/diag"
	"agy-reader/host/store"
	"agy-reader/host/sync/fetch"
)

// Version is the program's version; the linker sets it (see Makefile).
var Version = "dev"

// Streams are the process's standard streams.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// app is one run of the program.
type app struct {
	args    []string
	streams Streams
	env     store.Environment
	log     *slog.Logger
	// compatibility is COMPATIBILITY.md, which the binary carries along.
	compatibility string
}

// Run executes one command line, args[0] being the program's name, and returns the exit code. It prints everything
// there is to say about an error. compatibility is the text of COMPATIBILITY.md.
func Run(ctx context.Context, args []string, streams Streams, compatibility string) int {
	a := &app{args: args, streams: streams, compatibility: compatibility, env: store.OSEnvironment(), log: slog.New(slog.NewTextHandler(streams.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	program := a.program()
	return a.exit(program.RunContext(ctx, args))
}

func (a *app) program() *cli.App {
	program := &cli.App{
		Name:  "agy-reader",
		Usage: "turn conversations of Google's coding agents into files people and tools can read",
		UsageText: "agy-reader COMMAND [flags] [SESSION…]\nagy-reader [flags] ID\n\n" +
			"Start with `agy-reader list`, then `agy-reader convert ID`. A SESSION is a path or a conversation id.\n" +
			"`agy-reader ID` asks the running agy or IDE, prints the conversation and writes its sidecar; `--watch` keeps all sidecars fresh.",
		Version:                   Version,
		Writer:                    a.streams.Out,
		ErrWriter:                 a.streams.Err,
		Reader:                    a.streams.In,
		EnableBashCompletion:      true,
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              onUsageError,
		Flags: slices.Concat([]cli.Flag{
			rootFlag(),
			&cli.BoolFlag{Name: "list", Usage: "print the sessions that can be synced, one a line (the reference's format)"},
			&cli.BoolFlag{Name: "include-implicit", Usage: "with --list: background trajectories too"},
		}, fetchFlags(), watchFlags()),
		Action: a.bare,
		Commands: []*cli.Command{
			a.convertCommand(),
			a.listCommand(),
			a.showCommand(),
			a.exportOfflineCommand(),
			a.doctorCommand(),
			a.backfillCommand(),
			a.sidecarsCommand(),
			a.verifyContractCommand(),
			a.shapeFingerprintCommand(),
			a.auditCommand(),
			a.auditSweepCommand(),
			a.demoCommand(),
			a.scrubCommand(),
			a.sourcesCommand(),
			a.sinksCommand(),
			a.profilesCommand(),
			a.versionCommand(),
			a.completionCommand(),
			a.serveSinkCommand(),
		},
		CustomAppHelpTemplate: cli.AppHelpTemplate + "\nEXIT CODES:\n" + diag.List("   "),
	}
	for _, command := range program.Commands {
		command.HideHelpCommand = true
		if command.OnUsageError == nil {
			command.OnUsageError = onUsageError
		}
		if command.BashComplete == nil && len(command.Subcommands) == 0 {
			command.BashComplete = a.complete(noArgument)
		}
		quietDefaults(command.Flags)
	}
	quietDefaults(program.Flags)
	return program
}

// bare runs without a command: --watch, --list, one conversation, or help.
func (a *app) bare(c *cli.Context) error {
	switch {
	case (c.Bool("watch") || c.Bool("list")) && c.NArg() > 0:
		return reference(diag.Usagef("--list and --watch take no argument, got %q; a store is named with --root", c.Args().First()))
	case c.Bool("watch"):
		return reference(a.watch(c))
	case c.Bool("list"):
		return reference(a.listReference(c))
	case c.NArg() > 0:
		err := a.fetch(c)
		if errors.Is(err, fetch.ErrNoID) {
			return diag.Advise(diag.Usagef("there is no command %q, and %w", c.Args().First(), err), "see `agy-reader --list` for the ids, `agy-reader --help` for the commands")
		}
		return reference(err)
	case c.NumFlags() > 0:
		return reference(diag.Advise(diag.Usagef("which conversation? Name its id: agy-reader [flags] ID"), "see `agy-reader --list` for the ids"))
	}
	return cli.ShowAppHelp(c)
}

// exit prints err and chooses the exit code.
func (a *app) exit(err error) int {
	if err == nil {
		return diag.Complete
	}
	var ref *referenceError
	if errors.As(err, &ref) {
		fmt.Fprintf(a.streams.Err, "agy-reader: %s\n", printableLines(ref.err.Error()))
		a.advise(ref.err)
		if errors.Is(err, shape.ErrNone) {
			return noSidecar
		}
		return diag.Failed
	}
	if !errors.Is(err, errSaid) {
		a.complain("", err)
	}
	code, _, _ := diag.Explain(err)
	return code
}

// complain prints an error with its next step. about is what it is about, unless the error says so itself.
func (a *app) complain(about string, err error) {
	text := err.Error()
	if errors.Is(err, context.Canceled) {
		text = strings.ReplaceAll(text, context.Canceled.Error(), "interrupted")
	}
	if about != "" && !strings.Contains(text, filepath.Base(about)) {
		text = about + ": " + text
	}
	fmt.Fprintf(a.streams.Err, "agy-reader: %s\n", printable(strings.ReplaceAll(text, "\n", "; ")))
	a.advise(err)
}

// advise prints the next step for an error.
func (a *app) advise(err error) {
	_, _, next := diag.Explain(err)
	next = strings.Replace(next, "agy-reader COMMAND --help", "agy-reader "+a.commandName()+"--help", 1)
	if next != "" {
		fmt.Fprintf(a.streams.Err, "  → %s\n", strings.ReplaceAll(printableLines(next), "\n", "\n    "))
	}
}

// commandName is the command of this run with a space behind it, or empty when none was named.
func (a *app) commandName() string {
	commands := a.program().Commands
	for _, arg := range a.args[1:] {
		for _, command := range commands {
			if !command.Hidden && command.Name == arg {
				return arg + " "
			}
		}
	}
	return ""
}

// quietDefaults leaves «(default: false)» out of help.
func quietDefaults(flags []cli.Flag) {
	for _, flag := range flags {
		if flag, ok := flag.(*cli.BoolFlag); ok {
			flag.DisableDefaultText = true
		}
	}
}

// errSaid marks an error whose text was already printed; only its exit code is left to tell.
var errSaid = errors.New("already reported")

// referenceError keeps the exit code of commands that the reference reader has.
type referenceError struct{ err error }

func (e *referenceError) Error() string { return e.err.Error() }
func (e *referenceError) Unwrap() error { return e.err }

func reference(err error) error {
	if err == nil {
		return nil
	}
	return &referenceError{err}
}

func onUsageError(_ *cli.Context, err error, _ bool) error {
	return diag.Usagef("%w", err)
}

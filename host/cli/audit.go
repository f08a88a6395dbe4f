package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/urfave/cli/v2"

	"agy-reader/host/audit"
	"agy-reader/host/audit/record"
	"agy-reader/host/audit/skill"
	"agy-reader/host/builtin"
	"agy-reader/host/command"
	"agy-reader/host/diag"
	"agy-reader/host/doctor"
	"agy-reader/host/store"
	"agy-reader/sources"
	"agy-reader/sources/regular"
)

func (a *app) auditCommand() *cli.Command {
	return &cli.Command{
		Name:  "audit",
		Usage: "compare what the installed agy writes with what was last checked; prints a record, --record keeps it in COMPATIBILITY.md",
		Description: "Looks at the newest conversation of one store and at its sidecar, or at a corpus of `audit-sweep`. Writes nothing without --record.\n" +
			"In a checkout of agy-reader, the tests of what an audit relies on are run with `go test`. `agy changelog` is asked what is new.\n" +
			"Exit 1: DRIFT, FAIL, something that could not be checked, or --record was refused; 2: the command line makes no sense; otherwise 0:\n" +
			"what is NEW, not recorded, not comparable or skipped does not count.\n\n" +
			"AGY_SIDECAR_CORPUS        a folder of sidecars to look at instead\n" +
			"AGY_QUALIFY_SESSIONS      ids of conversations that must be verified too, for --record\n" +
			"AGY_SIDECAR_WAIT_SECONDS  how long to wait for a first sidecar (35)\n" +
			"AGENTSVIEW_DIR            a checkout of AgentsView: `go test -run Antigravity ./internal/parser/...` is run in it, or\n" +
			"                          `go test ./...` when it has no such folder",
		Flags: []cli.Flag{
			oneRootFlag(),
			&cli.BoolFlag{Name: "record", Usage: "replace the marked record in the COMPATIBILITY.md of the checkout around the working directory"},
			&cli.StringFlag{Name: "repo", Usage: "checkout `DIR` of agy-reader instead"},
			&cli.BoolFlag{Name: "corpus-swept", Usage: "AGY_SIDECAR_CORPUS is the corpus of a whole audit-sweep with the installed agy"},
			&cli.StringFlag{Name: "baseline", Usage: "compare paths with the list in `FILE`, from `shape-fingerprint --paths`"},
			&cli.BoolFlag{Name: "paths", Usage: "list every path that is new, of other types or absent, however many"},
		},
		Action: a.audit,
		Subcommands: []*cli.Command{{
			Name:      "install-skill",
			Usage:     "write the instructions for agents that run this audit, below a project's folder",
			ArgsUsage: "[DIR]",
			Action:    a.installSkill,
		}},
	}
}

func (a *app) audit(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	o, was, err := a.auditOptions(c)
	if err != nil {
		return err
	}
	report, err := audit.Examine(c.Context, *o)
	if err != nil {
		return reference(err)
	}
	if err := a.printLines(append([]string{"audit of " + o.Root.Path + " (" + o.Root.Surface + ")"}, report.Lines()...)); err != nil {
		return err
	}
	if report.Record != nil {
		fmt.Fprintf(a.streams.Out, "\n%s\n%s%s\n", record.Begin, report.Record, record.End)
	}
	if c.Bool("record") {
		return reference(a.keepRecord(o, was, report))
	}
	for _, finding := range report.Findings {
		a.warn("audit: " + finding)
	}
	if report.Drifted() {
		a.warn("audit: DRIFT: the installed agy differs from the record; see the lines above")
		return reference(diag.Advise(errors.New("audit: not everything is as recorded"), "sweep and compare, as CONTRIBUTING.md has it under «When agy has a new release», and report what differs"))
	}
	if len(report.Findings) > 0 {
		return reference(diag.Advise(errors.New("audit: not everything could be checked, or passed"), "mend what the lines above name, and audit again"))
	}
	return nil
}

// keepRecord writes the record, unless anything speaks against it.
func (a *app) keepRecord(o *audit.Options, was string, report *audit.Report) error {
	for _, refusal := range report.Refusals {
		a.warn("audit: " + refusal)
	}
	if len(report.Refusals) > 0 || report.Record == nil {
		return diag.Advise(errors.New("audit: --record is refused, and COMPATIBILITY.md stays as it is"), "mend what the lines above name, and audit again")
	}
	if strings.Contains(report.Record.Commit, "dirty") {
		a.warn("audit: the tree is dirty, so the commit does not say exactly what was tested")
	}
	if built := builtFrom(); built != "" && !strings.Contains(report.Record.Commit, built) {
		a.warn("audit: this program was built from the commit " + built + ", which is not the checkout's")
	}
	if err := record.Write(o.Repo, was, *report.Record); err != nil {
		return err
	}
	a.warn("wrote " + filepath.Join(o.Repo, record.FileName) + "; build and install agy-reader anew, and restart its watcher, for the record to take effect")
	return nil
}

// builtFrom is the commit this program was built from, empty when it does not know.
func builtFrom() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}

// auditOptions reads flags and variables. was is the text of the checkout's COMPATIBILITY.md.
func (a *app) auditOptions(c *cli.Context) (o *audit.Options, was string, err error) {
	o = &audit.Options{
		Record: c.Bool("record"), Paths: c.Bool("paths"), Swept: c.Bool("corpus-swept"), Corpus: a.env.Getenv("AGY_SIDECAR_CORPUS"), AgentsView: a.env.Getenv("AGENTSVIEW_DIR"),
		Wait: audit.DefaultWait, Baseline: audit.PublishedBaseline(), Agy: doctor.Version, Run: command.Run, Say: a.warn, Now: time.Now,
	}
	if o.Root, err = a.oneRoot(c); err != nil {
		return nil, "", err
	}
	if a.env.Home != "" {
		o.IDE = store.Root{Path: filepath.Join(a.env.Home, ".gemini", "antigravity"), Surface: "ide"}
	}
	if text := a.env.Getenv("AGY_SIDECAR_WAIT_SECONDS"); text != "" {
		seconds, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return nil, "", diag.Usagef("AGY_SIDECAR_WAIT_SECONDS must be a number of seconds, got %q", text)
		}
		o.Wait = time.Duration(seconds) * time.Second
	}
	o.Qualify = strings.FieldsFunc(a.env.Getenv("AGY_QUALIFY_SESSIONS"), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	for _, id := range o.Qualify {
		if !store.IsID(id) {
			return nil, "", diag.Usagef("AGY_QUALIFY_SESSIONS holds %q, which is no conversation id", id)
		}
	}
	if path := c.String("baseline"); path != "" {
		if o.Baseline, err = readBaseline(path); err != nil {
			return nil, "", reference(err)
		}
	}
	if was, err = a.findRecord(c, o); err != nil {
		return nil, "", reference(err)
	}
	backends, err := builtin.Registry()
	if err != nil {
		return nil, "", err
	}
	database, err := backends.Source("sqlite")
	if err != nil {
		return nil, "", err
	}
	o.Declarer = database.(sources.Declarer)
	o.Verifier, err = verifierOf(backends)
	return o, was, err
}

// findRecord finds the checkout and reads what it records; without a checkout the record is the one in this program.
func (a *app) findRecord(c *cli.Context, o *audit.Options) (was string, err error) {
	if o.Repo = c.String("repo"); o.Repo == "" {
		here, err := os.Getwd()
		if err != nil {
			return "", err
		}
		if o.Repo = audit.FindCheckout(here); o.Repo == "" {
			if o.Record {
				return "", errors.New("audit: --record needs a checkout of agy-reader, and the working directory is in none; name one with --repo DIR")
			}
			if o.Recorded, err = record.Parse(a.compatibility); errors.Is(err, record.ErrSection) {
				err = nil // a program that carries no record records nothing
			}
			return "", err
		}
	}
	was, err = record.Read(o.Repo)
	if err == nil {
		o.Recorded, err = record.Parse(was)
	}
	if err != nil {
		return "", fmt.Errorf("audit: %s: %w", filepath.Join(o.Repo, record.FileName), err)
	}
	return was, nil
}

// maxBaseline bounds a canonical list, in bytes.
const maxBaseline = 64 << 20

func readBaseline(path string) (audit.Baseline, error) {
	in, err := regular.Open(path)
	if err != nil {
		return audit.Baseline{}, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxBaseline+1))
	if err != nil {
		return audit.Baseline{}, fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
	}
	if len(data) > maxBaseline {
		return audit.Baseline{}, fmt.Errorf("%w: %s is larger than %d bytes", sources.ErrLimit, path, maxBaseline)
	}
	return audit.ParseBaseline(path, string(data))
}

func (a *app) installSkill(c *cli.Context) error {
	args, err := positional(c)
	if err != nil {
		return err
	}
	if len(args) > 1 {
		return diag.Usagef("audit install-skill takes one folder, got %d", len(args))
	}
	dir := "."
	if len(args) == 1 {
		dir = args[0]
	}
	paths, err := skill.Install(dir)
	for _, path := range paths {
		a.warn("wrote " + path)
	}
	return err
}

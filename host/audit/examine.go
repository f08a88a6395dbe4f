package audit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"agy-reader/host/audit/record"
	"agy-reader/host/audit/sweep"
	"agy-reader/host/store"
	"agy-reader/sources"
)

// expectedTables are those of a conversation (behaviour.md e).
var expectedTables = []string{"battle_mode_infos", "executor_metadata", "gen_metadata", "parent_references", "steps", "trajectory_meta", "trajectory_metadata_blob"}

// ErrRefused says that an audit cannot be done as it was asked for.
var ErrRefused = errors.New("refused")

// audit is one audit.
type audit struct {
	Options
	report   *Report
	sessions []store.Session
	newest   store.Session
	// version is empty when it is not known.
	version  string
	manifest *sweep.Manifest
	next     record.Record
}

// Examine looks at everything and writes nothing. An error says that there was nothing to look at, or that it was
// interrupted; what is wrong with what was looked at is in the report.
func Examine(ctx context.Context, o Options) (*Report, error) {
	if o.Record && o.Root.Surface != "cli" {
		return nil, fmt.Errorf("%w: --record takes the record from the CLI's store, and %s is one of surface %s; without --record it can be looked at", ErrRefused, o.Root.Path, o.Root.Surface)
	}
	a := &audit{Options: o, report: &Report{}}
	for _, step := range []func(context.Context) error{
		a.findNewest, a.checkManifest, a.checkVersion, a.checkSchema, a.checkShape, a.checkSync, a.checkChangelog, a.checkTests, a.checkAgentsView, a.fillRecord,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return a.report, nil
}

// findNewest finds the database that was written last.
func (a *audit) findNewest(context.Context) (err error) {
	if a.sessions, err = store.List([]store.Root{a.Root}, false); err != nil {
		return err
	}
	at := slices.IndexFunc(a.sessions, func(s store.Session) bool { return s.Kind == ".db" })
	if at < 0 {
		return fmt.Errorf("%w: no conversation with a database lies in %s; name another store with --root", sources.ErrNotFound, filepath.Join(a.Root.Path, store.Conversations))
	}
	a.newest = a.sessions[at]
	a.report.check("newest conversation", Pass, fmt.Sprintf("%s, of %d", a.newest.ID, len(a.sessions)))
	return nil
}

func (a *audit) checkVersion(ctx context.Context) error {
	const name = "agy version"
	said, err := a.Agy(ctx)
	if err == nil {
		if a.version = number(said); a.version == "" {
			err = fmt.Errorf("agy --version says %q, which is no version", said)
		}
	}
	recorded := a.Recorded.Version
	switch {
	case err != nil:
		a.report.check(name, NotComparable, fmt.Sprintf("unknown (%v)", err))
		a.report.refuse("the version of agy is not known: put the agy that was audited on PATH")
	case recorded == "":
		a.report.check(name, NotRecorded, a.version)
	case number(recorded) == a.version:
		a.report.check(name, Unchanged, a.version)
	default:
		a.report.check(name, New, a.version+", recorded "+recorded)
	}
	if a.manifest != nil && a.version != "" && number(a.manifest.InstalledAgyVersion) != a.version {
		swept := number(a.manifest.InstalledAgyVersion)
		if swept == "" {
			swept = "of an unknown version"
		}
		a.report.finding(fmt.Sprintf("the corpus was swept when agy %s was installed, and now it is %s: sweep again", swept, a.version))
	}
	return nil
}

func (a *audit) checkSchema(ctx context.Context) error {
	declared, err := a.Declarer.Declaration(ctx, a.newest.Ref())
	if err != nil {
		if errors.Is(err, sources.ErrBusy) || ctx.Err() != nil {
			return fmt.Errorf("read the schema of %s: %w", a.newest.Path, err)
		}
		a.report.check("tables", Fail, err.Error())
		a.report.finding(fmt.Sprintf("the newest database cannot be read: %v", err))
		return nil
	}
	var missing, more []string
	for _, table := range expectedTables {
		if !slices.Contains(declared.Tables, table) {
			missing = append(missing, table)
		}
	}
	for _, table := range declared.Tables {
		if !slices.Contains(expectedTables, table) {
			more = append(more, table)
		}
	}
	verdict, text := Pass, fmt.Sprintf("%d of %d, user_version %d", len(expectedTables)-len(missing), len(expectedTables), declared.UserVersion)
	if len(missing)+len(more) > 0 {
		verdict = Drift
		a.report.refuse("the tables are not the seven that this program reads; it must learn them first")
	}
	a.report.check("tables", verdict, text, append(shown("missing:", missing, maxPaths, ""), shown("new:", more, maxPaths, "")...)...)

	verdict, text = Unchanged, declared.Fingerprint
	switch recorded := bare(a.Recorded.SchemaFingerprint); {
	case recorded == "":
		verdict = NotRecorded
	case recorded != declared.Fingerprint:
		verdict, text = Drift, declared.Fingerprint+", recorded "+recorded
	}
	a.report.check("schema fingerprint", verdict, text)
	a.next.Schema = strings.Join(expectedTables, ", ") + "; user_version " + strconv.FormatInt(declared.UserVersion, 10)
	a.next.SchemaFingerprint = code(declared.Fingerprint)
	return nil
}

// fillRecord makes the record, unless something of it cannot be told.
func (a *audit) fillRecord(ctx context.Context) error {
	a.next.Version = a.version
	if a.version == "" {
		a.next.Version = "unknown"
	}
	a.next.VerifiedOn = fmt.Sprintf("%s (%s/%s)", a.Now().UTC().Format("2006-01-02"), runtime.GOOS, runtime.GOARCH)
	a.next.IDE = a.ideNote(ctx)
	if err := a.fillCommit(ctx); err != nil {
		return err
	}
	if a.next.SchemaFingerprint != "" && a.next.ShapeFingerprint != "" {
		a.report.Record = &a.next
	}
	return nil
}

// ideNote says whether the IDE writes the same schema here.
func (a *audit) ideNote(ctx context.Context) string {
	sessions, err := store.List([]store.Root{a.IDE}, false)
	at := slices.IndexFunc(sessions, func(s store.Session) bool { return s.Kind == ".db" })
	if a.IDE.Path == "" || err != nil || at < 0 {
		return "no database of the IDE was at hand"
	}
	declared, err := a.Declarer.Declaration(ctx, sessions[at].Ref())
	switch {
	case err != nil:
		return "the newest database of the IDE could not be read"
	case code(declared.Fingerprint) == a.next.SchemaFingerprint:
		return "the newest database of the IDE has the same schema fingerprint; its answers were not audited"
	}
	return "the newest database of the IDE has another schema fingerprint, " + code(declared.Fingerprint) + "; its answers were not audited"
}

func code(text string) string { return "`" + text + "`" }
func bare(text string) string { return strings.Trim(text, "`") }

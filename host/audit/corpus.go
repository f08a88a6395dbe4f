package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"agy-reader/host/audit/shape"
	"agy-reader/host/audit/sweep"
	"agy-reader/host/sidecar"
	"agy-reader/sources"
)

// Scopes: which sidecars a shape is made of. ScopePartial has the version in the place of the star.
const (
	ScopePaired   = "latest-paired-sidecar"
	ScopePartial  = "partial-*-scoped"
	ScopeExplicit = "explicit-version-scoped"
)

// checkManifest refuses a corpus that is no whole sweep of this store.
func (a *audit) checkManifest(context.Context) error {
	if a.Swept && a.Corpus == "" {
		return fmt.Errorf("%w: --corpus-swept says that a corpus was swept, and none is named; set AGY_SIDECAR_CORPUS to the corpus folder that `agy-reader audit-sweep` made", ErrRefused)
	}
	if a.Corpus == "" {
		return nil
	}
	if info, err := os.Stat(a.Corpus); err != nil || !info.IsDir() {
		return fmt.Errorf("%w: AGY_SIDECAR_CORPUS is no folder: %s", sources.ErrNotFound, a.Corpus)
	}
	if !a.Swept {
		return nil
	}
	corpus, err := filepath.Abs(a.Corpus)
	if err != nil {
		return err
	}
	m, err := sweep.ReadManifest(filepath.Dir(corpus))
	if errors.Is(err, fs.ErrNotExist) {
		a.report.refuse(fmt.Sprintf("no %s lies beside the corpus: nothing proves that it is a whole sweep; make one with `agy-reader audit-sweep`", sweep.ManifestName))
		return nil
	}
	if err != nil {
		return err
	}
	if err := a.fits(m, corpus); err != nil {
		return fmt.Errorf("%w: --corpus-swept: %w; sweep again into a new folder with `agy-reader audit-sweep`", ErrRefused, err)
	}
	a.manifest = m
	return nil
}

// fits reports why a manifest does not stand for this corpus and this store.
func (a *audit) fits(m *sweep.Manifest, corpus string) error {
	if !m.Complete {
		return errors.New("the sweep did not end well, its manifest is incomplete")
	}
	if m.Selected != len(m.Sessions) {
		return fmt.Errorf("the manifest selects %d conversations and lists %d", m.Selected, len(m.Sessions))
	}
	if !sameFolder(m.Root, a.Root.Path) {
		return fmt.Errorf("another store was swept, %s", m.Root)
	}
	named := make(map[string]bool, len(m.Sessions))
	for _, s := range m.Sessions {
		named[sweep.CorpusFile(s.FileID)] = true
	}
	entries, err := os.ReadDir(corpus)
	if err != nil {
		return err
	}
	there := 0
	for _, e := range entries {
		switch {
		case !strings.HasSuffix(e.Name(), sidecar.Suffix):
		case !named[e.Name()]:
			return fmt.Errorf("the corpus holds %s, which the manifest does not name", e.Name())
		default:
			there++
		}
	}
	if there != len(named) {
		return fmt.Errorf("the manifest names %d files, and the corpus holds %d of them", len(named), there)
	}
	return nil
}

func sameFolder(x, y string) bool {
	infoX, errX := os.Stat(x)
	infoY, errY := os.Stat(y)
	return errX == nil && errY == nil && os.SameFile(infoX, infoY)
}

// scope is this audit's.
func (a *audit) scope() string {
	switch {
	case a.Corpus == "":
		return ScopePaired
	case a.Swept:
		return ScopeExplicit
	case a.version == "":
		return strings.Replace(ScopePartial, "*", "unknown", 1)
	default:
		return strings.Replace(ScopePartial, "*", a.version, 1)
	}
}

var errNoSidecar = errors.New("the newest conversation has no sidecar")

var scopeWord = regexp.MustCompile(`^[^ ]+`)

// checkShape computes the shape and compares it where that means something.
func (a *audit) checkShape(ctx context.Context) error {
	path, scope := a.Corpus, a.scope()
	if path == "" {
		path = sidecar.Path(a.newest.Path)
		if err := a.waitFor(ctx, path); err != nil {
			return err
		}
	}
	read, err := shape.Of(ctx, path)
	var bad []string
	if err == nil && len(read.Bad) > 0 { // the shape of the others is not that of the corpus
		err = read.Bad[0]
		for _, also := range read.Bad[1:] {
			bad = append(bad, also.Error())
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if a.Corpus == "" && errors.Is(err, fs.ErrNotExist) {
			err = errNoSidecar
		}
		a.report.check("sidecar shape", Fail, err.Error(), bad...)
		a.report.finding(fmt.Sprintf("the sidecar shape cannot be computed (%v), so there is no record; `agy-reader --watch` writes sidecars, `agy-reader audit-sweep` a corpus", err))
		return nil
	}
	found := read.Shape
	scope += " (" + sources.Amount(read.Read, "sidecar") + ")"
	a.next.ShapeFingerprint, a.next.Scope = code(found.Fingerprint()), scope

	recorded := bare(a.Recorded.ShapeFingerprint)
	verdict, text := Unchanged, found.Fingerprint()
	switch why := a.incomparable(); {
	case recorded == "":
		verdict = NotRecorded
	case why != "":
		verdict, text = NotComparable, text+": "+why
	case recorded != found.Fingerprint():
		verdict, text = Drift, text+", recorded "+recorded
	}
	a.report.check("sidecar corpus scope", Pass, scope)
	a.report.check("sidecar shape", verdict, text)
	a.compareLists(verdict, recorded, found.Lines())
	return nil
}

// incomparable says why a shape cannot be compared with the recorded one, or nothing.
func (a *audit) incomparable() string {
	was, is := scopeWord.FindString(a.Recorded.Scope), a.scope()
	switch {
	case a.version == "":
		return "the version of agy is not known"
	case number(a.Recorded.Version) == "":
		return "the recorded version of agy is not known"
	case a.Corpus != "" && !a.Swept:
		return "a corpus that is not known to be whole (" + is + ") proves nothing about what it lacks"
	case was != is:
		return fmt.Sprintf("this is %s, the record %s", is, was)
	}
	return ""
}

// waitFor waits for a first sidecar. That none comes is found out by whoever reads it.
func (a *audit) waitFor(ctx context.Context, path string) error {
	deadline := time.Now().Add(a.Wait)
	for said := false; ; said = true {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) || !time.Now().Before(deadline) {
			return nil
		}
		if !said {
			a.Say(fmt.Sprintf("audit: waiting up to %s for the first sidecar of %s; a running `agy-reader --watch` writes it", a.Wait, a.newest.ID))
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(min(200*time.Millisecond, time.Until(deadline))):
		}
	}
}

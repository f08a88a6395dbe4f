package cli

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agy-reader/host/artifact"
	"agy-reader/host/diag"
	"agy-reader/host/store"
)

// outputPlan is where the artifacts of every session of one command go.
type outputPlan struct {
	toStdout bool
	stdout   io.Writer
	dir      string
	file     string
	force    bool
	run      artifact.Run
	// roots are the stores the command knows: nothing goes into any of them.
	roots []store.Root
}

// planOutput reads --out: "-" is stdout; an existing folder, or a name that ends in a separator, is a folder; anything
// else is a file when it takes one artifact and a folder to make when it takes more, unless its ending says it is a file.
func planOutput(out string, artifacts int, force bool, stdout io.Writer) (*outputPlan, error) {
	plan := &outputPlan{stdout: stdout, force: force}
	info, err := os.Stat(out)
	switch {
	case out == "-":
		plan.toStdout = true
	case err == nil && info.IsDir(), strings.HasSuffix(out, "/"), strings.HasSuffix(out, string(filepath.Separator)):
		plan.dir = out
		return plan, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, diag.Usagef("--out %s is neither a file nor a folder; for standard output use --out -", out)
	case artifacts > 1 && err != nil && filepath.Ext(out) == "":
		plan.dir = out
		return plan, nil
	default:
		plan.file = out
	}
	if artifacts > 1 {
		return nil, diag.Usagef("--out %s takes one artifact, but this makes %d; name a folder (ending in /)", out, artifacts)
	}
	return plan, nil
}

// open starts the output of one session. Nothing goes where sessions lie: a document could replace a session or be taken
// for a part of one.
func (p *outputPlan) open(session store.Session) (artifact.Output, error) {
	if p.toStdout {
		return artifact.OpenStream(inertOn(p.stdout))
	}
	target := p.dir
	if p.file != "" {
		target = p.file
	}
	if err := outsideStores("--out", target, append([]store.Root{session.Root}, p.roots...)); err != nil {
		return nil, err
	}
	options := artifact.Options{Force: p.force, Run: &p.run}
	if p.file == "" {
		return artifact.Open(p.dir, options)
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if samePath(p.file, session.Path+suffix) {
			return nil, diag.Usagef("--out %s is the session itself or belongs to it", p.file)
		}
	}
	return artifact.OpenFile(p.file, options)
}

// outsideStores refuses an output, called what, that would lie in a store, whatever links lead there.
func outsideStores(what, out string, roots []store.Root) error {
	for _, root := range roots {
		if root.Path != "" && store.Inside(out, root.Path) {
			return diag.Advise(diag.Usagef("%s %s lies inside the session store %s", what, out, root.Path), "choose a folder outside of it")
		}
	}
	return nil
}

// knownStores are those of this command and those that every command knows.
func (a *app) knownStores(roots []store.Root) []store.Root {
	return slices.Concat(roots, store.AllRoots(nil, a.env))
}

func samePath(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB)
	}
	return store.RealPath(a) == store.RealPath(b)
}

package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"agy-reader/host/artifact"
	"agy-reader/host/diag"
)

// outputPlan is where the artifacts of every session of one command go.
type outputPlan struct {
	toStdout bool
	stdout   io.Writer
	dir      string
	file     string
	force    bool
	run      artifact.Run
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

// open starts the output of one session.
func (p *outputPlan) open() (artifact.Output, error) {
	options := artifact.Options{Force: p.force, Run: &p.run}
	switch {
	case p.toStdout:
		return artifact.OpenStream(p.stdout)
	case p.file != "":
		return artifact.OpenFile(p.file, options)
	default:
		return artifact.Open(p.dir, options)
	}
}

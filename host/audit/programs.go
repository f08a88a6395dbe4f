package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"agy-reader/host/command"
)

// Limits of what other programs may take and say.
const (
	changelogTime  = 20 * time.Second
	changelogBytes = 1 << 20
	changelogLines = 200
	gitTime        = 30 * time.Second
	testTime       = 15 * time.Minute
	testBytes      = 8 << 10
)

// ownTests are the packages that decide what an audit means.
var ownTests = []string{"./sources/profile", "./host/sidecar", "./host/verify", "./host/audit/..."}

// checkChangelog shows what agy says changed since the recorded version.
func (a *audit) checkChangelog(ctx context.Context) error {
	const name = "agy changelog"
	said, whole, err := a.Run(ctx, command.Command{Name: "agy", Args: []string{"changelog"}, Timeout: changelogTime, Keep: changelogBytes})
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		a.report.check(name, Skipped, err.Error())
		return nil
	}
	lines, found := delta(said, number(a.Recorded.Version))
	verdict, text := New, fmt.Sprintf("%d lines since %s", len(lines), a.Recorded.Version)
	switch {
	case a.Recorded.Version == "":
		verdict, text = NotRecorded, "the beginning of it; no version is recorded"
	case !found:
		verdict, text = NotComparable, "the recorded version "+a.Recorded.Version+" is not in it; its beginning"
	case len(lines) == 0:
		verdict, text = Unchanged, "nothing since "+a.Recorded.Version
	}
	if len(lines) > changelogLines {
		lines = append(lines[:changelogLines], "…")
	} else if !whole && !found {
		lines = append(lines, "…")
	}
	a.report.check(name, verdict, text, lines...)
	return nil
}

// heading is a line of a changelog that begins a version's part: the number stands first but for marks and a few words.
var heading = regexp.MustCompile(`^[#*\s=\-]*(?:(?i:version|release|agy|antigravity(?: cli)?)\s+)*\[?v?(\d+(?:\.\d+)+[-+.0-9A-Za-z]*)`)

// delta are the lines above the part of a version, without blank ones; found is false when there is no such part.
func delta(changelog, version string) (lines []string, found bool) {
	for line := range strings.Lines(changelog) {
		line = strings.TrimRight(line, " \t\r\n")
		if m := heading.FindStringSubmatch(line); m != nil && version != "" && m[1] == version {
			return lines, true
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines, false
}

// checkTests runs this program's own tests in its checkout.
func (a *audit) checkTests(ctx context.Context) error {
	const name = "go test"
	if a.Repo == "" || !IsModule(a.Repo) {
		a.report.check(name, Skipped, "no Go module agy-reader is at hand; --repo DIR names a checkout")
		return nil
	}
	return a.goTest(ctx, name, a.Repo, ownTests)
}

// checkAgentsView runs the tests with which AgentsView reads our sidecars.
func (a *audit) checkAgentsView(ctx context.Context) error {
	const name = "agentsview"
	if a.AgentsView == "" {
		a.report.check(name, Skipped, "AGENTSVIEW_DIR names no checkout")
		return nil
	}
	if _, err := os.Stat(filepath.Join(a.AgentsView, "go.mod")); err != nil {
		a.report.check(name, Fail, "AGENTSVIEW_DIR is no Go module: "+a.AgentsView)
		a.report.finding("AGENTSVIEW_DIR is no Go module: " + a.AgentsView)
		return nil
	}
	args := []string{"./..."}
	if info, err := os.Stat(filepath.Join(a.AgentsView, "internal", "parser")); err == nil && info.IsDir() {
		args = []string{"-run", "Antigravity", "./internal/parser/..."}
	}
	return a.goTest(ctx, name, a.AgentsView, args)
}

func (a *audit) goTest(ctx context.Context, name, dir string, args []string) error {
	c := command.Command{Name: "go", Args: append([]string{"test"}, args...), Dir: dir, Timeout: testTime, Keep: testBytes, Tail: true, Both: true}
	a.Say(fmt.Sprintf("audit: running `%s` in %s", c, dir))
	said, _, err := a.Run(ctx, c)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		a.report.check(name, Fail, err.Error(), strings.Split(strings.TrimSpace(said), "\n")...)
		a.report.finding(fmt.Sprintf("in %s: %v", dir, err))
		return nil
	}
	if !ranTests(said) {
		a.report.check(name, Fail, "`"+c.String()+"` ran no test")
		a.report.finding(fmt.Sprintf("in %s: `%s` ran no test", dir, c))
		return nil
	}
	a.report.check(name, Pass, "`"+c.String()+"`")
	return nil
}

// ranTests reports whether `go test` ran tests of any package: without one it ends well too.
func ranTests(said string) bool {
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "ok") && !strings.Contains(line, "[no tests to run]") {
			return true
		}
	}
	return false
}

var commitHash = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

// fillCommit names the checkout's commit and whether its tree is clean.
func (a *audit) fillCommit(ctx context.Context) error {
	if a.Repo == "" {
		return nil
	}
	git := func(args ...string) (string, error) {
		said, _, err := a.Run(ctx, command.Command{Name: "git", Args: append([]string{"-C", a.Repo}, args...), Timeout: gitTime, Keep: 4 << 10})
		return strings.TrimSpace(said), err
	}
	head, err := git("rev-parse", "HEAD")
	if err == nil && !commitHash.MatchString(head) {
		err = errors.New("git names no commit")
	}
	var changes string
	if err == nil {
		changes, err = git("status", "--porcelain")
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		a.report.refuse(fmt.Sprintf("the commit of %s cannot be named: %v", a.Repo, err))
	case changes == "":
		a.next.Commit = code(head) + " (clean tree)"
	default:
		a.next.Commit = code(head) + " (dirty tree)"
	}
	return nil
}

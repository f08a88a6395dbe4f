package audit

import (
	"fmt"
	"regexp"

	"agy-reader/host/audit/record"
)

// Verdict is what a check came to.
type Verdict string

// Verdicts. Drift, and whatever is a finding, ends the command with exit code 1; what fails is a finding.
const (
	Pass          Verdict = "PASS"
	Fail          Verdict = "FAIL"
	Unchanged     Verdict = "UNCHANGED"
	Drift         Verdict = "DRIFT"
	New           Verdict = "NEW"
	NotRecorded   Verdict = "not recorded"
	NotComparable Verdict = "not comparable"
	// Skipped: it was not looked at, and the text says why.
	Skipped Verdict = "skipped"
)

// Check is one thing that was looked at.
type Check struct {
	Name    string
	Verdict Verdict
	// Text is one line about it; More are further lines.
	Text string
	More []string
}

// Report is what an audit found. Its texts may come from files, daemons or programs and are not inert.
type Report struct {
	Checks []Check
	// Record is what would be recorded; nil when that cannot be told.
	Record *record.Record
	// Findings say what is wrong, Refusals why the record may not be written. What is a finding is a refusal too.
	Findings, Refusals []string
}

// Drifted reports whether anything differs from the record.
func (r *Report) Drifted() bool {
	for _, c := range r.Checks {
		if c.Verdict == Drift {
			return true
		}
	}
	return false
}

// Lines are the checks for people.
func (r *Report) Lines() []string {
	var lines []string
	for _, c := range r.Checks {
		lines = append(lines, fmt.Sprintf("  %-22s%-16s%s", c.Name+":", c.Verdict, c.Text))
		for _, more := range c.More {
			lines = append(lines, "      "+more)
		}
	}
	return lines
}

func (r *Report) check(name string, verdict Verdict, text string, more ...string) {
	r.Checks = append(r.Checks, Check{Name: name, Verdict: verdict, Text: text, More: more})
}

func (r *Report) finding(text string) {
	r.Findings = append(r.Findings, text)
	r.Refusals = append(r.Refusals, text)
}

func (r *Report) refuse(text string) { r.Refusals = append(r.Refusals, text) }

// maxPaths bounds how many lines of a list are shown.
const maxPaths = 200

// shown are the first lines of a list with a mark before each, and how many more there are, with where they can be seen.
func shown(mark string, lines []string, limit int, where string) []string {
	var out []string
	for i, line := range lines {
		if i == limit {
			return append(out, fmt.Sprintf("%s … and %d more%s", mark, len(lines)-i, where))
		}
		out = append(out, mark+" "+line)
	}
	return out
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+)+[-+.0-9A-Za-z]*`)

// number is the version number in what a program says, empty when there is none: then the version is unknown.
func number(text string) string { return versionNumber.FindString(text) }

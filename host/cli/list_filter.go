package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"agy-reader/host/diag"
	"agy-reader/host/facts"
	"agy-reader/proto/agyreader/fileuri"
)

// parseSince reads --since; the zero time when it is empty.
func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	if ago, err := parseAgo(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	return time.Time{}, diag.Usagef("--since takes a date such as 2026-11-30, a time such as 2026-11-30T10:00:00Z, or how long ago: 90m, 12h, 7d, 2w; not %q", text)
}

// parseAgo reads a duration, also one in days or weeks.
func parseAgo(text string) (time.Duration, error) {
	for unit, length := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		number, ok := strings.CutSuffix(text, unit)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			return 0, fmt.Errorf("%q is no number of days or weeks: %w", number, err)
		}
		return time.Duration(n) * length, nil
	}
	return time.ParseDuration(text)
}

// belongsTo reports whether a conversation is of a project: a name, compared without case; a folder, then what lies
// below it counts, too, and case counts except in paths of Windows; or `unknown`.
func (l *listed) belongsTo(project string) bool {
	if l.ProjectName != nil && strings.EqualFold(*l.ProjectName, project) {
		return true
	}
	want := facts.Comparable(fileuri.Path(project))
	for _, folder := range l.Workspaces {
		have := facts.Comparable(folder)
		if have == want || strings.ContainsAny(project, `/\`) && strings.HasPrefix(have, strings.TrimSuffix(want, "/")+"/") ||
			strings.EqualFold(facts.Base(folder), project) {
			return true
		}
	}
	return l.Project == nil && strings.EqualFold(project, "unknown")
}

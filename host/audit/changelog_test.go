package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"agy-reader/host/audit"
)

const changelog = "# Changelog\n\n## [1.4.4] - 2026-11-30\n- reads 1.2.11 files\n\n## 1.4.3\n- older\n\n### v1.2.11 (2026-09-01)\n- old\n"

// What agy says changed since the recorded version, however it writes headings.
func TestChangelog(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		recorded, said, text string
		verdict              audit.Verdict
		more                 []string
	}{
		"since":           {"1.4.3", changelog, "3 lines since 1.4.3", audit.New, []string{"# Changelog", "## [1.4.4] - 2026-11-30", "- reads 1.2.11 files"}},
		"not in a line":   {"1.2.11", changelog, "5 lines since 1.2.11", audit.New, nil},
		"nothing":         {"1.4.4", "1.4.4:\n- new\n", "nothing since 1.4.4", audit.Unchanged, nil},
		"no such version": {"9.9", changelog, "the recorded version 9.9 is not in it", audit.NotComparable, nil},
		"prefix":          {"1.4", changelog, "the recorded version 1.4 is not in it", audit.NotComparable, nil},
		"not recorded":    {"", changelog, "no version is recorded", audit.NotRecorded, nil},
		"words":           {"1.4.3", "Antigravity CLI v1.4.4\nx\nVersion 1.4.3\ny", "2 lines since", audit.New, []string{"Antigravity CLI v1.4.4", "x"}},
		"failed":          {"1.4.3", "failed: ", "exit status 1", audit.Skipped, nil},
		"long":            {"1.4.3", strings.Repeat("x\n", 1000), "not in it", audit.NotComparable, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.sync(1)
			w.Recorded.Version, w.programs["agy changelog"] = tc.recorded, tc.said
			r := w.examine()
			for _, c := range r.Checks {
				if c.Name != "agy changelog" {
					continue
				}
				if c.Verdict != tc.verdict || !strings.Contains(c.Text, tc.text) || tc.more != nil && fmt.Sprint(c.More) != fmt.Sprint(tc.more) || len(c.More) > 201 {
					t.Errorf("%s %s\n%s", c.Verdict, c.Text, strings.Join(c.More, "\n"))
				}
			}
			if len(r.Findings) > 0 {
				t.Errorf("%v", r.Findings)
			}
		})
	}
}

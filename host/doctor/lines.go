package doctor

import (
	"fmt"
	"strings"
)

// width is that of the labels.
const width = 13

// page collects the lines of a report.
type page struct{ lines []string }

// value adds a line with a label.
func (p *page) value(label, format string, args ...any) {
	p.lines = append(p.lines, fmt.Sprintf("  %-*s%s", width, label+":", fmt.Sprintf(format, args...)))
}

// more adds a line that says more about the value above.
func (p *page) more(format string, args ...any) {
	p.lines = append(p.lines, strings.Repeat(" ", 2+width)+fmt.Sprintf(format, args...))
}

// todo adds a line that says what to do about the value above.
func (p *page) todo(format string, args ...any) { p.more("→ "+format, args...) }

func (p *page) blank() { p.lines = append(p.lines, "") }

// Lines are the report for people, without line ends. They are not inert.
func (r *Report) Lines() []string {
	p := &page{}
	for i := range r.Roots {
		root := &r.Roots[i]
		if len(r.Roots) > 1 {
			p.lines = append(p.lines, root.Path)
		}
		p.value("surface", "%s", root.Surface)
		p.daemon(root)
		p.csrf(root)
		p.agy(r.Agy)
		p.sidecars(root)
		p.watch(root.Watch)
		p.blank()
	}
	v := r.Verdict()
	switch {
	case !v.Healthy:
		p.lines = append(p.lines, "  exit 1 — action needed")
	case v.Waiting > 0:
		p.lines = append(p.lines, fmt.Sprintf("  exit 0 — healthy (%d root(s) waiting, see above)", v.Waiting))
	default:
		p.lines = append(p.lines, "  exit 0 — healthy")
	}
	return p.lines
}

// product is what a store's daemon runs with.
func (r *Root) product() string {
	if r.ide() {
		return "the IDE"
	}
	return "agy"
}

func (p *page) daemon(r *Root) {
	d := r.Daemon
	switch d.State {
	case NotRunning:
		p.value("daemon", "not running (start %s to refresh sidecars)", r.product())
		p.more("%s", d.Cause)
	case Unreachable:
		p.value("daemon", "configured URL unreachable (%s) — fix or unset ANTIGRAVITY_DAEMON_URL", d.URL)
		p.more("%s", d.Cause)
		p.todo("unset it to let agy-reader look for the daemon, or set it to the port that the running agy logs for HTTP: it changes with each start")
	case Unusable:
		p.value("daemon", "configured values unusable — fix or unset ANTIGRAVITY_DAEMON_URL and ANTIGRAVITY_CSRF_TOKEN")
		p.more("%s", d.Cause)
	case Reachable:
		if d.Call != Failed {
			p.value("daemon", "reachable (%s)", d.URL)
			break
		}
		p.value("daemon", "reachable (%s), but a call fails", d.URL)
		p.more("%s", d.Cause)
		p.todo("try again; if that does not help, see whether another program listens there")
	}
	if d.Call == Rejected {
		p.value("auth", "rejected — sync blocked")
		p.more("%s", d.Cause)
		p.rejected(r)
	}
}

func (p *page) rejected(r *Root) {
	switch {
	case r.Daemon.Token && r.ide():
		p.todo("the token found does not fit: unset ANTIGRAVITY_CSRF_TOKEN if it is set, else restart the IDE")
	case r.Daemon.Token:
		p.todo("the token found does not fit: unset ANTIGRAVITY_CSRF_TOKEN if it is set, else restart agy")
	default:
		p.todo("let agy run a tool while agy-reader --watch runs, which finds the token then; or set ANTIGRAVITY_CSRF_TOKEN to what agy's tools see in that variable")
		p.todo(`on a machine that nobody else uses: agy --csrf_token="$(uuidgen)", with the flag first`)
	}
}

func (p *page) csrf(r *Root) {
	switch {
	case r.Daemon.Token:
		p.value("csrf", "token found")
	case r.tokenless():
		p.value("csrf", "no token found — the IDE rejects every RPC without one")
		p.todo("restart the IDE, which logs a new token, or set ANTIGRAVITY_CSRF_TOKEN")
	case r.ide():
		p.value("csrf", "no token (found when the IDE runs)")
	}
}

func (p *page) agy(a Agy) {
	switch {
	case a.Running == "":
		p.value("agy version", "unknown (%s)", a.Cause)
	case a.Recorded == "":
		p.value("agy version", "%s  (audited version not recorded)", a.Running)
	case a.skewed():
		p.value("agy version", "%s  (recorded %s — re-run agy-format-audit)", a.Running, a.Recorded)
		p.todo("agy-reader audit says whether the format changed; an agy-reader built after its record knows this version")
	default:
		p.value("agy version", "%s  (compatible)", a.Running)
	}
}

func (p *page) watch(w Watch) {
	switch w.State {
	case "running":
		p.value("watch", "running")
	case "not running":
		p.value("watch", "not running (optional: agy-reader --watch)")
	default:
		p.value("watch", "unknown (%s)", w.Cause)
	}
}

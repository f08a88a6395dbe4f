package doctor

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// How many ids, and how many sessions with a reason of their own, are shown of each class.
const (
	shownIDs     = 3
	shownReasons = 5
)

func (p *page) sidecars(r *Root) {
	s := &r.Sidecars
	if s.Cause != "" {
		p.value("sidecars", "unknown (could not read sessions: %s)", s.Cause)
		p.todo("check the folder and its permissions, or name another store with --root or ANTIGRAVITY_CLI_ROOT")
		return
	}
	text := "SQLite " + s.SQLite.text()
	if s.Legacy.all() > 0 {
		text += "; legacy .pb " + s.Legacy.text()
		if s.SQLite.all() == 0 {
			text = "legacy .pb " + s.Legacy.text()
		}
	}
	p.value("sidecars", "%s (supported daemon projection)", text)
	if s.SQLite.all()+s.Legacy.all() == 0 {
		p.more("no sessions found under %s; if they are elsewhere, name the store with --root or ANTIGRAVITY_CLI_ROOT", r.Path)
		return
	}
	refreshable := 0
	for _, class := range []Class{Changed, Altered, Missing, Unattested, Corrupt, Busy} {
		refreshable += p.together(s.Open, class)
	}
	if s.Unread > 0 {
		p.more("  (%d of these were not read; a sync says when a session's own file keeps it from getting a sidecar)", s.Unread)
	}
	if refreshable > 0 {
		p.refresh(r)
	}
	if p.oneByOne(s.Open, Odd) > 0 {
		p.todo("move away what stands in the sidecar's place, or make it readable; then %s", r.command("--sync ID"))
	}
	if p.oneByOne(s.Open, Held) > 0 {
		p.todo("no daemon and no sync helps a held session before it or agy-reader changes; agy-reader convert ID reads it as far as it can be read,")
		p.more("  and agy-reader profiles explain ID says what is not known in it")
	}
}

func (c Count) text() string {
	return fmt.Sprintf("%d verified, %d incomplete, %d unknown", c.Verified, c.Incomplete, c.Unknown)
}

// together shows the sessions of a class in one line.
func (p *page) together(all []Open, class Class) int {
	var ids []string
	n, state := 0, ""
	for _, o := range all {
		if o.Class == class {
			n, state = n+1, o.State
			if n <= shownIDs {
				ids = append(ids, o.ID)
			}
		}
	}
	if n == 0 {
		return 0
	}
	if n > shownIDs {
		ids = append(ids, "…")
	}
	p.more("%d %s, %s: %s", n, state, class, strings.Join(ids, ", "))
	return n
}

// oneByOne shows the sessions of a class with their reasons.
func (p *page) oneByOne(all []Open, class Class) int {
	n := 0
	for _, o := range all {
		if o.Class != class {
			continue
		}
		if n++; n <= shownReasons {
			p.more("%s, %s: %s: %s", o.State, class, o.ID, o.Reason)
		}
	}
	if n > shownReasons {
		p.more("… and %d more: --json shows all", n-shownReasons)
	}
	return n
}

// refresh says how the sidecars get fresh, as things are.
func (p *page) refresh(r *Root) {
	first := ""
	switch {
	case r.Daemon.Call == Rejected || r.tokenless():
		first = "when the daemon accepts the token, "
	case r.Daemon.State == Unreachable || r.Daemon.State == Unusable:
		first = "when the daemon can be reached, "
	case r.Daemon.State == NotRunning:
		first = "start " + r.product() + "; then "
	}
	if r.Watch.State == "running" {
		p.todo("%sthe running agy-reader --watch refreshes them all, and %s one", first, r.command("--sync ID"))
		if r.Daemon.Call == Answered {
			p.more("  (its log says why some stay as they are)")
		}
		return
	}
	p.todo("%s%s refreshes them all, and %s one", first, r.command("--watch"), r.command("--sync ID"))
}

var plain = regexp.MustCompile(`^[-_@%+=:,./~0-9A-Za-z]+$`)

// command is a command line of agy-reader for this store.
func (r *Root) command(args string) string {
	words := []string{"agy-reader"}
	if r.Explicit {
		path := r.Path
		if !plain.MatchString(path) {
			path = "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
		}
		words = append(words, "--root", path)
	}
	return strings.Join(slices.Concat(words, strings.Fields(args)), " ")
}

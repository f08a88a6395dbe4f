package parents

import (
	"strings"

	"agy-reader/host/store"
)

// decide fills the report's diagnostics and returns what to write: a parent, or empty to clear. Sidecars that stay as
// they are have no entry.
func (g *graph) decide(r *Report, repair bool) map[*node]string {
	unread := 0
	for _, n := range g.nodes {
		switch {
		case n.err != nil:
			r.say(n, UnreadableSidecar, "%s", reason(n.err))
			unread++
		case n.cascadeID == "":
			r.say(n, InvalidCascadeID, "%s names no cascadeId", n.file)
			unread++
		case !n.usable():
			r.say(n, InvalidCascadeID, "%s has cascadeId %q, which is no id", n.file, cut(n.cascadeID))
			unread++
		default:
			g.judge(r, n)
		}
	}
	for _, n := range g.nodes {
		if n.usable() {
			n.link = n.wanted(repair, unread > 0)
		}
	}
	g.findCycles()
	plan := map[*node]string{}
	for _, n := range g.nodes {
		if n.usable() {
			g.settle(r, n, repair, unread > 0, plan)
		}
	}
	return plan
}

// judge says what is wrong with the evidence itself.
func (g *graph) judge(r *Report, n *node) {
	if n.duplicate {
		r.say(n, ConflictingEvidence, "%s has the same cascadeId as another sidecar", n.file)
	}
	if n.badParent {
		r.say(n, InvalidCascadeID, "metadata.parentConversationId %q is no id", cut(n.parent))
	}
	if c := n.candidates(); len(c) > 1 {
		r.say(n, ConflictingEvidence, "%d parents are possible: %s", len(c), few(c))
	}
	if n.stamped && !store.IsID(n.stamp) {
		r.say(n, InvalidParentStamp, "agyReader.parentCascadeId %q is no id", cut(n.stamp))
	}
}

// valid is the stamp in lower case, or empty.
func (n *node) valid() string {
	if !store.IsID(n.stamp) {
		return ""
	}
	return strings.ToLower(n.stamp)
}

// wanted is the parent before cycles are looked for. partial says that evidence may be missing.
func (n *node) wanted(repair, partial bool) string {
	stamp := n.valid()
	switch {
	case !repair && stamp != "":
		return stamp
	case repair && partial && stamp != "" && len(n.candidates()) == 0 && !n.duplicate && !n.badParent:
		return stamp
	}
	return n.certain()
}

// settle decides about one sidecar once cycles are known. partial says that evidence may be missing.
func (g *graph) settle(r *Report, n *node, repair, partial bool, plan map[*node]string) {
	stamp, certain := n.valid(), n.certain()
	if n.cycle {
		r.say(n, ParentCycle, "following parents from %s leads back to it", n.link)
		if repair && n.stamped {
			plan[n] = ""
		}
		return
	}
	if n.link != "" && g.byID[n.link] == nil {
		r.say(n, MissingParent, "parent %s has no sidecar in this folder", n.link)
	}
	switch {
	case n.link == "" && repair && n.stamped:
		if stamp != "" && len(n.candidates()) == 0 {
			r.say(n, StaleStamp, "no evidence for the stamped parent %s, which is cleared; if this folder is a part of a store, restore the backup and repair the whole", stamp)
		}
		plan[n] = ""
	case n.link == "":
	case !strings.EqualFold(n.link, n.stamp):
		plan[n] = n.link
	case repair && certain == "":
		r.say(n, StaleStamp, "no evidence for the stamped parent %s, which is kept because other sidecars cannot be read", stamp)
	case !repair && len(n.candidates()) == 0 && partial:
		r.say(n, StaleStamp, "no evidence for the stamped parent %s in the sidecars that can be read; it is kept", stamp)
	case !repair && len(n.candidates()) == 0:
		r.say(n, StaleStamp, "no evidence for the stamped parent %s, which is kept; `backfill-parent-links --repair` clears it", stamp)
	case !repair && certain != "" && certain != stamp && g.other(certain, stamp):
		r.say(n, StaleStamp, "stamped parent %s, evidence says %s; `backfill-parent-links --repair` replaces it", stamp, certain)
	}
}

// other reports whether two ids mean different conversations.
func (g *graph) other(a, b string) bool {
	x, y := g.byID[a], g.byID[b]
	return len(x) != 1 || len(y) != 1 || x[0] != y[0]
}

// few is the beginning of a list of ids.
func few(ids []string) string {
	const most = 5
	if len(ids) > most {
		return strings.Join(ids[:most], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}

// cut bounds a text for a message.
func cut(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}

package doctor

import "agy-reader/host/store"

// Report is what was found.
type Report struct {
	Roots []Root `json:"roots"`
	Agy   Agy    `json:"agy"`
}

// Root is one store.
type Root struct {
	Path string `json:"path"`
	// Surface is that of store.Root.
	Surface string `json:"surface"`
	// Explicit: the user named the store, so it must be healthy.
	Explicit bool     `json:"explicit"`
	Daemon   Daemon   `json:"daemon"`
	Sidecars Sidecars `json:"sidecars"`
	Watch    Watch    `json:"watch"`
}

// ide reports whether the store is one of the IDE.
func (r *Root) ide() bool { return r.Surface == "ide" || r.Surface == "ide2" }

func rootOf(r store.Root) Root {
	return Root{Path: r.Path, Surface: r.Surface, Explicit: r.Explicit}
}

// DaemonState is how a store's daemon was found.
type DaemonState string

// States of a daemon.
const (
	// Reachable: somebody listens.
	Reachable DaemonState = "reachable"
	// NotRunning: none was found. That is no fault: it runs only while agy or the IDE does.
	NotRunning DaemonState = "not running"
	// Unreachable: nobody listens at the address the user set.
	Unreachable DaemonState = "configured address unreachable"
	// Unusable: the address or the token the user set is none.
	Unusable DaemonState = "configured values unusable"
)

// CallState is what became of a call that changes nothing.
type CallState string

// States of a call. NotCalled: there was nobody to call, or no token to call with.
const (
	NotCalled CallState = ""
	Answered  CallState = "answered"
	// Rejected: the token, or that there is none.
	Rejected CallState = "rejected"
	// Failed in another way, which proves nothing: the daemon may be slow, or not know the method.
	Failed CallState = "failed"
)

// Daemon is a store's daemon.
type Daemon struct {
	State DaemonState `json:"state"`
	// URL is its address without a password, empty when there is none.
	URL string `json:"url,omitempty"`
	// Token: one is known for it.
	Token bool      `json:"token"`
	Call  CallState `json:"call,omitempty"`
	// Cause is why it was not found, or how the call failed.
	Cause string `json:"cause,omitempty"`
}

// Sidecars are those of a store's sessions.
type Sidecars struct {
	// SQLite counts sessions with a database, Legacy encrypted files.
	SQLite Count `json:"sqlite"`
	Legacy Count `json:"legacyPb"`
	// Open are the sessions that are not verified, in the order of names.
	Open []Open `json:"open,omitempty"`
	// Unread counts those of Open that were not read: they are unknown by their sidecars, and whether they are Held was seen only of
	// the newest such sessions.
	Unread int `json:"unread,omitempty"`
	// Cause is why the sessions could not be listed.
	Cause string `json:"cause,omitempty"`
}

// Count is how many sessions are in which state of host/verify.
type Count struct {
	Verified   int `json:"verified"`
	Incomplete int `json:"incomplete"`
	Unknown    int `json:"unknown"`
}

func (c Count) open() int { return c.Incomplete + c.Unknown }
func (c Count) all() int  { return c.Verified + c.open() }

// Class says why a session is not verified.
type Class string

// Classes. A sync mends the first six; for Odd and Held something else has to be done first.
const (
	Missing    Class = "no sidecar yet"
	Corrupt    Class = "corrupt sidecar"
	Unattested Class = "no evidence of completeness in the sidecar"
	Changed    Class = "the session changed since it was verified"
	Altered    Class = "the sidecar is not what was verified"
	Busy       Class = "the session was busy"
	// Odd: what stands in the sidecar's place cannot be read.
	Odd Class = "unreadable sidecar"
	// Held: the session's own file cannot be verified, whatever a daemon answers.
	Held Class = "held"
)

// Open is a session that is not verified.
type Open struct {
	ID string `json:"id"`
	// State is "incomplete" or "unknown".
	State string `json:"state"`
	Class Class  `json:"class"`
	// Reason says more.
	Reason string `json:"reason"`
}

// Watch says whether a watcher keeps a store's sidecars fresh.
type Watch struct {
	// State is "running", "not running" or "unknown".
	State string `json:"state"`
	// Cause is why it is unknown.
	Cause string `json:"cause,omitempty"`
}

// Agy is the version of agy.
type Agy struct {
	// Running is what `agy --version` says, empty when it says nothing; Recorded what was audited, empty when nothing was.
	Running  string `json:"running,omitempty"`
	Recorded string `json:"recorded,omitempty"`
	// Cause is why Running is empty.
	Cause string `json:"cause,omitempty"`
}

// skewed reports whether another version runs than the one that was audited.
func (a Agy) skewed() bool {
	return a.Running != "" && a.Recorded != "" && number(a.Running) != number(a.Recorded)
}

package doctor

import "slices"

// Verdict is what a report comes to.
type Verdict struct {
	// Healthy: nothing is to be done. Doctor then exits with 0, else with 1.
	Healthy bool `json:"healthy"`
	// Waiting counts the stores, among several, that wait for their daemon without being a fault.
	Waiting int `json:"waiting"`
}

// Verdict decides (behaviour.md j): a store that was named must be healthy; of those that were only discovered one must be.
// Rejected calls, sidecars that are not verified, a wrong address set by the user, and another agy than the audited one
// always fail. A daemon that does not run never does.
func (r *Report) Verdict() Verdict {
	v := Verdict{Healthy: !r.Agy.skewed()}
	unhealthy := 0
	for i := range r.Roots {
		root := &r.Roots[i]
		switch {
		case root.fails():
			v.Healthy = false
		case root.tokenless():
			unhealthy++
			if root.Explicit {
				v.Healthy = false
			} else {
				v.Waiting++
			}
		case root.Daemon.State == NotRunning && !root.Explicit:
			v.Waiting++
		}
	}
	if unhealthy > 0 && unhealthy == len(r.Roots) {
		v.Healthy = false
	}
	if len(r.Roots) < 2 || !v.Healthy {
		v.Waiting = 0
	}
	return v
}

// fails reports whether a store fails by itself, discovered or not.
func (r *Root) fails() bool {
	return slices.Contains([]DaemonState{Unreachable, Unusable}, r.Daemon.State) || r.Daemon.Call == Rejected ||
		r.Sidecars.Cause != "" || r.Sidecars.open() > 0
}

// tokenless: an IDE that runs rejects every call without a token.
func (r *Root) tokenless() bool { return r.ide() && r.Daemon.State == Reachable && !r.Daemon.Token }

func (s *Sidecars) open() int { return s.SQLite.open() + s.Legacy.open() }

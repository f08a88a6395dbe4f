package sqlite

import (
	"agy-reader/sources/profile"
)

// recentSteps is how many of the last planner steps are searched for the usage of model calls that were not read. The rows that are
// too big to read belong to the newest call.
const recentSteps = 64

// covered returns the rows of gen_metadata whose usage one of the last steps carries.
func (s *steps) covered() map[int64]bool {
	found := map[int64]bool{}
	resolved := s.r.profile.Resolve(&names)
	for _, raw := range s.recent[:min(s.at, recentSteps)] {
		var f profile.Findings
		if s.r.profile.Check(stepMetadataMessage, raw, "", &f) != nil {
			continue
		}
		v := resolved.View(stepMetadataMessage, raw, &f)
		if source := v.Sub(stepSource); source.Valid() && v.Sub(stepUsage).Valid() {
			found[source.Int(sourceModelAt)] = true
		}
	}
	return found
}

package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agy-reader/proto/antigravity"
)

// Candidate is one profile in the light of the evidence.
type Candidate struct {
	Name   string `json:"name"`
	Chosen bool   `json:"chosen"`
	// Reason says what speaks for or against the profile.
	Reason string `json:"reason"`
	// Marks are fields among the samples that only versions of this profile write.
	Marks []string `json:"marks,omitempty"`
	// Unknown is what the samples hold and the profile does not know, at most 20 of them.
	Unknown []string `json:"unknown,omitempty"`

	listed *listed
	class  int
	// count is how much of the samples is unknown.
	count int
	// newer says that the recorded version is later than every one the profile was made for.
	newer bool
}

// Classes of candidates, the best first. Within a class the newest profile comes first.
const (
	classOwn      = iota // the user's own, for this storage and schema
	classVersion         // the recorded version is one of the profile's
	classMarked          // samples hold what only this profile's versions write
	classPlain           // for this storage and schema
	classUnmarked        // likewise, but samples hold none of what its versions write
	classOther           // for another storage or schema
)

// Choose returns the profile for the evidence and the reason in words. The best candidate that knows everything in the
// samples is taken: the user's own profiles, then the recorded version, then fields that only some versions write, then
// storage and database schema decide, and what is still open goes to the newest. verified is false when no profile is for
// this storage and schema or no profile knows all of the samples, or when the recorded version is newer than all profiles.
func Choose(ev Evidence) (p *Profile, reason string, verified bool, err error) {
	return embedded.choose(ev)
}

func (l *library) choose(ev Evidence) (p *Profile, reason string, verified bool, err error) {
	c, reason, verified, err := l.pick(ev)
	if err != nil {
		return nil, "", false, err
	}
	p, err = l.load(c.Name)
	return p, reason, verified, err
}

// Explain returns every candidate, the best first, with the reason for the choice that Choose would make.
func Explain(ev Evidence) (candidates []Candidate, reason string, verified bool, err error) {
	return embedded.explain(ev)
}

func (l *library) explain(ev Evidence) (candidates []Candidate, reason string, verified bool, err error) {
	chosen, reason, verified, err := l.pick(ev)
	if err != nil {
		return nil, "", false, err
	}
	all, err := l.candidates(ev)
	if err != nil {
		return nil, "", false, err
	}
	for i := range all {
		c := &all[i]
		if err := l.try(c, ev); err != nil {
			return nil, "", false, err
		}
		switch {
		case c.Name == chosen.Name:
			c.Chosen = true
		case c.count > 0:
			c.Reason += fmt.Sprintf("; does not know %d of what was sampled", c.count)
		case c.class > chosen.class:
			c.Reason += "; " + chosen.Name + " fits better"
		default:
			c.Reason += "; " + chosen.Name + " is newer"
		}
	}
	return all, reason, verified, nil
}

// pick finds the best candidate.
func (l *library) pick(ev Evidence) (c *Candidate, reason string, verified bool, err error) {
	all, err := l.candidates(ev)
	if err != nil {
		return nil, "", false, err
	}
	if len(all) == 0 {
		return nil, "", false, ErrNoProfile
	}
	best := -1
	for i := range all {
		if err := l.try(&all[i], ev); err != nil {
			return nil, "", false, err
		}
		if all[i].count == 0 {
			best = i
			break
		}
	}
	complete := best >= 0
	if !complete {
		// Something newer than every profile: whoever misses least, of those the newest that is for this schema.
		best = 0
		for i := range all {
			a, b := &all[i], &all[best]
			if cmp.Or(cmp.Compare(a.count, b.count), compareBool(a.class == classOther, b.class == classOther), cmp.Compare(b.listed.manifest.Rank, a.listed.manifest.Rank)) < 0 {
				best = i
			}
		}
	}
	c = &all[best]
	reason = c.Reason
	switch {
	case c.class == classOther && all[0].class < classOther:
		reason = "it knows everything in it, although " + c.Reason
	case c.class == classOther && c.listed.own:
		reason = "the user's own profile; " + noneSuits(ev)
	case c.class == classOther:
		reason = "newest profile; " + noneSuits(ev)
	case c.newer:
		reason = "version " + ev.Version + " is newer than every profile; the newest is taken"
	}
	switch {
	case !complete:
		reason += "; no profile knows everything in it, the newest that knows most is taken"
	case best > 0:
		reason += "; " + all[0].Name + " does not know everything in it"
	}
	return c, reason, complete && c.class < classOther && !c.newer, nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// try counts what of the samples a candidate does not know. Without samples nothing is loaded.
func (l *library) try(c *Candidate, ev Evidence) error {
	if len(ev.Samples) == 0 {
		return nil
	}
	p, err := l.load(c.Name)
	if err != nil {
		return err
	}
	for _, raw := range ev.Samples {
		var f Findings
		if p.Check(stepMessage, raw, "", &f) != nil {
			continue // damage speaks for no profile
		}
		for _, u := range f.Unknown {
			c.unknown(strings.TrimPrefix(fmt.Sprintf("%s.%d", u.GetPath(), u.GetNumber()), "."))
		}
		for _, list := range [][]string{f.UnknownEnums, f.UnknownWrappers} {
			for _, what := range list {
				c.unknown(what)
			}
		}
		c.count += f.More
	}
	return nil
}

func (c *Candidate) unknown(what string) {
	c.count++
	if len(c.Unknown) < 20 && !slices.Contains(c.Unknown, what) {
		c.Unknown = append(c.Unknown, what)
	}
}

// candidates judges every profile by everything but what it knows, the best first.
func (l *library) candidates(ev Evidence) ([]Candidate, error) {
	entries, err := l.entries()
	if err != nil {
		return nil, err
	}
	all := make([]Candidate, len(entries))
	for i, e := range entries {
		all[i] = judge(e, ev)
	}
	// A version newer than every profile belongs to the newest of them.
	taken := slices.ContainsFunc(all, func(c Candidate) bool { return c.class == classVersion && !c.newer })
	for i := range all {
		if c := &all[i]; c.newer && taken {
			c.newer, c.class = false, classUnmarked
		} else if c.newer {
			taken = true
		}
	}
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(a.class, b.class) })
	return all, nil
}

func judge(e *listed, ev Evidence) Candidate {
	m := e.manifest
	c := Candidate{Name: m.Name, listed: e, Marks: marksSeen(m, ev.Samples)}
	fits, why := suits(m, ev)
	at := within(ev.Version, m.Releases)
	switch {
	case !fits:
		c.class, c.Reason = classOther, why
	case e.own:
		c.class, c.Reason = classOwn, why+", and the profile is the user's own"
	case at == versionWithin:
		c.class, c.Reason = classVersion, "version "+ev.Version+" is one of the profile's"
	case at == versionAfter:
		c.class, c.newer, c.Reason = classVersion, true, "version "+ev.Version+" is newer than the profile's"
	case at == versionBefore:
		c.class, c.Reason = classUnmarked, "version "+ev.Version+" is older than the profile's"
	case len(c.Marks) > 0:
		c.class, c.Reason = classMarked, why+", and "+c.Marks[0]+" is there, which only its versions write"
	case len(m.Marks) > 0:
		c.class, c.Reason = classUnmarked, why+", but nothing that only its versions write was seen"
	default:
		c.class, c.Reason = classPlain, why
	}
	return c
}

// suits says whether a profile is for what the source states, and why.
func suits(m *antigravity.Manifest, ev Evidence) (ok bool, why string) {
	switch {
	case !ev.stated():
		return false, noneSuits(ev)
	case ev.SchemaFingerprint != "" && hasSchema(m, ev.SchemaFingerprint):
		return true, "database schema " + short(ev.SchemaFingerprint) + " is the profile's"
	case ev.SchemaFingerprint != "":
		return false, "database schema " + short(ev.SchemaFingerprint) + " is not the profile's"
	case ev.FileKey != "" && hasKey(m, ev.FileKey):
		return true, "the " + ev.FileKey + " of the file is the profile's"
	case ev.FileKey != "":
		return false, "the " + ev.FileKey + " of the file is not the profile's"
	case ev.Storage != "" && !slices.Contains(m.Storage, ev.Storage):
		return false, "the profile is not for ." + ev.Storage + " files"
	case ev.Storage != "":
		return true, "the profile is for ." + ev.Storage + " files"
	}
	return true, "nothing but a version is stated"
}

// noneSuits is what is missing when no profile suits.
func noneSuits(ev Evidence) string {
	switch {
	case ev.SchemaFingerprint != "":
		return "no profile knows database schema " + short(ev.SchemaFingerprint)
	case ev.FileKey != "":
		return "no profile knows the key " + ev.FileKey
	case ev.Storage != "":
		return "no profile is for ." + ev.Storage + " files"
	}
	return "the source states no schema"
}

func hasSchema(m *antigravity.Manifest, fingerprint string) bool {
	return slices.ContainsFunc(m.SQLSchemas, func(s antigravity.SQLSchema) bool { return s.Fingerprint == fingerprint })
}

func hasKey(m *antigravity.Manifest, name string) bool {
	return slices.ContainsFunc(m.FileKeys, func(k antigravity.FileKey) bool { return k.Name == name })
}

// short is as much of a fingerprint as people read.
func short(fingerprint string) string { return fingerprint[:min(len(fingerprint), 12)] }

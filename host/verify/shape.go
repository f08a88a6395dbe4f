package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"sync"

	"agy-reader/sources/profile"
)

// Members of the trajectory that are lists too long to be held: they are compared element by element.
const (
	listSteps     = "steps"
	listCalls     = "generatorMetadata"
	listExecutors = "executorMetadatas"
)

var listNames = []string{listSteps, listCalls, listExecutors}

// shape is what a profile says about a trajectory and the answers about it. Shared and read-only.
type shape struct {
	profile *profile.Profile
	// message is the trajectory; element the messages in its lists; number the numbers of its lists.
	message string
	element map[string]string
	number  map[uint64]string
	// fed are the members, by JSON name, that a source has.
	fed map[string]bool
	// rules are those of the ordinary answer, by path without indexes.
	rules  map[string]string
	digest string
}

var shapes sync.Map // *profile.Profile → *shape

func shapeOf(p *profile.Profile) (*shape, error) {
	if known, ok := shapes.Load(p); ok {
		return known.(*shape), nil
	}
	m := p.Manifest()
	s := &shape{
		profile: p, message: m.Trajectory.Message, element: map[string]string{}, number: map[uint64]string{},
		fed: map[string]bool{}, rules: map[string]string{},
	}
	var names profile.Names
	fields := make([]profile.Field, len(m.Trajectory.Members))
	for i, member := range m.Trajectory.Members {
		fields[i] = names.Field(s.message, member.Field)
	}
	bound := p.Resolve(&names)
	for i, member := range m.Trajectory.Members {
		name := bound.JSONName(fields[i])
		s.fed[name] = true
		if slices.Contains(listNames, name) {
			s.element[name] = p.FieldMessage(s.message, member.Field)
			s.number[bound.Number(fields[i])] = name
		}
	}
	for _, a := range m.Answers {
		s.rules[a.Path] = a.Rule
	}
	said, err := json.Marshal([]any{m.Name, m.Trajectory, m.Tables, m.Wrappers, m.OpenEnums, m.Answers})
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write(p.Schema())
	sum.Write(said)
	s.digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	known, _ := shapes.LoadOrStore(p, s)
	return known.(*shape), nil
}

package verify_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agy-reader/host/corpus"
	"agy-reader/host/verify"
	"agy-reader/sources/daemon"
)

// leaf is a place in a JSON tree that can be changed.
type leaf struct {
	path string
	get  func() any
	set  func(any)
}

// leaves lists all values of a tree that are no containers, always in the same order.
func leaves(v any, path string, set func(any)) (all []leaf) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, leaves(v[name], path+"."+name, func(n any) { v[name] = n })...)
		}
	case []any:
		for i := range v {
			all = append(all, leaves(v[i], fmt.Sprintf("%s[%d]", path, i), func(n any) { v[i] = n })...)
		}
	default:
		all = append(all, leaf{path, func() any { return v }, set})
	}
	return all
}

// another returns a value of the same type that differs as little as possible.
func another(random *rand.Rand, v any) any {
	switch v := v.(type) {
	case bool:
		return !v
	case json.Number:
		if v == "0" {
			return json.Number("1")
		}
		return v + "1"
	case string:
		if v == "" {
			return "x"
		}
		i := random.IntN(len(v))
		for v[i] >= 0x80 {
			i = (i + 1) % len(v)
		}
		changed := "a"
		if v[i] == 'a' {
			changed = "b"
		}
		return v[:i] + changed + v[i+1:]
	}
	return "was null"
}

// plain writes the paths of Any types as leaves does.
var plain = strings.NewReplacer(`["@type"]`, ".@type")

// Any single leaf that differs is found, in either answer, wherever it stands.
func TestAnyLeaf(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	s := take(t, seal(t, m.proto)) // which is read in no time
	random := rand.New(rand.NewPCG(1, 2))
	for _, form := range []string{"ordinary", "full"} {
		raw := m.ordinary
		if form == "full" {
			raw = m.full
		}
		top := value(t, raw)
		all := leaves(top, "", nil)
		if len(all) < 70 {
			t.Fatalf("only %d leaves", len(all))
		}
		for _, l := range all {
			for range 2 {
				was := l.get()
				l.set(another(random, was))
				full, ordinary := daemon.Full{Proto: m.proto}, text(t, top)
				if form == "full" {
					full, ordinary = daemon.Full{JSON: ordinary}, m.ordinary
				}
				_, err := s.Check(t.Context(), full, ordinary)
				if !errors.Is(err, verify.ErrStale) && !errors.Is(err, verify.ErrAnswer) || errors.Is(err, verify.ErrChanged) {
					t.Errorf("%s%s: %v became %v: %v", form, l.path, was, another(random, was), err)
				}
				var mismatch *verify.MismatchError
				if errors.As(err, &mismatch) && mismatch.Step >= 0 && !strings.HasPrefix(l.path, fmt.Sprintf(".steps[%d].%s", mismatch.Step, plain.Replace(mismatch.Path))) {
					t.Errorf("%s%s is named step %d %s", form, l.path, mismatch.Step, mismatch.Path)
				}
				l.set(was)
			}
		}
		if _, err := s.Check(t.Context(), m.answer(), text(t, value(t, m.ordinary))); err != nil {
			t.Fatal(err)
		}
	}
}

// So is any leaf of real conversations.
func TestAnyLeafOfTheCorpus(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for _, path := range corpus.Databases(t, corpus.Copy(t)) {
		session := sessionOf(path)
		s := take(t, session)
		wire := assemble(t, path)
		answer := asJSON(t, wire)
		top := value(t, answer)
		all := leaves(top, "", nil)
		for range 2 {
			l := all[random.IntN(len(all))]
			for strings.HasPrefix(l.path, ".generatorMetadata") || strings.HasPrefix(l.path, ".executorMetadatas") {
				l = all[random.IntN(len(all))] // of these an ordinary answer may leave out what it likes
			}
			was := l.get()
			l.set(another(random, was))
			changed := text(t, top)
			l.set(was)
			for form, answers := range map[string][2]json.RawMessage{"full": {changed, answer}, "ordinary": {answer, changed}} {
				if _, err := s.Check(t.Context(), daemon.Full{JSON: answers[0]}, answers[1]); !errors.Is(err, verify.ErrStale) && !errors.Is(err, verify.ErrAnswer) {
					t.Errorf("%s, %s%s: %.80v changed: %v", session.ID[:8], form, l.path, was, err)
				}
			}
		}
	}
}

// Any byte of a full protobuf answer counts: whatever becomes of it, it is never taken for what is stored, unless it says
// the same.
func TestAnyByte(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	s := take(t, seal(t, m.proto)) // which is read in no time
	files := schema(t)
	same := decodeAs(t, files, trajectoryMessage, m.proto)
	missed := 0
	for i := 0; i < len(m.proto); i += 2 {
		raw := append([]byte{}, m.proto...)
		raw[i] ^= 1 << (i % 7)
		_, err := s.Check(t.Context(), daemon.Full{Proto: raw}, m.ordinary)
		if err != nil {
			if !errors.Is(err, verify.ErrStale) && !errors.Is(err, verify.ErrAnswer) {
				t.Errorf("byte %d: %v", i, err)
			}
			continue
		}
		missed++
		if !says(t, files, same, raw) {
			t.Errorf("byte %d: %02x became %02x, and nobody saw it", i, m.proto[i], raw[i])
		}
	}
	t.Logf("%d bytes say the same with another value", missed)
}

// Evidence is worth something only as long as everything is as it was.
func TestOffline(t *testing.T) {
	t.Parallel()
	m := newMixed(t)
	e, err := take(t, m.session).Check(t.Context(), m.answer(), m.ordinary)
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func(*verify.Evidence)) json.RawMessage {
		other := *e
		change(&other)
		return text(t, other)
	}
	reordered := text(t, value(t, m.ordinary))
	stamped := value(t, m.ordinary)
	stamped["agyReader"] = map[string]any{"parentCascadeId": "x"}
	changed := value(t, m.ordinary)
	changed["unknownToAll"] = json.Number("9007199254740993")
	forged := json.RawMessage(strings.Replace(string(m.ordinary), "I look.", "I l00k.", 1))
	short := value(t, m.ordinary)
	short["steps"] = short["steps"].([]any)[1:]
	shorter := text(t, short)
	for name, test := range map[string]struct {
		evidence, payload json.RawMessage
		state             verify.State
		kind              error
	}{
		"as written":      {text(t, e), m.ordinary, verify.Verified, nil},
		"other order":     {text(t, e), reordered, verify.Verified, nil},
		"with a stamp":    {text(t, e), text(t, stamped), verify.Verified, nil},
		"member added":    {text(t, e), text(t, changed), verify.Incomplete, verify.ErrPayloadDiffers},
		"text changed":    {text(t, e), json.RawMessage(strings.Replace(string(m.ordinary), "I look.", "I l00k.", 1)), verify.Incomplete, verify.ErrPayloadDiffers},
		"forged":          {with(func(e *verify.Evidence) { e.PayloadDigest = digestOf(t, forged) }), forged, verify.Incomplete, verify.ErrPayloadDiffers},
		"forged, shorter": {with(func(e *verify.Evidence) { e.PayloadDigest = digestOf(t, shorter) }), shorter, verify.Incomplete, verify.ErrPayloadDiffers},
		"cut":             {text(t, e), m.ordinary[:99], verify.Incomplete, verify.ErrPayloadDiffers},
		"no evidence":     {nil, m.ordinary, verify.Unknown, verify.ErrNoEvidence},
		"null":            {json.RawMessage("null"), m.ordinary, verify.Unknown, verify.ErrNoEvidence},
		"a text":          {json.RawMessage(`"yes"`), m.ordinary, verify.Unknown, verify.ErrNoEvidence},
		"other format":    {with(func(e *verify.Evidence) { e.FormatVersion++ }), m.ordinary, verify.Unknown, verify.ErrNoEvidence},
		"other profile":   {with(func(e *verify.Evidence) { e.Profile = "agy-9" }), m.ordinary, verify.Unknown, verify.ErrNoEvidence},
		"profile changed": {with(func(e *verify.Evidence) { e.ProfileDigest += "0" }), m.ordinary, verify.Unknown, verify.ErrNoEvidence},
		"other source":    {with(func(e *verify.Evidence) { e.SourceDigest += "0" }), m.ordinary, verify.Incomplete, verify.ErrSourceDiffers},
		"other steps":     {with(func(e *verify.Evidence) { e.Steps-- }), m.ordinary, verify.Unknown, verify.ErrNoEvidence},
		"other calls":     {with(func(e *verify.Evidence) { e.ModelCalls++ }), m.ordinary, verify.Unknown, verify.ErrNoEvidence},
		"other runs":      {with(func(e *verify.Evidence) { e.ExecutorRuns++ }), m.ordinary, verify.Unknown, verify.ErrNoEvidence},
		"other storage":   {with(func(e *verify.Evidence) { e.Storage = verify.StorageLegacy }), m.ordinary, verify.Incomplete, verify.ErrSourceDiffers},
	} {
		state, err := verifier().Offline(t.Context(), m.session, file(test.evidence, test.payload))
		if state != test.state || !errors.Is(err, test.kind) || (err == nil) != (test.kind == nil) {
			t.Errorf("%s: %v, %v; want %v, %v", name, state, err, test.state, test.kind)
		}
	}
	say(t, live(t, m.session.Path), "changed")
	if state, err := verifier().Offline(t.Context(), m.session, file(text(t, e), m.ordinary)); state != verify.Incomplete || !errors.Is(err, verify.ErrSourceDiffers) {
		t.Errorf("the source changed: %v, %v", state, err)
	}
}

// digestOf is what somebody would write who makes evidence up.
func digestOf(t *testing.T, payload json.RawMessage) string {
	t.Helper()
	digest, err := verify.PayloadDigest(payload)
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

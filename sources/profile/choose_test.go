package profile

import (
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/encoding/protowire"
)

const knownSchema = "1ca98426f561fe73223c8620a238405030fdb3014444d970e1300a6009f72f43"

// nest wraps bytes in message fields, the innermost number last.
func nest(raw []byte, numbers ...protowire.Number) []byte {
	for i := len(numbers) - 1; i >= 0; i-- {
		raw = protowire.AppendBytes(protowire.AppendTag(nil, numbers[i], protowire.BytesType), raw)
	}
	return raw
}

func TestChooseByEvidence(t *testing.T) {
	t.Parallel()
	const typed, wrapped, legacy = "agy-1.0.4", "agy-1.1.14", "legacy-pb"
	wrapper := nest(nil, 140, 2, 6)
	unknown := nest([]byte("new"), 4000)
	for _, test := range []struct {
		name     string
		evidence Evidence
		want     string
		verified bool
		reason   string
	}{
		{"nothing stated", Evidence{}, wrapped, false, "newest profile; the source states no schema"},
		{"known schema", Evidence{SchemaFingerprint: knownSchema}, typed, true, "database schema 1ca98426f561 is the profile's"},
		{
			"known schema, a plain step",
			Evidence{Storage: "db", SchemaFingerprint: knownSchema, Samples: [][]byte{nest([]byte("hi"), 19, 2)}},
			typed, true, "database schema 1ca98426f561 is the profile's",
		},
		{
			"known schema, a wrapper",
			Evidence{Storage: "db", SchemaFingerprint: knownSchema, Samples: [][]byte{wrapper}},
			wrapped, true,
			"database schema 1ca98426f561 is the profile's, and generic.result.payload is there, which only its versions write",
		},
		{
			"known schema, a field nobody knows",
			Evidence{SchemaFingerprint: knownSchema, Samples: [][]byte{unknown}},
			wrapped, false,
			"database schema 1ca98426f561 is the profile's, but nothing that only its versions write was seen; " +
				"no profile knows everything in it, the newest that knows most is taken",
		},
		{"unknown schema", Evidence{SchemaFingerprint: "cc"}, wrapped, false, "newest profile; no profile knows database schema cc"},
		{"encrypted file", Evidence{FileKey: "world key"}, legacy, true, "the world key of the file is the profile's"},
		{"another key", Evidence{FileKey: "my key"}, wrapped, false, "newest profile; no profile knows the key my key"},
		{"encrypted, no key named", Evidence{Storage: "pb"}, legacy, true, "the profile is for .pb files"},
		{"logs", Evidence{Storage: "jsonl"}, wrapped, false, "newest profile; no profile is for .jsonl files"},
		{
			"recorded version of the typed era",
			Evidence{SchemaFingerprint: knownSchema, Version: "1.0.16"},
			typed, true, "version 1.0.16 is one of the profile's",
		},
		{
			"recorded version of the wrapper era",
			Evidence{SchemaFingerprint: knownSchema, Version: "1.2.16"},
			wrapped, true, "version 1.2.16 is one of the profile's",
		},
		{
			"recorded version that is newer than all",
			Evidence{SchemaFingerprint: knownSchema, Version: "1.5.13"},
			wrapped, false, "version 1.5.13 is newer than every profile; the newest is taken",
		},
		{
			"a version that is none",
			Evidence{SchemaFingerprint: knownSchema, Version: "newest"},
			typed, true, "database schema 1ca98426f561 is the profile's",
		},
		{
			"damaged sample",
			Evidence{SchemaFingerprint: knownSchema, Samples: [][]byte{{0xff, 0xff}}},
			typed, true, "database schema 1ca98426f561 is the profile's",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, reason, verified, err := Choose(test.evidence)
			if err != nil {
				t.Fatal(err)
			}
			if p.Info().Name != test.want || verified != test.verified || reason != test.reason {
				t.Errorf("chose %s (verified %v): %s\nwant %s (verified %v): %s", p.Info().Name, verified, reason, test.want, test.verified, test.reason)
			}
			candidates, again, sure, err := Explain(test.evidence)
			if err != nil || again != reason || sure != verified || len(candidates) != len(List()) {
				t.Fatalf("Explain: %d candidates, %q, %v, %v", len(candidates), again, sure, err)
			}
			for _, c := range candidates {
				if c.Chosen != (c.Name == test.want) || c.Reason == "" {
					t.Errorf("candidate %s: chosen %v, reason %q", c.Name, c.Chosen, c.Reason)
				}
			}
		})
	}
}

// The version of an engine or of Desktop is no agy release, so it is never handed over as one; what a source has is the
// schema.
func TestCaseC14EngineVersionIsNoRelease(t *testing.T) {
	t.Parallel()
	_, reason, verified, err := Choose(Evidence{SchemaFingerprint: knownSchema})
	if err != nil || !verified || strings.Contains(reason, "version") || !strings.Contains(reason, knownSchema[:12]) {
		t.Errorf("reason %q, verified %v, %v; want the schema and no version", reason, verified, err)
	}
}

// A profile that lacks a field gives way to one that has it, in the same class and across.
func TestChooseTakesTheOneThatKnows(t *testing.T) {
	t.Parallel()
	old := "syntax = \"proto3\";\npackage gemini_coder;\nmessage Step { string a = 1; }\n"
	files := fstest.MapFS{
		"small/profile.json": {Data: []byte(`{"name":"small","rank":3,"storage":["db"],"sqlSchemas":[{"fingerprint":"aa"}]}`)},
		"small/schema.binpb": {Data: compileText(t, old)},
		"big/profile.json":   {Data: []byte(`{"name":"big","rank":2,"storage":["db"],"sqlSchemas":[{"fingerprint":"aa"}]}`)},
		"big/schema.binpb":   {Data: compileText(t, strings.Replace(old, "}", "string b = 2; }", 1))},
		"pb/profile.json":    {Data: []byte(`{"name":"pb","rank":1,"storage":["pb"]}`)},
		"pb/schema.binpb":    {Data: compileText(t, strings.Replace(old, "}", "string b = 2; string c = 3; }", 1))},
	}
	l := newLibrary(files)
	for _, test := range []struct {
		field    protowire.Number
		want     string
		verified bool
		reason   string
	}{
		{1, "small", true, "database schema aa is the profile's"},
		{2, "big", true, "database schema aa is the profile's; small does not know everything in it"},
		{3, "pb", false, "it knows everything in it, although database schema aa is not the profile's; small does not know everything in it"},
		{4, "small", false, "database schema aa is the profile's; no profile knows everything in it, the newest that knows most is taken"},
	} {
		p, reason, verified, err := l.choose(Evidence{SchemaFingerprint: "aa", Samples: [][]byte{nest([]byte("x"), test.field)}})
		if err != nil || p.Info().Name != test.want || verified != test.verified || reason != test.reason {
			t.Errorf("field %d: %v (verified %v) %q, %v; want %s (%v) %q", test.field, p.Info().Name, verified, reason, err, test.want, test.verified, test.reason)
		}
	}
}

// Nothing is loaded to judge a source by its schema alone.
func TestOnlyTheChosenProfileIsLoaded(t *testing.T) {
	t.Parallel()
	l := testLibrary(t)
	if _, _, _, err := l.choose(Evidence{SchemaFingerprint: "aaaaaaaaaaaaaaaaaaaa"}); err != nil {
		t.Fatal(err)
	}
	if len(l.loaded) != 1 || l.loaded["old"] == nil {
		t.Errorf("loaded %v, want old alone", l.loaded)
	}
}

package interpret_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"agy-reader/host/demo/build"
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

func TestGeneration(t *testing.T) {
	t.Parallel()
	p, err := profile.Load("agy-1.0.4")
	if err != nil {
		t.Fatal(err)
	}
	ip := interpret.New(p)
	for _, test := range []struct {
		name, json string
		want       *doc.Usage
		enum       string
	}{
		{"nothing", `{}`, nil, ""},
		{"failed call", `{"chatModel":{"usage":{}},"error":"quota"}`, nil, ""},
		{
			"display name", `{"chatModel":{"model":"MODEL_PLACEHOLDER_M16","responseModel":"gemini-x","modelDisplayName":"Gemini X (High)","usage":
			{"inputTokens":"5","cacheReadTokens":"0","outputTokens":"9","apiProvider":"API_PROVIDER_GOOGLE_GEMINI","responseId":"r","messageId":"m"}}}`,
			&doc.Usage{
				Model: "Gemini X (High)", ResponseId: "r", MessageId: "m", Provider: "GOOGLE_GEMINI",
				InputTokens: proto.Uint64(5), OutputTokens: proto.Uint64(9),
			},
			"PLACEHOLDER_M16",
		},
		{
			"steps it made", `{"chatModel":{"usage":{"inputTokens":"5"}},"stepIndices":[6,5,7]}`,
			&doc.Usage{InputTokens: proto.Uint64(5), StepIndex: proto.Uint32(5)}, "",
		},
		{"model id", `{"chatModel":{"responseModel":"gemini-x","usage":{"inputTokens":"5"}}}`, &doc.Usage{Model: "gemini-x", InputTokens: proto.Uint64(5)}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			raw := build.MustEncode(t, "exa.cortex_pb.CortexStepGeneratorMetadata", test.json)
			var a interpret.Arena
			usage, retries, enum := ip.Generation(raw, &a)
			if len(retries) > 0 {
				t.Errorf("%d retries", len(retries))
			}
			if diff := cmp.Diff(test.want, usage, protocmp.Transform()); diff != "" || enum != test.enum {
				t.Errorf("model %q, want %q; usage (-want +got):\n%s", enum, test.enum, diff)
			}
		})
	}
	var a interpret.Arena
	if got, _, _ := ip.Generation([]byte{0xff}, &a); got != nil {
		t.Errorf("not a message: %v", got)
	}
}

package interpret_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"agy-reader/host/demo/build"
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

// stepOf interprets one payload.
func stepOf(t *testing.T, payload []byte) *doc.Step {
	t.Helper()
	p, err := profile.Load("agy-1.0.4")
	if err != nil {
		t.Fatal(err)
	}
	var a interpret.Arena
	var found *doc.Step
	session := &interpret.Session{ConversationID: "c", Want: sources.Want{Blocks: true}}
	err = interpret.New(p).Step(session, &interpret.Input{Payload: payload}, &a, func(ev *doc.Event) error {
		if st := ev.GetStep(); st != nil {
			found = proto.CloneOf(st)
		}
		return nil
	})
	if err != nil || found == nil {
		t.Fatal(found, err)
	}
	return found
}

// TestCaseC02: a number that stands for «not known» is not recorded, neither as tokens nor as a time.
func TestCaseC02(t *testing.T) {
	t.Parallel()
	for _, sentinel := range []uint64{math.MaxUint64, math.MaxInt64, math.MaxUint32, math.MaxInt32} {
		number := strconv.FormatUint(sentinel, 10)
		st := stepOf(t, build.Step(t, `{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","metadata":{"modelUsage":{"responseId":"r",
			"inputTokens":"`+number+`","outputTokens":"`+number+`","cacheReadTokens":"7"}},"plannerResponse":{"response":"x"}}`))
		want := &doc.Usage{ResponseId: "r", CacheReadTokens: proto.Uint64(7)}
		if diff := cmp.Diff(want, st.GetUsage(), protocmp.Transform()); diff != "" {
			t.Errorf("%d (-want +got):\n%s", sentinel, diff)
		}
	}
	for _, seconds := range []uint64{math.MaxUint64, math.MaxInt64, 0} {
		stamp := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), seconds)
		metadata := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), stamp)
		payload := protowire.AppendBytes(protowire.AppendTag(build.Step(t, `{"type":"CORTEX_STEP_TYPE_USER_INPUT"}`), 5, protowire.BytesType), metadata)
		if st := stepOf(t, payload); st.CreatedNs != nil {
			t.Errorf("%d seconds are %d ns", seconds, st.GetCreatedNs())
		}
	}
	good := stepOf(t, build.Step(t, `{"type":"CORTEX_STEP_TYPE_USER_INPUT","metadata":{"createdAt":"2026-09-14T08:00:00Z"}}`))
	if good.GetCreatedNs() == 0 {
		t.Error("a good time is lost")
	}
}

// A checkpoint's call is the attempt without an error; an attempt with an error was billed as well, one without tokens was
// not.
func TestCheckpointUsage(t *testing.T) {
	t.Parallel()
	st := stepOf(t, build.Step(t, `{"type":"CORTEX_STEP_TYPE_CHECKPOINT","metadata":{"retryInfos":[
		{"usage":{"messageId":"failed","inputTokens":"5"},"error":"overloaded"},{"usage":{"messageId":"refused"},"error":"refused"},
		{"usage":{"messageId":"good","inputTokens":"7","outputTokens":"2"}}]},"checkpoint":{"userRequests":["x"]}}`))
	if st.GetUsage().GetMessageId() != "good" || st.GetUsage().GetInputTokens() != 7 {
		t.Errorf("usage %v", st.GetUsage())
	}
	if len(st.GetExtraUsage()) != 1 || st.GetExtraUsage()[0].GetMessageId() != "failed" {
		t.Errorf("beside it %v", st.GetExtraUsage())
	}
}

// TestGenerationRetries: attempts with ids of their own were billed beside the call.
func TestGenerationRetries(t *testing.T) {
	t.Parallel()
	p, err := profile.Load("agy-1.0.4")
	if err != nil {
		t.Fatal(err)
	}
	raw := build.MustEncode(t, "exa.cortex_pb.CortexStepGeneratorMetadata", `{"chatModel":{"model":"MODEL_PLACEHOLDER_M26","usage":
		{"inputTokens":"5","responseId":"r"},"retryInfos":[{"usage":{"inputTokens":"5","responseId":"r"}},
		{"usage":{"inputTokens":"6","responseId":"lost"},"error":"overloaded"},{"usage":{},"error":"no answer"}]}}`)
	var a interpret.Arena
	usage, retries, enum := interpret.New(p).Generation(raw, &a)
	if usage.GetResponseId() != "r" || usage.GetModel() != "claude-opus-4-6-thinking" || enum != "PLACEHOLDER_M26" {
		t.Errorf("usage %v, model %s", usage, enum)
	}
	if len(retries) != 1 || retries[0].GetResponseId() != "lost" || retries[0].GetInputTokens() != 6 {
		t.Errorf("retries %v", retries)
	}
}

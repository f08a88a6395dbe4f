package verify_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agy-reader/host/demo/build"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// mixed is a conversation of typed and wrapped steps. The stored forms and the ordinary answer are written by hand, from
// what is known about the product, not made by the code under test.
type mixed struct {
	session  store.Session
	proto    []byte
	full     json.RawMessage
	ordinary json.RawMessage
}

const (
	mixedID         = "11111111-2222-4333-8444-555555555555"
	mixedTrajectory = "99999999-2222-4333-8444-555555555555"
)

// mixedSteps are pairs: as stored, and as the ordinary answer shows it ("" for the same).
var mixedSteps = [][2]string{
	{`{"type":"CORTEX_STEP_TYPE_USER_INPUT","status":"CORTEX_STEP_STATUS_DONE",
		"metadata":{"createdAt":"2026-11-30T10:00:00.123456789Z","source":"CORTEX_STEP_SOURCE_USER_EXPLICIT"},
		"userInput":{"items":[{"text":"list \"all\" files\n<ü>"}],"userResponse":"list \"all\" files\n<ü>"}}`, ""},
	{`{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_DONE",
		"metadata":{"createdAt":"2026-11-30T10:00:01Z","source":"CORTEX_STEP_SOURCE_MODEL","modelUsage":{"inputTokens":"9007199254740993","outputTokens":"7"}},
		"plannerResponse":{"response":"I look.","thinking":"hm","thinkingDuration":"6.049546898s",
			"toolCalls":[{"id":"a","name":"run_command","argumentsJson":"{\"CommandLine\":\"ls\"}"},{"id":"b","name":"view_file","argumentsJson":"{}"}]}}`, ""},
	{
		`{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_DONE",
		"metadata":{"createdAt":"2026-11-30T10:00:02Z","source":"CORTEX_STEP_SOURCE_MODEL","toolCall":{"id":"a","name":"run_command","argumentsJson":"{\"CommandLine\":\"ls\"}"}},
		"taskDetails":{"id":"task-1"},
		"generic":{"args":{"CommandLine":"ls","Cwd":"/w"},"result":{"result":"The command ran.","payload":{"@type":"type.googleapis.com/gemini_coder.Step",
			"type":"CORTEX_STEP_TYPE_RUN_COMMAND","status":"CORTEX_STEP_STATUS_RUNNING",
			"runCommand":{"commandLine":"ls","cwd":"/w","exitCode":0,"combinedOutput":{"full":"a\nb\n"}}}}}}`,
		`{"type":"CORTEX_STEP_TYPE_RUN_COMMAND","status":"CORTEX_STEP_STATUS_DONE",
		"metadata":{"createdAt":"2026-11-30T10:00:02Z","source":"CORTEX_STEP_SOURCE_MODEL","toolCall":{"id":"a","name":"run_command","argumentsJson":"{\"CommandLine\":\"ls\"}"}},
		"taskDetails":{"id":"task-1"},
		"runCommand":{"commandLine":"ls","cwd":"/w","exitCode":0,"combinedOutput":{"full":"a\nb\n"}}}`,
	},
	{
		`{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-11-30T10:00:03Z"},
		"generic":{"args":{"AbsolutePath":"/w/a"},"result":{"result":"text","payload":{"@type":"type.googleapis.com/gemini_coder.Step",
			"type":"CORTEX_STEP_TYPE_VIEW_FILE","viewFile":{"absolutePathUri":"file:///w/a","content":"one\ntwo","numLines":2}}}}}`,
		`{"type":"CORTEX_STEP_TYPE_VIEW_FILE","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-11-30T10:00:03Z"},
		"viewFile":{"absolutePathUri":"file:///w/a","content":"one\ntwo","numLines":2}}`,
	},
	{
		`{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_ERROR","metadata":{"createdAt":"2026-11-30T10:00:04Z"},
		"error":{"userErrorMessage":"no","shortError":"no such file"},
		"generic":{"args":{"Pattern":"*.go"},"result":{"payload":{"@type":"type.googleapis.com/gemini_coder.Step",
			"type":"CORTEX_STEP_TYPE_FIND","find":{"pattern":"*.go","searchDirectory":"/w","rawOutput":"a.go","totalResults":1}}}}}`,
		`{"type":"CORTEX_STEP_TYPE_FIND","status":"CORTEX_STEP_STATUS_ERROR","metadata":{"createdAt":"2026-11-30T10:00:04Z"},
		"error":{"userErrorMessage":"no","shortError":"no such file"},
		"find":{"pattern":"*.go","searchDirectory":"/w","rawOutput":"a.go","totalResults":1}}`,
	},
	{
		`{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-11-30T10:00:05Z"},
		"generic":{"args":{"TargetFile":"/w/a"},"result":{"payload":{"@type":"type.googleapis.com/gemini_coder.Step",
			"type":"CORTEX_STEP_TYPE_CODE_ACTION","codeAction":{"description":"say three","actionResult":{"edit":{"absoluteUri":"file:///w/a",
			"diff":{"unifiedDiff":{"lines":[{"text":"two","type":"UNIFIED_DIFF_LINE_TYPE_DELETE"},{"text":"three","type":"UNIFIED_DIFF_LINE_TYPE_INSERT"}]}}}}}}}}}`,
		`{"type":"CORTEX_STEP_TYPE_CODE_ACTION","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-11-30T10:00:05Z"},
		"codeAction":{"description":"say three","actionResult":{"edit":{"absoluteUri":"file:///w/a",
			"diff":{"unifiedDiff":{"lines":[{"text":"two","type":"UNIFIED_DIFF_LINE_TYPE_DELETE"},{"text":"three","type":"UNIFIED_DIFF_LINE_TYPE_INSERT"}]}}}}}}`,
	},
	{`{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-11-30T10:00:06Z"},
		"generic":{"args":{"b":"2","a":"1"},"result":{"result":"a tool nobody projects"}}}`, ""},
	{`{"type":"CORTEX_STEP_TYPE_USER_INPUT","status":"CORTEX_STEP_STATUS_DONE","userInput":{"userResponse":"stop"}}`, ""},
}

const (
	mixedMetadata = `{"createdAt":"2026-11-30T10:00:00Z","workspaceUris":["file:///w"],"projectId":"p"}`
	mixedCalls    = `[{"chatModel":{"responseModel":"m1","usage":{"inputTokens":"12"}}},{"chatModel":{"responseModel":"m2"}}]`
	mixedRuns     = `[{"executionId":"e"}]`
)

// whole writes a trajectory around steps.
func whole(steps []string) string {
	return `{"trajectoryId":"` + mixedTrajectory + `","cascadeId":"` + mixedID + `","trajectoryType":"CORTEX_TRAJECTORY_TYPE_CASCADE",` +
		`"source":"CORTEX_TRAJECTORY_SOURCE_CLI","steps":[` + strings.Join(steps, ",\n") + `],"metadata":` + mixedMetadata +
		`,"generatorMetadata":` + mixedCalls + `,"executorMetadatas":` + mixedRuns + `}`
}

func newMixed(t testing.TB) mixed {
	t.Helper()
	var payloads [][]byte
	var full, ordinary []string
	for _, step := range mixedSteps {
		payloads = append(payloads, build.Step(t, step[0]))
		full = append(full, step[0])
		if step[1] == "" {
			step[1] = step[0]
		}
		ordinary = append(ordinary, step[1])
	}
	c, err := build.NewConversation(mixedID, mixedTrajectory, payloads...)
	if err != nil {
		t.Fatal(err)
	}
	c.Metadata = build.MustEncode(t, "exa.cortex_pb.CortexTrajectoryMetadata", mixedMetadata)
	for _, list := range []struct {
		json, message string
		into          *[][]byte
	}{
		{mixedCalls, "exa.cortex_pb.CortexStepGeneratorMetadata", &c.Generations},
		{mixedRuns, "exa.cortex_pb.ExecutorMetadata", &c.Executors},
	} {
		var all []json.RawMessage
		if err := json.Unmarshal([]byte(list.json), &all); err != nil {
			t.Fatal(err)
		}
		for _, one := range all {
			*list.into = append(*list.into, build.MustEncode(t, list.message, string(one)))
		}
	}
	m := mixed{session: write(t, c), full: json.RawMessage(whole(full)), ordinary: json.RawMessage(whole(ordinary))}
	m.proto = assemble(t, m.session.Path)
	return m
}

func (m mixed) answer() daemon.Full { return daemon.Full{Proto: m.proto} }

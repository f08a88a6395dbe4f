package agytest_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"agy-reader/host/agytest"
	"agy-reader/host/demo/build"
	"agy-reader/sources/daemon"
)

// displayed are steps as they are stored and as an ordinary answer shows them, written by hand from behaviour.md e.3,
// format.md §1.5 and §5, news.md §3.2 and sidecar-shape.tsv; empty when it shows what is stored.
var displayed = []struct{ name, stored, shown string }{
	{
		name:   "a step that is no wrapper",
		stored: `{"type":"CORTEX_STEP_TYPE_USER_INPUT","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-09-14T08:00:00Z"},"userInput":{"userResponse":"go"}}`,
	},
	{
		name: "a wrapper with a file that was read: the outer metadata and status, the arguments and the text gone",
		stored: `{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_DONE",
			"metadata":{"createdAt":"2026-09-14T08:00:01.500Z","toolCall":{"id":"call_1","name":"view_file","argumentsJson":"{}"}},
			"generic":{"args":{"AbsolutePath":"/a"},"result":{"result":"text the model saw","fullOutputUri":"file:///o","stepRenderInfo":{"title":"Read a"},
			"payload":{"@type":"type.googleapis.com/gemini_coder.Step","type":"CORTEX_STEP_TYPE_VIEW_FILE","status":"CORTEX_STEP_STATUS_RUNNING",
			"metadata":{"createdAt":"2026-09-14T08:00:01.500Z","toolSummary":"only inside"},"viewFile":{"absolutePathUri":"file:///a","content":"aye\r\n"}}}}}`,
		shown: `{"type":"CORTEX_STEP_TYPE_VIEW_FILE","status":"CORTEX_STEP_STATUS_DONE",
			"metadata":{"createdAt":"2026-09-14T08:00:01.500Z","toolCall":{"id":"call_1","name":"view_file","argumentsJson":"{}"}},
			"viewFile":{"absolutePathUri":"file:///a","content":"aye\r\n"}}`,
	},
	{
		name: "a wrapper with a command that failed: error, permissions, task and interactions are those outside, else those inside",
		stored: `{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_ERROR","error":{"shortError":"outer"},"taskDetails":{"title":"outer task"},
			"generic":{"args":{"CommandLine":"ls"},"result":{"payload":{"@type":"type.googleapis.com/gemini_coder.Step","type":"CORTEX_STEP_TYPE_RUN_COMMAND",
			"status":"CORTEX_STEP_STATUS_RUNNING","error":{"shortError":"inner"},"metadata":{"createdAt":"2026-09-14T08:00:02Z"},
			"runCommand":{"commandLine":"ls","exitCode":2}}}}}`,
		shown: `{"type":"CORTEX_STEP_TYPE_RUN_COMMAND","status":"CORTEX_STEP_STATUS_ERROR","error":{"shortError":"outer"},"taskDetails":{"title":"outer task"},
			"metadata":{"createdAt":"2026-09-14T08:00:02Z"},"runCommand":{"commandLine":"ls","exitCode":2}}`,
	},
	{
		name: "a wrapper without a step inside",
		stored: `{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-09-14T08:00:03Z"},
			"generic":{"args":{"Id":"7"},"result":{"result":"done"}}}`,
	},
	{
		name: "a wrapper below a subtrajectory",
		stored: `{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_DONE","plannerResponse":{"response":"below"},"subtrajectory":{"trajectoryId":"t2","steps":[
			{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_DONE","generic":{"result":{"payload":{"@type":"type.googleapis.com/gemini_coder.Step",
			"type":"CORTEX_STEP_TYPE_LIST_DIRECTORY","listDirectory":{"directoryPathUri":"file:///d"}}}}}]}}`,
		shown: `{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_DONE","plannerResponse":{"response":"below"},"subtrajectory":{"trajectoryId":"t2","steps":[
			{"type":"CORTEX_STEP_TYPE_LIST_DIRECTORY","status":"CORTEX_STEP_STATUS_DONE","listDirectory":{"directoryPathUri":"file:///d"}}]}}`,
	},
}

// An ordinary answer shows wrappers as the facts say, the full one as they are stored; the pages say the same.
func TestDisplayByHand(t *testing.T) {
	t.Parallel()
	const id = "11111111-2222-4333-8444-555555555555"
	var payloads [][]byte
	for _, s := range displayed {
		payloads = append(payloads, build.Step(t, s.stored))
	}
	root := build.Family(t, build.Member{ID: id, Steps: payloads})
	d := agytest.Start(t, agytest.Options{Root: root, JSONOnly: true})
	c := client(t, d)
	for _, truncated := range []int{0, 3} {
		d.Set(t, agytest.Behaviour{Truncated: truncated, PageSize: 2})
		ordinary, err := daemon.Fetch(t.Context(), c, id, "")
		if err != nil || ordinary.Total != int64(len(displayed)) || ordinary.Short != nil {
			t.Fatalf("ordinary: %+v, %v", ordinary, err)
		}
		full, err := daemon.FetchFull(t.Context(), c, id, "")
		if err != nil || full.JSON == nil || full.Short != nil {
			t.Fatalf("full: %+v, %v", full, err)
		}
		for i, s := range displayed {
			if s.shown == "" {
				s.shown = s.stored
			}
			for form, got := range map[string]json.RawMessage{"ordinary": step(t, ordinary.Trajectory, i), "full": step(t, full.JSON, i)} {
				want := s.shown
				if form == "full" {
					want = s.stored
				}
				if !reflect.DeepEqual(parse(t, got), parse(t, json.RawMessage(want))) {
					t.Errorf("%s: %s answer\n%s\nwant\n%s", s.name, form, got, want)
				}
			}
		}
	}
}

// step is a step of a trajectory.
func step(t testing.TB, trajectory json.RawMessage, i int) json.RawMessage {
	t.Helper()
	var v struct{ Steps []json.RawMessage }
	if err := json.Unmarshal(trajectory, &v); err != nil || i >= len(v.Steps) {
		t.Fatalf("no step %d: %v", i, err)
	}
	return v.Steps[i]
}

func parse(t testing.TB, raw json.RawMessage) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return v
}

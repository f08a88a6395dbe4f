package antigravity_test

import (
	"encoding/hex"
	"io/fs"
	"path"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"agy-reader/proto/antigravity"
)

// Every name a profile.json mentions exists in its schema, every statement has its reason.
func TestManifestsAgreeWithTheirSchemas(t *testing.T) {
	t.Parallel()
	ranks := map[int]string{}
	for _, name := range profileNames(t) {
		d := loadProfile(t, name)
		m := d.manifest
		if m.Name != name || m.Title == "" || m.Product == "" || m.Versions == "" || m.SchemaSource == "" {
			t.Errorf("%s: name %q or a description is wrong or missing", name, m.Name)
		}
		if other, taken := ranks[m.Rank]; taken {
			t.Errorf("%s and %s share rank %d", name, other, m.Rank)
		}
		ranks[m.Rank] = name
		checkTables(t, d)
		for _, member := range m.Trajectory.Members {
			d.message(t, m.Trajectory.Message)
			if fieldAt(d.message(t, m.Trajectory.Message), member.Field) == nil {
				t.Errorf("%s: %s has no field %s", name, m.Trajectory.Message, member.Field)
			}
			if !hasColumn(d.table(member.Table), member.Column) {
				t.Errorf("%s: no column %s.%s", name, member.Table, member.Column)
			}
		}
		checkWrappers(t, d)
		for _, open := range m.OpenEnums {
			found, err := d.files.FindDescriptorByName(protoreflect.FullName(open.Enum))
			if _, isEnum := found.(protoreflect.EnumDescriptor); err != nil || !isEnum || open.Reason == "" {
				t.Errorf("%s: open enum %s: not in the schema, or without a reason", name, open.Enum)
			}
		}
		for _, reviewed := range m.Reviewed {
			if reviewed.Reason == "" || !jsonPathExists(d.message(t, "gemini_coder.Step"), reviewed.Path) {
				t.Errorf("%s: reviewed path %s leads nowhere, or has no reason", name, reviewed.Path)
			}
		}
	}
}

func checkTables(t *testing.T, d *decoder) {
	t.Helper()
	for _, table := range d.manifest.Tables {
		if !hasColumn(table, table.Key) {
			t.Errorf("table %s lacks its key %s", table.Name, table.Key)
		}
		for _, column := range table.Columns {
			if column.Message != "" {
				d.message(t, column.Message)
			}
			if column.CopyOf == "" {
				continue
			}
			field := fieldAt(d.message(t, "gemini_coder.Step"), column.CopyOf)
			if field == nil || column.Message != "" && string(field.Message().FullName()) != column.Message {
				t.Errorf("%s.%s does not repeat %s", table.Name, column.Name, column.CopyOf)
			}
		}
	}
}

func checkWrappers(t *testing.T, d *decoder) {
	t.Helper()
	for _, wrapper := range d.manifest.Wrappers {
		message := d.message(t, wrapper.Message)
		for _, payload := range wrapper.Payload {
			field := fieldAt(message, wrapper.Body+"."+payload)
			if field == nil || field.Message() == nil || field.Message().FullName() != "google.protobuf.Any" {
				t.Errorf("wrapper %s: %s is not an Any", wrapper.Message, payload)
			}
		}
		if !strings.HasSuffix(wrapper.TypeURL, "/"+wrapper.Message) {
			t.Errorf("wrapper %s: type URL %s", wrapper.Message, wrapper.TypeURL)
		}
		for _, outer := range wrapper.Outer {
			if fieldAt(message, outer) == nil {
				t.Errorf("wrapper %s has no field %s", wrapper.Message, outer)
			}
		}
	}
}

// Numbers a wrong schema would be most expensive at.
func TestFieldNumbers(t *testing.T) {
	t.Parallel()
	d := loadProfile(t, "agy-1.0.4")
	for _, test := range []struct {
		name, message, field string
		number               protoreflect.FieldNumber
		kind                 protoreflect.Kind
		presence             bool
	}{
		{"status", "gemini_coder.Step", "status", 4, protoreflect.EnumKind, false},
		{"subtrajectory", "gemini_coder.Step", "subtrajectory", 6, protoreflect.MessageKind, true},
		{"view file body", "gemini_coder.Step", "view_file", 14, protoreflect.MessageKind, true},
		{"error", "gemini_coder.Step", "error", 31, protoreflect.MessageKind, true},
		{"permissions", "gemini_coder.Step", "permissions", 133, protoreflect.MessageKind, true},
		{"wrapper", "gemini_coder.Step", "generic", 140, protoreflect.MessageKind, true},
		{"answers", "gemini_coder.Step", "completed_interactions", 147, protoreflect.MessageKind, false},
		{"ask question", "gemini_coder.Step", "ask_question", 154, protoreflect.MessageKind, true},
		{"conversation id", "gemini_coder.Trajectory", "cascade_id", 6, protoreflect.StringKind, false},
		{"task title", "gemini_coder.TaskDetails", "title", 7, protoreflect.StringKind, false},
		{"hook results", "exa.cortex_pb.CortexStepMetadata", "pre_tool_hook_results", 34, protoreflect.MessageKind, false},
		{"tool source", "exa.cortex_pb.CortexStepMetadata", "tool_source", 38, protoreflect.EnumKind, false},
		{"interrupting", "exa.cortex_pb.CortexStepMetadata", "is_interrupting_step", 33, protoreflect.BoolKind, true},
		{"retry wait", "exa.cortex_pb.RetryInfo", "wait_time", 7, protoreflect.MessageKind, true},
		{"exit code", "exa.cortex_pb.CortexStepRunCommand", "exit_code", 6, protoreflect.Int32Kind, true},
		{"command line", "exa.cortex_pb.CortexStepRunCommand", "command_line", 23, protoreflect.StringKind, false},
		{"shell", "exa.cortex_pb.CortexStepRunCommand", "shell_name", 31, protoreflect.StringKind, false},
		{"input exit code", "exa.cortex_pb.CortexStepSendCommandInput", "exit_code", 10, protoreflect.Int32Kind, true},
		{"status exit code", "exa.cortex_pb.CortexStepCommandStatus", "exit_code", 5, protoreflect.Int32Kind, true},
		{"status delta", "exa.cortex_pb.CortexStepCommandStatus", "delta", 12, protoreflect.StringKind, true},
		{"children", "exa.cortex_pb.ListDirectoryResult", "num_children", 3, protoreflect.Uint32Kind, true},
		{"cursor", "exa.cortex_pb.CortexStepListResources", "cursor", 2, protoreflect.StringKind, true},
		{"diff stats", "exa.cortex_pb.CortexStepCodeAction", "diff_stats", 28, protoreflect.MessageKind, true},
		{"sections", "exa.cortex_pb.CortexStepCheckpoint", "accumulated_sections", 26, protoreflect.MessageKind, false},
		{"payload", "exa.cortex_pb.GenericStepResult", "payload", 6, protoreflect.MessageKind, true},
		{"prefix", "exa.cortex_pb.StepRenderInfo", "title_prefix", 5, protoreflect.StringKind, false},
		{"subagent model", "exa.cortex_pb.SubagentSpec", "model", 7, protoreflect.EnumKind, false},
		{"deleted path", "exa.cortex_pb.ActionSpecDeleteFile", "path", 1, protoreflect.MessageKind, true},
		{"queued prompt", "exa.cortex_pb.AgentMessage", "step_payload", 9, protoreflect.BytesKind, true},
		{"tokens", "exa.codeium_common_pb.ModelUsageStats", "cache_read_tokens", 5, protoreflect.Uint64Kind, false},
		{"diff lines", "exa.diff_action_pb.UnifiedDiff", "lines", 3, protoreflect.MessageKind, false},
		{"last prompt", "exa.jetski_cortex_pb.CascadeTrajectorySummary", "last_user_input_step_index", 16, protoreflect.Uint32Kind, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			field := d.message(t, test.message).Fields().ByName(protoreflect.Name(test.field))
			if field == nil || field.Number() != test.number || field.Kind() != test.kind || field.HasPresence() != test.presence {
				t.Errorf("%s.%s is %v, want number %d, %v, presence %v", test.message, test.field, field, test.number, test.kind, test.presence)
			}
		})
	}
}

func TestModelPlaceholders(t *testing.T) {
	t.Parallel()
	d := loadProfile(t, "agy-1.0.4")
	found, err := d.files.FindDescriptorByName("exa.codeium_common_pb.Model")
	if err != nil {
		t.Fatal(err)
	}
	values := found.(protoreflect.EnumDescriptor).Values()
	for number, want := range map[protoreflect.EnumNumber]protoreflect.Name{
		1000: "MODEL_PLACEHOLDER_M0", 1318: "MODEL_PLACEHOLDER_M318", 1511: "MODEL_PLACEHOLDER_M511",
		312: "MODEL_GOOGLE_GEMINI_2_5_FLASH",
	} {
		if value := values.ByNumber(number); value == nil || value.Name() != want {
			t.Errorf("model %d is %v, want %s", number, value, want)
		}
	}
}

// The two hand-made vectors of the format notes.
func TestVectors(t *testing.T) {
	t.Parallel()
	d := loadProfile(t, "agy-1.0.4")
	for _, test := range []struct{ name, message, wire, json string }{
		{
			"trajectory", "gemini_coder.Trajectory",
			"0a03742d311225080e20032a0c0a080880f7c4d506100518049a0110120568656c6c6f1a070a0568656c6c6f1220080f2003a201190a0268693a130a026b311209766965775f66696c651a027b7d20043203632d314011",
			`{"trajectoryId":"t-1","cascadeId":"c-1","trajectoryType":"CORTEX_TRAJECTORY_TYPE_CASCADE","source":"CORTEX_TRAJECTORY_SOURCE_CLI",
			"steps":[{"type":"CORTEX_STEP_TYPE_USER_INPUT","status":"CORTEX_STEP_STATUS_DONE",
			"metadata":{"createdAt":"2026-09-21T14:13:20.000000005Z","source":"CORTEX_STEP_SOURCE_USER_EXPLICIT"},
			"userInput":{"userResponse":"hello","items":[{"text":"hello"}]}},
			{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_DONE",
			"plannerResponse":{"response":"hi","toolCalls":[{"id":"k1","name":"view_file","argumentsJson":"{}"}]}}]}`,
		},
		{
			"wrapper", "gemini_coder.Step",
			"0884012003e208580a120a0c4162736f6c7574655061746812022f6112420a0474657874323a0a25747970652e676f6f676c65617069732e636f6d2f67656d696e695f636f6465722e53746570121108082003720b0a0966696c653a2f2f2f61",
			`{"type":"CORTEX_STEP_TYPE_GENERIC","status":"CORTEX_STEP_STATUS_DONE","generic":{"args":{"AbsolutePath":"/a"},
			"result":{"result":"text","payload":{"@type":"type.googleapis.com/gemini_coder.Step",
			"type":"CORTEX_STEP_TYPE_VIEW_FILE","status":"CORTEX_STEP_STATUS_DONE","viewFile":{"absolutePathUri":"file:///a"}}}}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wire, err := hex.DecodeString(test.wire)
			if err != nil {
				t.Fatal(err)
			}
			got := dynamicpb.NewMessage(d.message(t, test.message))
			if err := proto.Unmarshal(wire, got); err != nil {
				t.Fatal(err)
			}
			want := dynamicpb.NewMessage(d.message(t, test.message))
			read := protojson.UnmarshalOptions{Resolver: dynamicpb.NewTypes(d.files)}
			if err := read.Unmarshal([]byte(test.json), want); err != nil {
				t.Fatal(err)
			}
			if !proto.Equal(want, got) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func profileNames(t *testing.T) []string {
	t.Helper()
	found, err := fs.Glob(antigravity.Profiles(), "*/profile.json")
	if err != nil || len(found) == 0 {
		t.Fatalf("profiles: %v, %v", found, err)
	}
	for i, file := range found {
		found[i] = path.Dir(file)
	}
	return found
}

func hasColumn(table antigravity.Table, name string) bool {
	for _, column := range table.Columns {
		if column.Name == name {
			return true
		}
	}
	return false
}

// fieldAt follows a dotted path of proto field names.
func fieldAt(message protoreflect.MessageDescriptor, dotted string) protoreflect.FieldDescriptor {
	name, rest, deeper := strings.Cut(dotted, ".")
	field := message.Fields().ByName(protoreflect.Name(name))
	if field == nil || !deeper {
		return field
	}
	return fieldAt(field.Message(), rest)
}

// jsonPathExists follows a path of JSON names in which repeated fields are written with `[]`.
func jsonPathExists(message protoreflect.MessageDescriptor, dotted string) bool {
	name, rest, deeper := strings.Cut(dotted, ".")
	name, list := strings.CutSuffix(name, "[]")
	field := message.Fields().ByJSONName(name)
	if field == nil || deeper && field.IsList() != list {
		return false
	}
	return !deeper || field.Message() != nil && jsonPathExists(field.Message(), rest)
}

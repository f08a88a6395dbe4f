package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/host/cli"
	"agy-reader/host/demo/build"
)

// appended is a message with one field more, which nobody knows.
func appended(message []byte, number protowire.Number, value string) []byte {
	return protowire.AppendString(protowire.AppendTag(bytes.Clone(message), number, protowire.BytesType), value)
}

// strange makes a conversation that holds an unknown field in a step, below a step, in a step inside a step, in what is
// said of the conversation and in the record of a model call.
func strange(t *testing.T) build.Conversation {
	t.Helper()
	encode := func(message, text string) []byte {
		raw, err := build.Encode(message, text)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	prompt := appended(encode(build.StepMessage, `{"type": 14, "status": 3, "userInput": {"userResponse": "Hello"}}`), 5001, "in the step")
	answer := encode(build.StepMessage, `{"type": 15, "status": 3, "metadata": {"executionId": "e"}}`)
	body := appended(encode("exa.cortex_pb.CortexStepPlannerResponse", `{"response": "Hello."}`), 5002, "below the step")
	answer = appended(answer, 20, string(body))
	inner := appended(nil, 2, string(appended(encode(build.StepMessage, `{"type": 14, "status": 3, "userInput": {"userResponse": "Inside"}}`), 5003, "in a nested step")))
	outer := appended(encode(build.StepMessage, `{"type": 85, "status": 3, "browserSubagent": {"task": "look"}}`), 6, string(inner))
	c, err := build.NewConversation("c1ea0000-0000-4000-8000-000000000005", "c1ea0000-0000-4000-8000-000000000006", prompt, answer, outer)
	if err != nil {
		t.Fatal(err)
	}
	c.Metadata = appended(nil, 5004, "in what is said of the conversation")
	c.Generations = [][]byte{appended(encode("exa.cortex_pb.CortexStepGeneratorMetadata", `{"executionId": "e"}`), 5005, "in a record")}
	return c
}

// encrypted is the same conversation as an encrypted file.
func encrypted(t *testing.T, c build.Conversation) []byte {
	t.Helper()
	plain := appended(appended(nil, 1, c.TrajectoryID), 6, c.CascadeID)
	for _, step := range c.Steps {
		plain = appended(plain, 2, string(step.Payload))
	}
	for _, call := range c.Generations {
		plain = appended(plain, 3, string(call))
	}
	plain = appended(plain, 7, string(c.Metadata))
	plain = protowire.AppendVarint(protowire.AppendTag(plain, 4, protowire.VarintType), uint64(c.TrajectoryType))
	plain = protowire.AppendVarint(protowire.AppendTag(plain, 8, protowire.VarintType), uint64(c.Source))
	return build.Seal(t, plain)
}

// keptField is a field that JSON keeps although the profile does not know it.
type keptField struct {
	Location string `json:"location"`
	Number   int    `json:"number"`
	WireType int    `json:"wireType"`
	SHA256   string `json:"sha256"`
	Base64   []byte `json:"base64"`
}

// Unknown bytes survive in JSON wherever they stand, and strictness means the same, whatever the storage form.
func TestUnknownIsTheSameForEveryStorage(t *testing.T) {
	t.Parallel()
	c := strange(t)
	dir := t.TempDir()
	files := map[string]string{"db": filepath.Join(dir, "s.db"), "pb": filepath.Join(dir, "t.pb")}
	if err := build.Database(files["db"], c); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files["pb"], encrypted(t, c), 0o600); err != nil {
		t.Fatal(err)
	}
	kept := map[string][]keptField{}
	for form, file := range files {
		code, _, problem := cli.Command(t, "convert", "--to", "json,markdown", "--unknown", "fail", "--out", filepath.Join(dir, form+"-fail")+"/", file)
		if code != 6 || !strings.Contains(problem, "500") {
			t.Errorf("%s, fail: exit code %d, %s; want 6 and the field", form, code, problem)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, form+"-fail", "*")); len(left) > 0 {
			t.Errorf("%s, fail: %v was written", form, left)
		}
		out := filepath.Join(dir, form)
		if code, _, problem := cli.Command(t, "convert", "--to", "json,markdown", "--out", out+"/", file); code != 4 {
			t.Errorf("%s, mark: exit code %d, %s; want 4", form, code, problem)
		}
		kept[form] = unknownFields(t, out)
		document, err := os.ReadFile(filepath.Join(out, c.CascadeID+".md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"field 5001", "field 5002", "field 5003", "field 5004", "field 5005"} {
			if !strings.Contains(string(document), field) {
				t.Errorf("%s: the document does not name %s", form, field)
			}
		}
	}
	if diff := cmp.Diff(kept["db"], kept["pb"]); diff != "" {
		t.Errorf("kept from the encrypted file (-database +encrypted file):\n%s", diff)
	}
	want := map[int]string{
		5001: "in the step", 5002: "below the step", 5003: "in a nested step", 5004: "in what is said of the conversation", 5005: "in a record",
	}
	got := map[int]string{}
	for _, f := range kept["db"] {
		got[f.Number] = string(f.Base64)
		if f.WireType != 2 || len(f.SHA256) != 64 {
			t.Errorf("field %d: wire type %d, hash %q", f.Number, f.WireType, f.SHA256)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
}

func unknownFields(t *testing.T, dir string) []keptField {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		AgyReader struct {
			Offline struct {
				UnknownFields []keptField `json:"unknownFields"`
			} `json:"offline"`
		} `json:"agyReader"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return document.AgyReader.Offline.UnknownFields
}

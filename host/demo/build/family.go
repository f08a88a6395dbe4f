package build

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Member is one small conversation of a family of conversations.
type Member struct {
	ID string
	// Parent is the parent_conversation_id in the member's own record; empty leaves it out.
	Parent string
	// Steps are step payloads; see Prompt, Answer, Invoke and Message.
	Steps [][]byte
	// Generations are rows of gen_metadata.
	Generations [][]byte
}

// Family writes the members as databases of a store and returns its root.
func Family(t testing.TB, members ...Member) (root string) {
	t.Helper()
	root = t.TempDir()
	AddFamily(t, root, members...)
	return root
}

// AddFamily writes more members into a store.
func AddFamily(t testing.TB, root string, members ...Member) {
	t.Helper()
	dir := filepath.Join(root, "conversations")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		c, err := NewConversation(m.ID, "trajectory-of-"+m.ID, m.Steps...)
		if err != nil {
			t.Fatal(err)
		}
		c.Generations = m.Generations
		about := map[string]any{"createdAt": "2026-09-14T08:00:00Z", "rootConversationId": m.ID}
		if m.Parent != "" {
			about["parentConversationId"] = m.Parent
		}
		c.Metadata = MustEncode(t, "exa.cortex_pb.CortexTrajectoryMetadata", text(t, about))
		if err := Database(filepath.Join(dir, m.ID+".db"), c); err != nil {
			t.Fatal(err)
		}
	}
}

// SubagentFile writes what a parent keeps of a subagent: `brain/<parent>/.system_generated/subagents/<child>.json`.
func SubagentFile(t testing.TB, root, parent, child, content string) {
	t.Helper()
	dir := filepath.Join(root, "brain", parent, ".system_generated", "subagents")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, child+".json"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Prompt is what a person said.
func Prompt(t testing.TB, words string) []byte {
	t.Helper()
	return step(t, "USER_INPUT", "DONE", nil, map[string]any{"userInput": map[string]any{"userResponse": words}})
}

// Answer is what the model said, with the usage of its call as protobuf JSON, which may be empty.
func Answer(t testing.TB, words, usage string) []byte {
	t.Helper()
	var metadata map[string]any
	if usage != "" {
		metadata = map[string]any{"modelUsage": json.RawMessage(usage)}
	}
	return step(t, "PLANNER_RESPONSE", "DONE", metadata, map[string]any{"plannerResponse": map[string]any{"response": words}})
}

// Invoke is a call that started subagents; one without any failed.
func Invoke(t testing.TB, callID string, children ...string) []byte {
	t.Helper()
	var specs, results []any
	for i, id := range children {
		specs = append(specs, map[string]any{"typeName": fmt.Sprintf("helper %d", i+1), "initialPrompt": "Help."})
		results = append(results, map[string]any{"conversationId": id})
	}
	status := "DONE"
	if len(children) == 0 {
		status = "ERROR"
		specs = []any{map[string]any{"typeName": "helper", "initialPrompt": "Help."}}
	}
	metadata := map[string]any{"toolCall": map[string]any{"id": callID, "name": "invoke_subagent", "argumentsJson": "{}"}}
	return step(t, "INVOKE_SUBAGENT", status, metadata, map[string]any{"invokeSubagent": map[string]any{"subagents": specs, "results": results}})
}

// Message is what another agent sent.
func Message(t testing.TB, sender, recipient, words string) []byte {
	t.Helper()
	return step(t, "SYSTEM_MESSAGE", "DONE", nil, map[string]any{"systemMessage": map[string]any{
		"message": words, "agentMessage": map[string]any{"id": "m-" + sender, "sender": sender, "recipient": recipient, "content": words},
	}})
}

func step(t testing.TB, kind, status string, metadata, body map[string]any) []byte {
	t.Helper()
	about := map[string]any{"createdAt": "2026-09-14T08:00:00Z", "source": "CORTEX_STEP_SOURCE_MODEL"}
	for k, v := range metadata {
		about[k] = v
	}
	body["type"], body["status"], body["metadata"] = "CORTEX_STEP_TYPE_"+kind, "CORTEX_STEP_STATUS_"+status, about
	return Step(t, text(t, body))
}

func text(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(raw))
}

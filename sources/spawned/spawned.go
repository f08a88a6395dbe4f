// Package spawned reads the record that the product keeps of a subagent in the folder of the conversation that started it:
// `.system_generated/subagents/<child>.json`.
package spawned

import (
	"encoding/json"
	"strings"
)

// Record is what such a file says.
type Record struct {
	// ID is the child's conversation, the name of the file.
	ID string
	// Step is the index of the step that started it, nil when that is not recorded.
	Step *uint32
}

// Parse reads a record; name is that of its file without `.json`, the child's id even when the content is of no use. problem
// says what could not be used; the ID is empty when the file is about another conversation than its name says.
func Parse(data []byte, name string) (r Record, problem string) {
	r.ID = name
	var content struct {
		ConversationID string       `json:"conversationId"`
		SpawnStepIndex *json.Number `json:"spawnStepIndex"`
	}
	if err := json.Unmarshal(data, &content); err != nil {
		return r, "it is no JSON object of the known form"
	}
	if n := content.SpawnStepIndex; n != nil {
		if i, err := n.Int64(); err == nil && i >= 0 && i < 1<<32-1 {
			r.Step = new(uint32(i))
		}
	}
	if named := content.ConversationID; named != "" && !strings.EqualFold(named, name) {
		return Record{}, "it names another conversation than its file name does"
	}
	return r, ""
}

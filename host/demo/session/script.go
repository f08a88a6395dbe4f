// Package session is the demo conversation as code: a small fictional coding task, told so that every kind of content
// that agy-reader shows occurs in it, texts that try to break out of their place included. Ids and times are fixed: the
// same code gives the same conversation for ever.
package session

import (
	"encoding/json"
	"fmt"
	"time"

	"agy-reader/host/demo/build"
)

// obj is one JSON object of the product's protobuf JSON.
type obj = map[string]any

const (
	cascadeID    = "d3300000-0000-4000-8000-00000000d330"
	trajectoryID = "d3300000-0000-4000-8000-0000000007a1"
	workspace    = "file:///home/pilot/tidebell"
	brain        = "file:///home/pilot/.gemini/antigravity-cli/brain/" + cascadeID
)

// script collects the steps of one trajectory and the model calls behind them.
type script struct {
	trajectory  string
	clock       time.Time
	steps       []obj
	generations []obj
	turns       []obj
	turn        int
	calls       int
	unknown     int
}

func newScript(trajectory string, start time.Time) *script {
	return &script{trajectory: trajectory, clock: start}
}

// call is a tool call that a later step answers.
type call struct {
	id, name string
	args     obj
	summary  string
	action   string
}

// call makes a tool call with the next id.
func (s *script) call(name, action string, args obj) call {
	s.calls++
	return call{id: fmt.Sprintf("call_%02d", s.calls), name: name, args: args, action: action, summary: action}
}

func (c call) json() obj {
	arguments, err := json.Marshal(c.args)
	if err != nil {
		panic(err) // the arguments are literals of this package
	}
	return obj{"id": c.id, "name": c.name, "argumentsJson": string(arguments)}
}

// tick moves the clock and returns the new time.
func (s *script) tick(d time.Duration) string {
	s.clock = s.clock.Add(d)
	return s.clock.Format(time.RFC3339Nano)
}

// add appends a step. The metadata in body adds to what every step has.
func (s *script) add(kind, status, source string, body obj) obj {
	created := s.tick(1250 * time.Millisecond)
	metadata := obj{
		"createdAt":   created,
		"source":      "CORTEX_STEP_SOURCE_" + source,
		"executionId": fmt.Sprintf("turn-%d", s.turn),
		"sourceTrajectoryStepInfo": obj{
			"trajectoryId": s.trajectory, "stepIndex": len(s.steps), "cascadeId": cascadeID,
			"metadataIndex": max(len(s.generations)-1, 0),
		},
		"internalMetadata": obj{"statusTransitions": []obj{{"updatedStatus": "CORTEX_STEP_STATUS_" + status, "timestamp": created}}},
	}
	for name, value := range take(body, "metadata") {
		metadata[name] = value
	}
	step := obj{"type": "CORTEX_STEP_TYPE_" + kind, "status": "CORTEX_STEP_STATUS_" + status, "metadata": metadata}
	for name, value := range body {
		step[name] = value
	}
	s.steps = append(s.steps, step)
	return step
}

// tool appends the step that answers c.
func (s *script) tool(c call, kind, status string, body obj) obj {
	metadata := obj{"toolCall": c.json(), "toolAction": c.action, "toolSummary": c.summary, "toolSource": 1}
	started := s.tick(400 * time.Millisecond)
	if status != "RUNNING" && status != "CLEARED" {
		metadata["startedAt"] = started
		metadata["completedAt"] = s.tick(1850 * time.Millisecond)
	}
	for name, value := range take(body, "metadata") {
		metadata[name] = value
	}
	body["metadata"] = metadata
	return s.add(kind, status, "MODEL", body)
}

// take removes an object member and returns it; absent reads as empty.
func take(from obj, name string) obj {
	member, _ := from[name].(obj)
	delete(from, name)
	return member
}

// payloads encodes the steps.
func (s *script) payloads() ([][]byte, error) { return encodeAll(build.StepMessage, s.steps) }

func encodeAll(message string, objects []obj) ([][]byte, error) {
	var all [][]byte
	for i, object := range objects {
		text, err := json.Marshal(object)
		if err != nil {
			return nil, fmt.Errorf("%s %d: %w", message, i, err)
		}
		raw, err := build.Encode(message, string(text))
		if err != nil {
			return nil, fmt.Errorf("%s %d: %w", message, i, err)
		}
		all = append(all, raw)
	}
	return all, nil
}

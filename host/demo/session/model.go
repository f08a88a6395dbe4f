package session

import (
	"fmt"
	"strconv"
	"time"
)

// Placeholder enum values stand for the models; their names for people are in the generator metadata.
const (
	chatModel  = "MODEL_PLACEHOLDER_M320"
	titleModel = "MODEL_PLACEHOLDER_M50"
)

// answer appends a planner step and the model call that made it.
func (s *script) answer(thinking, response string, calls ...call) {
	number := len(s.generations)
	usage := s.usage(number, len(thinking), len(response))
	body := obj{
		"messageId":  fmt.Sprintf("bot-%04d", number),
		"response":   response,
		"stopReason": "STOP_REASON_STOP_PATTERN",
	}
	if response != "" {
		body["modifiedResponse"] = response
	}
	if thinking != "" {
		body["thinking"] = thinking
		body["thinkingDuration"] = fmt.Sprintf("%d.%03ds", 2+number%4, 125*(number%8))
		body["thinkingSignature"] = "b3BhcXVlIHNpZ25hdHVyZSBvZiBhIGZpY3Rpb25hbCBwcm92aWRlcg=="
	}
	var planned []obj
	for _, c := range calls {
		planned = append(planned, c.json())
	}
	if len(planned) > 0 {
		body["toolCalls"] = planned
		body["stopReason"] = "STOP_REASON_FUNCTION_CALL"
	}
	s.tick(3 * time.Second)
	index := len(s.steps)
	s.generations = append(s.generations, obj{
		"stepIndices": []int{index},
		"executionId": fmt.Sprintf("turn-%d", s.turn),
		"chatModel": obj{
			"model": chatModel, "usage": usage, "responseModel": "harbour-2-large", "modelDisplayName": "Harbour 2 (High)",
			"timeToFirstToken": "0.840s", "streamingDuration": "2.160s",
			"chatStartMetadata": obj{"startStepIndex": index, "checkpointIndex": -1, "contextWindowMetadata": obj{
				"estimatedTokensUsed": 5200 + 310*number, "contextWindowSize": 256000,
			}},
		},
	})
	s.add("PLANNER_RESPONSE", "DONE", "MODEL", obj{
		"plannerResponse": body,
		"metadata": obj{
			"modelUsage": usage, "generatorModel": chatModel, "completedAt": s.clock.Add(time.Second).Format(time.RFC3339Nano),
		},
	})
}

func (s *script) usage(number, thinking, response int) obj {
	think, say := thinking/4+12, response/4+20
	return obj{
		"model": chatModel, "apiProvider": "API_PROVIDER_GOOGLE_GEMINI",
		"inputTokens": strconv.Itoa(900 + 37*number), "cacheReadTokens": strconv.Itoa(4300 + 290*number),
		"outputTokens": strconv.Itoa(think + say), "thinkingOutputTokens": strconv.Itoa(think), "responseOutputTokens": strconv.Itoa(say),
		"responseId": fmt.Sprintf("%s-response-%02d", s.trajectory[len(s.trajectory)-3:], number),
	}
}

// begin starts a turn.
func (s *script) begin() { s.turn++ }

// end ends a turn.
func (s *script) end(reason string) {
	s.turns = append(s.turns, obj{
		"terminationReason": "EXECUTOR_TERMINATION_REASON_" + reason, "lastStepIdx": len(s.steps) - 1,
		"numGeneratorInvocations": len(s.generations), "executionId": fmt.Sprintf("turn-%d", s.turn),
		"cascadeConfig": obj{"plannerConfig": obj{"modelName": "harbour-2-large-high", "requestedModel": obj{"model": chatModel}}},
	})
}

// fillNewestGeneration gives the last model call what the product keeps of the newest call only.
func (s *script) fillNewestGeneration() {
	chat := s.generations[len(s.generations)-1]["chatModel"].(obj)
	chat["systemPrompt"] = "You are a careful pair programmer in the tidebell workspace.\nPrefer small changes and run the tests."
	chat["messagePrompts"] = []obj{
		{"messageId": "m-1", "source": "CHAT_MESSAGE_SOURCE_USER", "prompt": firstPrompt, "numTokens": 74, "stepIdx": 0},
		{"messageId": "m-2", "source": "CHAT_MESSAGE_SOURCE_TOOL", "prompt": "README.md …", "toolCallId": "call_02", "stepIdx": 6},
	}
	chat["tools"] = []obj{
		{"name": "run_command", "description": "Runs a shell command.", "jsonSchemaString": `{"type":"object","properties":{"CommandLine":{"type":"string"}}}`},
		{"name": "view_file", "description": "Shows a file.", "jsonSchemaString": `{"type":"object","properties":{"AbsolutePath":{"type":"string"}}}`},
	}
	chat["labels20"] = obj{"last_step_index": strconv.Itoa(len(s.steps) - 1), "model_enum": chatModel}
}

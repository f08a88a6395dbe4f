package session

import (
	"encoding/json"
	"time"

	"agy-reader/host/demo/build"
)

// UnknownField is the number of the field in the demo's TOOL_SEARCH step that no profile declares, UnknownText its bytes.
const (
	UnknownField = 158
	UnknownText  = "a body that no public schema describes"
)

// Conversation returns the demo conversation.
func Conversation() (build.Conversation, error) {
	s := newScript(trajectoryID, time.Date(2026, time.September, 14, 8, 0, 0, 0, time.UTC))
	s.opening()
	s.look()
	s.work()
	s.hostile()
	s.background()
	s.research()
	s.people()
	s.compaction()
	s.odds()
	s.finish()
	s.fillNewestGeneration()
	return s.conversation()
}

func (s *script) conversation() (build.Conversation, error) {
	payloads, err := s.payloads()
	if err != nil {
		return build.Conversation{}, err
	}
	payloads[s.unknown] = build.AppendUnknown(payloads[s.unknown], UnknownField, []byte(UnknownText))
	c, err := build.NewConversation(cascadeID, s.trajectory, payloads...)
	if err != nil {
		return build.Conversation{}, err
	}
	for _, section := range []struct {
		message string
		objects []obj
		into    *[][]byte
	}{
		{"exa.cortex_pb.CortexStepGeneratorMetadata", s.generations, &c.Generations},
		{"exa.cortex_pb.ExecutorMetadata", s.turns, &c.Executors},
		{"exa.cortex_pb.CortexTrajectoryReference", references, &c.References},
	} {
		if *section.into, err = encodeAll(section.message, section.objects); err != nil {
			return build.Conversation{}, err
		}
	}
	text, err := json.Marshal(metadata)
	if err != nil {
		return build.Conversation{}, err
	}
	c.Metadata, err = build.Encode("exa.cortex_pb.CortexTrajectoryMetadata", string(text))
	return c, err
}

// The conversation was rewound once, before its first answer.
var references = []obj{{
	"trajectoryId": "d3300000-0000-4000-8000-0000000007a0", "stepIndex": 4, "trajectoryType": "CORTEX_TRAJECTORY_TYPE_CASCADE",
	"stepType": "CORTEX_STEP_TYPE_PLANNER_RESPONSE", "referenceType": "CORTEX_TRAJECTORY_REFERENCE_TYPE_PRUNE", "conversationId": cascadeID,
}}

var metadata = obj{
	"createdAt": "2026-09-14T08:00:00Z", "rootConversationId": cascadeID, "projectId": "default-cli-project",
	"workspaceUris": []string{workspace}, "initializationStateId": "init-1",
	"workspaces": []obj{{
		"workspaceFolderAbsoluteUri": workspace, "gitRootAbsoluteUri": workspace, "branchName": "next-flag",
		"repository": obj{"computedName": "harbour/tidebell", "gitOriginUrl": "https://git.example/harbour/tidebell.git"},
	}},
}

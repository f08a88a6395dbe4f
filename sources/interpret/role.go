package interpret

import doc "agy-reader/proto/agyreader/transcript/v1"

// role says who speaks in a step. The stored source alone does not: tool results carry MODEL like the model's own words.
func role(kind, source string, answersCall bool) doc.Role {
	switch kind {
	case "USER_INPUT":
		return doc.Role_ROLE_USER
	case "PLANNER_RESPONSE":
		return doc.Role_ROLE_ASSISTANT
	case "ERROR_MESSAGE", "CHECKPOINT", "SYSTEM_MESSAGE", "EPHEMERAL_MESSAGE", "CONVERSATION_HISTORY",
		"KNOWLEDGE_ARTIFACTS", "KNOWLEDGE_GENERATION", "KI_INSERTION", "DIRECTORY_RULES", "SUGGESTED_RESPONSES":
		return doc.Role_ROLE_SYSTEM
	}
	if answersCall {
		return doc.Role_ROLE_TOOL
	}
	switch source {
	case "USER_EXPLICIT", "USER_IMPLICIT":
		return doc.Role_ROLE_USER
	case "SYSTEM", "SYSTEM_SDK":
		return doc.Role_ROLE_SYSTEM
	}
	return doc.Role_ROLE_TOOL
}

package session

const finalAnswer = "Done. `tidebell --next` prints the next high tide, and says *tomorrow* when the day is over.\n\n" +
	"| File | Change |\n| --- | --- |\n| `tide.go` | `Next` and the flag |\n| `next_test.go` | three cases |\n| `names.go` | names are quoted |\n\n" +
	"Try it:\n\n````sh\n$ tidebell --next\n12:31  3.1 m\n$ tidebell --help | grep '```'\n````\n\n" +
	"1. The reviewer's remark is now a comment.\n2. The names in `testdata/names.tbl` print as `%q`.\n   - `<script>` stays text\n   - so do right-to-left names\n\n" +
	"> One thing is open: the README still lacks the flag, my edit did not find its line.\n"

const sessionSummary = "The user asked for `--next`; it is written and tested. Names are quoted. Open: one line in the README."

// compaction is what happens when the conversation becomes long: two checkpoints and a step whose body is gone.
func (s *script) compaction() {
	s.add("CHECKPOINT", "DONE", "SYSTEM", obj{
		"checkpoint": obj{
			"checkpointIndex": 1, "includedStepIndexStart": 1, "includedStepIndexEnd": len(s.steps) - 1, "conversationTitle": "Next High Tide Flag",
			"userIntent": "Add --next to tidebell and keep strange names harmless.", "sessionSummary": sessionSummary,
			"codeChangeSummary": "tide.go: Next, flag. names.go: quoting.", "memorySummary": "Table tests, small functions.",
			"userRequests": []string{firstPrompt, secondPrompt},
			"artifactSnapshots": []obj{{
				"artifactName": "task.md", "content": "# Tasks\n\n- [x] flag\n- [ ] README\n", "artifactAbsoluteUri": brain + "/task.md",
				"artifactMetadata": obj{"artifactType": "ARTIFACT_TYPE_TASK", "summary": "What is left to do", "version": "2"},
			}},
			"trajectoryFileDiffs":    []obj{{"uri": workspace + "/notes.txt", "originalContent": "tide\n", "modifiedContent": "tide\nbell\n", "hasModelEdited": true}},
			"runningTaskSnapshots":   []obj{{"taskId": "task-1", "toolName": "run_command", "toolSummary": "Bell server", "description": "go run . --serve :8080", "stepIndex": 30}},
			"subagentSnapshots":      []obj{{"spec": obj{"typeName": "writer", "role": "Writes the manual"}, "result": obj{"conversationId": "d3300000-0000-4000-8000-00000000d332"}}},
			"editedFileMap":          obj{workspace + "/notes.txt": obj{"diffs": []obj{{"unifiedDiff": obj{"lines": []obj{{"text": "bell", "type": "UNIFIED_DIFF_LINE_TYPE_INSERT"}}}}}}},
			"conversationLogUris":    []string{brain + "/.system_generated/logs/transcript.jsonl"},
			"renderLatestCheckpoint": true, "renderUserMessageStepIndex": "20",
			"accumulatedSections": []obj{{"key": "active_goal", "title": "Goal"}},
		},
		"metadata": obj{"modelUsage": obj{"model": titleModel, "inputTokens": "6120", "outputTokens": "310", "responseOutputTokens": "310", "responseId": "checkpoint-1"}},
	})
	s.add("CHECKPOINT", "DONE", "SYSTEM", obj{
		"checkpoint": obj{
			"checkpointIndex": 2, "intentOnly": true, "modelSummarizationFailed": true, "usedFallbackSummary": true,
			"sessionSummary": "{\"step_index\":0,\"type\":\"USER_INPUT\",\"content\":\"these are raw log lines, never a summary\"}\n",
		},
		"metadata": obj{"retryInfos": []obj{{"error": "model overloaded", "retryReason": "RETRY_REASON_API_RETRYABLE"}}},
	})
	gone := s.call("view_file", "Reading an old note", obj{"AbsolutePath": "/home/pilot/tidebell/notes.txt"})
	s.answer("", "", gone)
	s.tool(gone, "VIEW_FILE", "CLEARED", obj{})
	s.add("ERROR_MESSAGE", "DONE", "SYSTEM", obj{"errorMessage": obj{
		"shouldShowUser": true,
		"error": obj{
			"userErrorMessage": "The model provider could not be reached. Please try again.", "shortError": "request failed: lookup models.example: no such host",
			"fullError": "request failed: Post \"https://models.example/v1:stream\": dial tcp: lookup models.example: no such host\n  at step 41\n  after 3 attempts",
			"errorCode": 503, "errorId": "err-0001", "details": "{\"error\":{\"code\":503,\"status\":\"UNAVAILABLE\"}}",
			"rpcErrorDetails":      []string{"{\"@type\":\"RetryInfo\",\"retryDelay\":\"4s\"}"},
			"structuredErrorParts": []obj{{"text": "See "}, {"url": "https://status.example/"}},
		},
	}})
	s.end("ERROR")
}

// odds is one step of kinds that occur rarely, and of a kind this program knows nothing about.
func (s *script) odds() {
	s.begin()
	s.add("USER_INPUT", "DONE", "USER_EXPLICIT", obj{"userInput": obj{
		"isQueuedMessage": true, "tags": []string{"from-phone"},
		"media": []obj{{"mimeType": "image/png", "description": "The pier by night", "uri": brain + "/media__1789378200000.png"}},
	}})
	s.add("TASK_BOUNDARY", "DONE", "MODEL", obj{"taskBoundary": obj{
		"taskName": "Finish the flag", "taskStatus": "Writing the manual page", "taskSummary": "Flag and test are **done**.", "mode": "AGENT_MODE_EXECUTION",
	}})
	move := s.call("move_file", "Moving the notes", obj{"Source": "notes.txt", "Target": "docs/notes.txt"})
	s.answer("", "", move)
	s.tool(move, "MOVE", "DONE", obj{"move": obj{"srcAbsolutePathUri": workspace + "/notes.txt", "dstAbsolutePathUri": workspace + "/docs/notes.txt"}})
	drop := s.call("delete_file", "Deleting the old table", obj{"TargetFile": "/home/pilot/tidebell/testdata/old.tbl"})
	s.answer("", "", drop)
	s.tool(drop, "CODE_ACTION", "DONE", deleted("testdata/old.tbl", "\n-06:10 low 0.5\n-12:29 high 3.0\n"))
	remember := s.call("create_memory", "Remembering the house rules", obj{"Title": "House rules"})
	s.answer("", "", remember)
	s.tool(remember, "MEMORY", "DONE", obj{"memory": obj{
		"memoryId": "mem-1", "action": "MEMORY_ACTION_TYPE_CREATE",
		"memory": obj{"memoryId": "mem-1", "title": "House rules", "textMemory": obj{"content": "Small functions, table tests, names quoted."}, "scope": obj{"projectScope": obj{"filePath": "AGENTS.md"}}},
	}})
	agency := s.call("tide_office", "Asking over the agent protocol", obj{"harbour": "Port Calm"})
	s.answer("", "", agency)
	s.tool(agency, "AGENCY_TOOL_CALL", "DONE", obj{"agencyToolCall": obj{
		"agentName": "tide-office", "functionName": "next_high",
		"responseMessages": []obj{{"@type": "type.googleapis.com/antigravity.localharness.ToolResponse", "id": agency.id, "responseJson": "{\"next\":\"12:31\"}"}},
	}})
	rpc := s.call("rpc_action", "Calling the bell", obj{"Method": "Ring"})
	s.answer("", "", rpc)
	s.tool(rpc, "RPC_ACTION", "DONE", obj{"rpcAction": obj{
		"serviceName": "bell.v1.Bell", "methodName": "Ring", "arguments": obj{"times": 2, "loud": true, "who": nil, "names": []string{"a", "b"}}, "result": obj{"rang": true},
	}})
	s.add("KI_INSERTION", "DONE", "SYSTEM", obj{"kiInsertion": obj{"kiReferences": obj{"tides": obj{"references": []obj{{"filePath": "docs/tides.md"}, {"url": "https://tides.example/"}}}}}})
	schedule := s.call("schedule", "Setting a reminder", obj{"At": "25:00"})
	s.answer("", "", schedule)
	s.tool(schedule, "GENERIC", "ERROR", obj{
		"generic": obj{"args": argumentTexts(schedule.args), "result": obj{"result": "25:00 is not a time of day"}},
		"error":   obj{"userErrorMessage": "25:00 is not a time of day", "isBenign": true},
	})
	s.unknown = len(s.steps)
	s.add("TOOL_SEARCH", "DONE", "SYSTEM", obj{})
}

// finish ends the conversation: a canceled command, the answer, and a call that nothing answers.
func (s *script) finish() {
	loop := s.shell("watch tidebell --next", "Watching the tide")
	s.answer("", "", loop)
	s.tool(loop, "RUN_COMMAND", "CANCELED", obj{"runCommand": obj{
		"commandLine": "watch tidebell --next", "cwd": "/home/pilot/tidebell", "userRejected": true, "shellName": "bash",
	}})
	last := s.call("view_file", "One last look", obj{"AbsolutePath": "/home/pilot/tidebell/README.md"})
	last.id = "call_02" // ids repeat in real conversations, too: this one was answered long ago, for another file
	s.answer("All tests pass. I sum up, and look at the README once more.", finalAnswer, last)
	s.end("USER_CANCELED")
}

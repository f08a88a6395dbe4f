package session

import (
	"encoding/json"
	"fmt"
)

// argumentTexts is the argument map of a wrapper: texts raw, everything else as JSON.
func argumentTexts(args obj) obj {
	texts := obj{}
	for name, value := range args {
		if text, ok := value.(string); ok {
			texts[name] = text
			continue
		}
		raw, err := json.Marshal(value)
		if err != nil {
			panic(err) // the arguments are literals of this package
		}
		texts[name] = string(raw)
	}
	return texts
}

// background is a command that outlives its step: the command, a wrapper without a typed step that asks for it, a second
// step of the same call, and the notice when it ends.
func (s *script) background() {
	serve := s.shell("go run . --serve :8080", "Starting the bell server")
	s.answer("", "I start the server in the background to try the page.", serve)
	task := cascadeID + fmt.Sprintf("/task-%d", len(s.steps))
	details := obj{"id": task, "logUri": brain + "/.system_generated/tasks/task-1.log", "description": "go run . --serve :8080", "title": "Bell server"}
	s.tool(serve, "RUN_COMMAND", "RUNNING", obj{
		"runCommand": obj{
			"commandLine": "go run . --serve :8080", "cwd": "/home/pilot/tidebell", "waitMsBeforeAsync": "500", "shellName": "bash", "commandId": "cmd-serve",
			"combinedOutput": obj{"full": "listening on 127.0.0.1:8080\n"},
		},
		"taskDetails": details,
	})
	manage := s.call("manage_task", "Checking the server", obj{"Action": "status", "TaskId": task, "MaxLines": 20})
	s.answer("", "", manage)
	s.tool(manage, "GENERIC", "DONE", obj{"generic": obj{
		"args": argumentTexts(manage.args),
		"result": obj{
			"result":         "Task " + task + "\nStatus: RUNNING\nLog:\n  listening on 127.0.0.1:8080\n",
			"metadata":       obj{"tool_name": "manage_task", "task_id": task, "task_description": "go run . --serve :8080"},
			"stepRenderInfo": obj{"title": "bell server", "titlePrefix": "Checked", "icon6": "task_alt", "markdown": "Status **RUNNING**", "metadata": obj{"tool_name": "manage_task"}},
		},
	}})
	s.tool(serve, "COMMAND_STATUS", "DONE", obj{"commandStatus": obj{
		"commandId": "cmd-serve", "status": "CORTEX_STEP_STATUS_RUNNING", "combined": "listening on 127.0.0.1:8080\nGET / 200\n",
		"outputCharacterCount": 400, "waitDurationSeconds": 5, "waitedDurationSeconds": 5, "delta": "GET / 200\n", "outputPriority": "COMMAND_OUTPUT_PRIORITY_BOTTOM",
	}})
	s.add("SYSTEM_MESSAGE", "DONE", "SYSTEM", obj{"systemMessage": obj{
		"eventType": "task_notification", "message": "Task " + task + " finished.",
		"renderInfo": obj{"title": "Bell server finished", "markdown": "Exit code **0** after 41 s"},
		"agentMessage": obj{
			"id": "msg-1", "sender": task, "recipient": cascadeID, "priority": "MESSAGE_PRIORITY_HIGH", "timestamp": s.tick(0),
			"content": "Task \"" + task + "\" finished with result:\n\nThe command completed successfully.\nOutput:\nlistening on 127.0.0.1:8080\nGET / 200\n",
		},
	}})
}

// research is what the model looks up outside.
func (s *script) research() {
	search := s.call("search_web", "Searching for the rule of twelfths", obj{"query": "rule of twelfths tide height between high and low water"})
	page := s.call("read_url_content", "Reading about tides", obj{"Url": "https://tides.example/rule-of-twelfths"})
	s.answer("", "For heights in between I need the usual rule.", search, page)
	s.tool(search, "SEARCH_WEB", "DONE", obj{"searchWeb": obj{
		"query": search.args["query"], "domain": "tides.example", "searchType": "SEARCH_WEB_TYPE_WEB",
		"summary": "Between low and high water the level rises by 1, 2, 3, 3, 2 and 1 **twelfths** of the range, an hour each.",
		"webDocuments": []obj{
			{"title": "Rule of twelfths", "url": "https://tides.example/rule-of-twelfths", "text": "A quick estimate of the tide between high and low water."},
			{"title": "Tables & <tides>", "url": "https://tides.example/a b(1)?q=\"x\"&y", "summary": "How printed tables are made."},
		},
	}})
	s.tool(page, "READ_URL_CONTENT", "DONE", obj{"readUrlContent": obj{
		"url": "https://tides.example/rule-of-twelfths", "resolvedUrl": "https://tides.example/en/rule-of-twelfths", "latencyMs": 212,
		"contentPath": "/home/pilot/.gemini/antigravity-cli/brain/content/1.md",
		"webDocument": obj{
			"documentId": "doc-1", "title": "Rule of twelfths", "url": "https://tides.example/en/rule-of-twelfths",
			"chunks": []obj{
				{"position": 0, "markdownChunk": obj{"headers": []obj{{"type": "MARKDOWN_NODE_TYPE_HEADER_1", "text": "Rule of twelfths"}}, "text": "The tide does not rise evenly."}},
				{"position": 1, "text": "Six hours: 1, 2, 3, 3, 2, 1 twelfths."},
			},
		},
	}})
	table := s.call("call_mcp_tool", "Asking the harbour office", obj{"ServerName": "harbour-office", "ToolName": "tide_table", "Arguments": obj{"harbour": "Port Calm"}})
	s.answer("", "", table)
	s.tool(table, "MCP_TOOL", "DONE", obj{
		"mcpTool": obj{
			"serverName": "harbour-office", "serverInfo": obj{"name": "harbour-office", "version": "2.1.0"},
			"toolCall":     obj{"id": table.id, "name": "tide_table", "argumentsJson": `{"harbour":"Port Calm"}`},
			"resultString": "{\"harbour\":\"Port Calm\",\"tides\":[{\"time\":\"12:31\",\"kind\":\"high\",\"metres\":3.1}]}",
			"metadata":     obj{"cached": "true"},
		},
		"metadata": obj{"toolSource": 3},
	})
}

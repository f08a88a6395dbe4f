package session

import (
	_ "embed"
	"encoding/base64"
)

//go:embed board.png
var board []byte

//go:embed thumb.png
var thumb []byte

//go:embed bell.png
var bell []byte

const firstPrompt = "Our little command **tidebell** prints today's tide table. Please add `--next`, which prints only the next high tide, " +
	"and a test for it. The table format is in @README.md, house rules as usual. The photo shows the board at the pier: " +
	"the time on it should be what `--next` prints."

// opening is the first prompt and what the product puts around it.
func (s *script) opening() {
	s.begin()
	s.add("USER_INPUT", "DONE", "USER_EXPLICIT", obj{"userInput": obj{
		"userResponse": firstPrompt,
		"items": []obj{
			{"text": "Our little command **tidebell** prints today's tide table. Please add `--next`, which prints only the next high tide, and a test for it. The table format is in "},
			{"item": obj{"file": obj{"absoluteUri": workspace + "/README.md"}}},
			{"text": ", house rules as usual. "},
			{"item": obj{"rule": obj{"rulePath": "/home/pilot/tidebell/.agents/rules/style.md", "ruleName": "style", "description": "Small functions, table tests."}}},
			{"item": obj{"directory": obj{"absoluteUri": workspace + "/testdata"}}},
			{"item": obj{"terminal": obj{"processId": "4711", "name": "zsh", "lastCommand": "tidebell", "selectionContent": "06:12  low   0.4 m\n12:31  high  3.1 m"}}},
			{"item": obj{"conversation": obj{"id": "d3300000-0000-4000-8000-00000000d32f", "title": "Parse the tide table"}}},
			{"text": "The photo shows the board at the pier: the time on it should be what `--next` prints."},
		},
		"media": []obj{{
			"mimeType": "image/png", "description": "The board at the pier", "uri": brain + "/media__1789372800000.png",
			"inlineData": encode(board), "thumbnail": encode(thumb),
		}},
		"clientType":      "CHAT_CLIENT_REQUEST_STREAM_CLIENT_TYPE_IDE",
		"activeUserState": obj{"activeDocument": obj{"absoluteUri": workspace + "/tide.go", "language": "LANGUAGE_GO", "editorLanguage": "go"}},
		"userConfig":      obj{"plannerConfig": obj{"modelName": "harbour-2-large-high"}},
	}})
	s.add("CONVERSATION_HISTORY", "DONE", "SYSTEM", obj{"conversationHistory": obj{
		"content": "Earlier conversations in this workspace:\n- Parse the tide table (yesterday)\n- Print heights in metres",
	}})
	s.add("EPHEMERAL_MESSAGE", "DONE", "SYSTEM", obj{"ephemeralMessage": obj{
		"content": "Reminder: run the tests before you say that you are done.", "triggeredHeuristics": []string{"run_tests_reminder"},
	}})
	s.add("CHECKPOINT", "DONE", "SYSTEM", obj{
		"checkpoint": obj{"userIntent": "Next High Tide Flag", "intentOnly": true, "includedStepIndexEnd": 3, "userRequests": []string{firstPrompt}},
		"metadata": obj{"retryInfos": []obj{{"usage": obj{
			"model": titleModel, "inputTokens": "412", "outputTokens": "9", "responseOutputTokens": "9", "messageId": "title-1", "responseId": "title-1",
		}}}},
	})
}

func encode(raw []byte) string { return base64.StdEncoding.EncodeToString(raw) }

const readme = "# tidebell\n\nPrints the tides of one harbour and, if you like, rings a bell.\n\n" +
	"    tidebell [--table FILE]\n\n## The table\n\nOne tide a line: `HH:MM`, then `high` or `low`, then the height in metres.\n" +
	"Lines are in order of time. A line that begins with `#` is a comment.\n"

// look is how the model gets to know the project.
func (s *script) look() {
	list := s.call("list_dir", "Listing the project", obj{"DirectoryPath": "/home/pilot/tidebell"})
	read := s.call("view_file", "Reading the README", obj{"AbsolutePath": "/home/pilot/tidebell/README.md"})
	s.answer("The user wants one more flag and a test. I should look at the layout first, then at the table format they point to.\n\n"+
		"Two things to keep in mind:\n1. what «next» means after the last tide of the day,\n2. ties, when the tide is exactly now.",
		"I'll look at the project and its table format first.", list, read)
	s.tool(list, "LIST_DIRECTORY", "DONE", obj{"listDirectory": obj{
		"directoryPathUri": workspace,
		"results": []obj{
			{"name": ".agents", "isDir": true, "numChildren": 1},
			{"name": "testdata", "isDir": true, "numChildren": 3},
			{"name": "README.md", "sizeBytes": "312"},
			{"name": "go.mod", "sizeBytes": "26"},
			{"name": "tide.go", "sizeBytes": "1408"},
			{"name": "tide_test.go", "sizeBytes": "733"},
		},
	}})
	s.tool(read, "VIEW_FILE", "DONE", view("README.md", readme, 0, 10))

	grep := s.call("grep_search", "Looking for uses of Tide", obj{"Query": "Tide", "SearchPath": "/home/pilot/tidebell", "MatchPerLine": true})
	find := s.call("find_by_name", "Finding test tables", obj{"SearchDirectory": "/home/pilot/tidebell", "Pattern": "*.tbl"})
	s.answer("", "", grep, find)
	s.tool(grep, "GREP_SEARCH", "DONE", obj{"grepSearch": obj{
		"query": "Tide", "searchPathUri": workspace, "matchPerLine": true, "totalResults": 4,
		"commandRun": "rg --line-number Tide /home/pilot/tidebell",
		"results": []obj{
			{"relativePath": "tide.go", "lineNumber": 9, "content": "// Tide is one line of the table.", "absolutePath": "/home/pilot/tidebell/tide.go"},
			{"relativePath": "tide.go", "lineNumber": 10, "content": "type Tide struct {", "absolutePath": "/home/pilot/tidebell/tide.go"},
			{"relativePath": "tide.go", "lineNumber": 17, "content": "func Parse(r io.Reader) ([]Tide, error) {", "absolutePath": "/home/pilot/tidebell/tide.go"},
			{"relativePath": "tide_test.go", "lineNumber": 14, "content": "\twant := []Tide{{Minute: 372, Height: 0.4}}", "absolutePath": "/home/pilot/tidebell/tide_test.go"},
		},
		"rawOutput": "tide.go:9:// Tide is one line of the table.\ntide.go:10:type Tide struct {\n" +
			"tide.go:17:func Parse(r io.Reader) ([]Tide, error) {\ntide_test.go:14:\twant := []Tide{{Minute: 372, Height: 0.4}}\n",
	}})
	s.tool(find, "FIND", "DONE", obj{"find": obj{
		"pattern": "*.tbl", "searchDirectory": "/home/pilot/tidebell", "type": "FIND_RESULT_TYPE_FILE", "totalResults": 3,
		"commandRun": "fd --glob *.tbl", "truncatedTotalResults": 3,
		"rawOutput":       "testdata/calm.tbl\ntestdata/spring tide.tbl\ntestdata/names.tbl\n",
		"truncatedOutput": "testdata/calm.tbl\ntestdata/spring tide.tbl\ntestdata/names.tbl\n",
	}})
}

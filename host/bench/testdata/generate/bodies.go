package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"agy-reader/host/demo/build"
)

// obj is one JSON object of the product's protobuf JSON.
type obj = map[string]any

const workspace = "file:///home/dev/project"

// body is the kind-specific part of a step, encoded once and used in many steps.
type body struct {
	kind string
	// wire is the member of the step's oneof.
	wire []byte
	// tool and arguments belong to the call that the step answers; empty for what is no tool.
	tool, arguments string
}

// maker makes a body of about size bytes.
type maker func(t *texts, r *rand.Rand, size int) (kind, tool string, arguments, step obj)

func userInput(t *texts, r *rand.Rand, size int) (string, string, obj, obj) {
	text := t.words(r, size)
	return "USER_INPUT", "", nil, obj{"userInput": obj{
		"userResponse": text, "items": []obj{{"text": text}},
		"activeUserState": obj{"activeDocument": obj{"absoluteUri": workspace + "/main.go", "editorLanguage": "go"}},
	}}
}

func reminder(t *texts, r *rand.Rand, size int) (string, string, obj, obj) {
	return "EPHEMERAL_MESSAGE", "", nil, obj{"ephemeralMessage": obj{"content": t.words(r, size)}}
}

func checkpoint(t *texts, r *rand.Rand, size int) (string, string, obj, obj) {
	return "CHECKPOINT", "", nil, obj{"checkpoint": obj{"userIntent": t.words(r, size), "includedStepIndexEnd": 3}}
}

func viewFile(t *texts, r *rand.Rand, size int) (string, string, obj, obj) {
	lines := t.lines(r, size)
	content := strings.Join(lines, "")
	path := fmt.Sprintf("/home/dev/project/internal/part%d/file.go", r.IntN(100))
	return "VIEW_FILE", "view_file", obj{"AbsolutePath": path}, obj{"viewFile": obj{
		"absolutePathUri": "file://" + path, "startLine": 0, "endLine": len(lines) - 1, "content": content,
		"numLines": len(lines), "numBytes": len(content), "lineRangeBytes": len(content),
	}}
}

func runCommand(t *texts, r *rand.Rand, size int) (string, string, obj, obj) {
	command := fmt.Sprintf("go test -v ./internal/part%d/... 2>&1 | head -n 400", r.IntN(100))
	return "RUN_COMMAND", "run_command", obj{"CommandLine": command, "Cwd": "/home/dev/project", "WaitMsBeforeAsync": 5000}, obj{
		"runCommand": obj{
			"commandLine": command, "cwd": "/home/dev/project", "exitCode": r.IntN(2), "blocking": true,
			"combinedOutput": obj{"full": t.source(r, size)}, "shellName": "bash", "commandId": "cmd-1", "waitMsBeforeAsync": "5000",
		},
	}
}

func grepSearch(t *texts, r *rand.Rand, size int) (string, string, obj, obj) {
	var results []obj
	for i, line := range t.lines(r, size/3) {
		file := fmt.Sprintf("internal/part%d/file%d.go", i/12, i/4)
		results = append(results, obj{"relativePath": file, "lineNumber": 7*i + 1, "content": strings.TrimSuffix(line, "\n"), "absolutePath": "/home/dev/project/" + file})
	}
	query := strings.TrimSpace(t.source(r, 20))
	return "GREP_SEARCH", "grep_search", obj{"Query": query, "SearchPath": "/home/dev/project", "MatchPerLine": true}, obj{"grepSearch": obj{
		"query": query, "results": results, "totalResults": len(results), "matchPerLine": true, "searchPathUri": workspace,
	}}
}

// codeAction is an edit: the whole file as a list of marked lines, and what it was before.
func codeAction(t *texts, r *rand.Rand, size int) (string, string, obj, obj) {
	var lines []obj
	var before strings.Builder
	added, deleted := 0, 0
	for i, line := range t.lines(r, size*2/5) {
		text := strings.TrimSuffix(line, "\n")
		kind := "UNCHANGED"
		switch i % 40 {
		case 11, 12, 13:
			kind, added = "INSERT", added+1
		case 14, 15:
			kind, deleted = "DELETE", deleted+1
		}
		if kind != "INSERT" {
			before.WriteString(line)
		}
		lines = append(lines, obj{"text": text, "type": "UNIFIED_DIFF_LINE_TYPE_" + kind})
	}
	uri := fmt.Sprintf("%s/internal/part%d/file.go", workspace, r.IntN(100))
	instruction := "Change the handling of errors"
	arguments := obj{"TargetFile": strings.TrimPrefix(uri, "file://"), "Instruction": instruction, "ReplacementContent": t.source(r, 400)}
	return "CODE_ACTION", "replace_file_content", arguments, obj{"codeAction": obj{
		"actionSpec": obj{"command": obj{"instruction": instruction, "isEdit": true, "file": obj{"absoluteUri": uri}}},
		"actionResult": obj{"edit": obj{
			"absoluteUri": uri, "diff": obj{"unifiedDiff": obj{"lines": lines}, "endLine": len(lines)}, "originalContent": before.String(),
		}},
		"description": instruction, "diffStats": obj{"additions": added, "deletions": deleted},
	}}
}

func newBody(t *texts, r *rand.Rand, m maker, size int) (*body, error) {
	kind, tool, arguments, step := m(t, r, size)
	b := &body{kind: kind, tool: tool}
	if arguments != nil {
		raw, err := json.Marshal(arguments)
		if err != nil {
			return nil, err
		}
		b.arguments = string(raw)
	}
	var err error
	b.wire, err = encode(build.StepMessage, step)
	return b, err
}

func encode(message string, o obj) ([]byte, error) {
	raw, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return build.Encode(message, string(raw))
}

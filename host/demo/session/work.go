package session

const tideSource = `
 // Command tidebell prints the tides of one harbour.
 package main
 
 import (
 	"flag"
 	"fmt"
+	"time"
 )
 
 // Tide is one line of the table.
 type Tide struct {
 	Minute int
 	High   bool
 	Height float64
 }
 
 func (t Tide) String() string {
 	return fmt.Sprintf("%02d:%02d  %.1f m", t.Minute/60, t.Minute%60, t.Height)
 }
 
 // Parse reads a table.
 func Parse(lines []string) ([]Tide, error) {
 	var tides []Tide
 	for i, line := range lines {
 		tide, err := parseLine(line)
 		if err != nil {
 			return nil, fmt.Errorf("line %d: %w", i+1, err)
 		}
 		tides = append(tides, tide)
 	}
 	return tides, nil
 }
 
+// Next returns the first high tide at or after a minute of the day, or false when the day has no more.
+func Next(tides []Tide, minute int) (Tide, bool) {
+	for _, tide := range tides {
+		if tide.High && tide.Minute >= minute {
+			return tide, true
+		}
+	}
+	return Tide{}, false
+}
+
 func main() {
+	next := flag.Bool("next", false, "print only the next high tide")
 	flag.Parse()
-	show(load())
+	tides := load()
+	if now := time.Now(); *next {
+		tide, _ := Next(tides, now.Hour()*60+now.Minute())
+		tides = []Tide{tide}
+	}
+	show(tides)
 }
`

const testSource = `
+package main
+
+import "testing"
+
+func TestNext(t *testing.T) {
+	tides := []Tide{{372, false, 0.4}, {751, true, 3.1}, {1490, true, 2.9}}
+	for name, test := range map[string]struct {
+		minute, want int
+	}{
+		"before": {700, 751},
+		"at":     {751, 751},
+		"after":  {752, 1490},
+	} {
+		t.Run(name, func(t *testing.T) {
+			if got, ok := Next(tides, test.minute); !ok || got.Minute != test.want {
+				t.Errorf("got %v, want minute %d", got, test.want)
+			}
+		})
+	}
+}
`

// work is the loop of tests and edits.
func (s *script) work() {
	baseline := s.shell("go test ./...", "Running the tests")
	s.answer("", "The format is clear. Before I change anything I run the tests once.", baseline)
	s.ran(baseline, 0, "ok  \ttidebell\t0.004s\n", nil)

	test := s.call("write_to_file", "Writing the test first", obj{"TargetFile": "/home/pilot/tidebell/next_test.go", "Overwrite": false, "CodeContent": "package main\n…"})
	s.answer("Test first: before, at and after a tide.", "They pass. Now a test for the three cases that matter.", test)
	s.tool(test, "CODE_ACTION", "DONE", created("next_test.go", "Table test for Next", testSource))

	failing := s.shell("go test ./... --color", "Running the new test")
	s.answer("", "It must fail now, because `Next` does not exist yet.", failing)
	s.ran(failing, 1, "\x1b[31m# tidebell [tidebell.test]\x1b[0m\n./next_test.go:15:16: \x1b[1mundefined: Next\x1b[0m\n\x1b[31mFAIL\x1b[0m\ttidebell [build failed]\n", nil)

	change := s.call("replace_file_content", "Adding Next and the flag", obj{
		"TargetFile": "/home/pilot/tidebell/tide.go", "Instruction": "Add Next and the flag --next",
		"TargetContent": "\tshow(load())\n", "ReplacementContent": "\ttides := load()\n…",
	})
	s.answer("`Next` is a plain scan, the table is in order. «At» counts as next: somebody standing at the pier at 12:31 wants to hear 12:31.",
		"It fails for the right reason. Now the function and the flag.", change)
	s.tool(change, "CODE_ACTION", "DONE", edit("tide.go", "Add Next and the flag --next", tideSource))

	missing := s.call("replace_file_content", "Describing the flag", obj{
		"TargetFile": "/home/pilot/tidebell/README.md", "TargetContent": "    tidebell [--tabel FILE]\n", "ReplacementContent": "    tidebell [--next] [--table FILE]\n",
	})
	s.answer("", "And one line in the README.", missing)
	s.tool(missing, "CODE_ACTION", "ERROR", obj{
		"codeAction": obj{"actionSpec": obj{"command": obj{
			"instruction": "Describe the flag", "isEdit": true, "file": obj{"absoluteUri": workspace + "/README.md"},
			"replacementChunks": []obj{{"targetContent": "    tidebell [--tabel FILE]\n", "replacementContent": "    tidebell [--next] [--table FILE]\n"}},
		}}},
		"error": obj{
			"userErrorMessage": "The text to replace was not found in README.md.", "shortError": "target content not found",
			"fullError":         "chunk 0: target content not found in file:///home/pilot/tidebell/README.md: nearest match at line 5 (distance 2)",
			"modelErrorMessage": "chunk 0 was not found. Read the file again and repeat the call with its exact text.",
		},
	})
	s.end("NO_TOOL_CALL")
}

// shell makes the call of a command.
func (s *script) shell(command, action string) call {
	return s.call("run_command", action, obj{"CommandLine": command, "Cwd": "/home/pilot/tidebell", "WaitMsBeforeAsync": 5000})
}

// ran appends a finished command.
func (s *script) ran(c call, exitCode int, output string, more obj) {
	body := obj{
		"commandLine": c.args["CommandLine"], "cwd": "/home/pilot/tidebell", "exitCode": exitCode, "blocking": true,
		"combinedOutput": obj{"full": output}, "shellName": "bash", "commandId": "cmd-" + c.id, "waitMsBeforeAsync": "5000",
		"autoRunDecision": "AUTO_RUN_DECISION_USER_ALLOW",
	}
	for name, value := range more {
		body[name] = value
	}
	s.tool(c, "RUN_COMMAND", "DONE", obj{
		"runCommand":  body,
		"permissions": obj{"permissionGrants": []obj{{"resource": obj{"action": "command", "target": "go test"}, "allow": true, "scope": "PERMISSION_SCOPE_CONVERSATION"}}},
		"completedInteractions": []obj{{
			"request":  obj{"permission": obj{"resource": obj{"action": "command", "target": "go test"}, "actionDescription": "Run go test"}},
			"response": obj{"permission": obj{"allow": true, "scope": "PERMISSION_SCOPE_CONVERSATION"}},
		}},
		"metadata": obj{"preToolHookResults": []obj{{"decision": "allow"}}},
	})
}

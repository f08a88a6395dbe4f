package cli_test

import (
	"strings"
	"testing"
)

// Steps as old and broken versions of the product left them.
func TestReferenceN55To60OddSteps(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, step, want string }{
		{"N55 a code action without a file", `{"type": 5, "status": 3, "codeAction": {"description": "Say it", "actionSpec": {"command": {"instruction": "be brief"}}}}`, "be brief"},
		{"N55 a code action with nothing", `{"type": 5, "status": 3, "codeAction": {}}`, "Nothing was recorded"},
		{"N56 a file without a URI", `{"type": 8, "status": 3, "viewFile": {"content": "what it says"}}`, "what it says"},
		{"N57 no exit code", `{"type": 21, "status": 3, "runCommand": {"commandLine": "true"}}`, "exit code not recorded"},
		{"N57 exit code 0", `{"type": 21, "status": 3, "runCommand": {"commandLine": "true", "exitCode": 0}}`, "exit code 0"},
		{"N58 an error without texts", `{"type": 17, "status": 3, "errorMessage": {"error": {}}}`, "Error message"},
		{"N59 output as an object", `{"type": 21, "status": 3, "runCommand": {"commandLine": "ls", "combinedOutput": {"full": "two files"}}}`, "two files"},
		{"N60 no step metadata", `{"type": 15, "status": 3, "plannerResponse": {"response": "Hello."}}`, "Hello."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			document, sidecar := convertSteps(t, []string{tc.step})
			if !strings.Contains(document, tc.want) {
				t.Errorf("no %q in\n%s", tc.want, document)
			}
			if strings.Contains(document, "exit code 0") != strings.Contains(tc.step, `"exitCode": 0`) {
				t.Errorf("an exit code nobody recorded:\n%s", document)
			}
			if steps := parseSidecar(t, sidecar).Steps; len(steps) != 1 {
				t.Errorf("%d steps", len(steps))
			}
		})
	}
}

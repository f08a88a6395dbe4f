package interpret_test

import (
	"strings"
	"testing"

	"agy-reader/host/demo/build"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

func TestTitle(t *testing.T) {
	t.Parallel()
	p, err := profile.Load("agy-1.0.4")
	if err != nil {
		t.Fatal(err)
	}
	ip := interpret.New(p)
	for _, tc := range []struct{ name, step, title, origin string }{
		{"made by the product", `{"type": 23, "checkpoint": {"intentOnly": true, "userIntent": "Tide table\n\nThe user wants a flag."}}`, "Tide table", interpret.TitleFromCheckpoint},
		{"own field first", `{"type": 23, "checkpoint": {"intentOnly": true, "conversationTitle": "Flag", "userIntent": "Tide"}}`, "Flag", interpret.TitleFromCheckpoint},
		{"failed: raw log text", `{"type": 23, "checkpoint": {"intentOnly": true, "modelSummarizationFailed": true, "userIntent": "{\"step_index\":0}"}}`, "", ""},
		{"a real compaction", `{"type": 23, "checkpoint": {"userIntent": "Goal"}}`, "", ""},
		{"prompt", `{"type": 14, "userInput": {"userResponse": "\n  add   a flag\nand a test"}}`, "add a flag", interpret.TitleFromPrompt},
		{"prompt in pieces", `{"type": 14, "userInput": {"items": [{"item": {"rule": {"ruleName": "style"}}}, {"text": "add a flag"}]}}`, "add a flag", interpret.TitleFromPrompt},
		{"long prompt", `{"type": 14, "userInput": {"userResponse": "` + strings.Repeat("é", 200) + `"}}`, strings.Repeat("é", 100) + "…", interpret.TitleFromPrompt},
		{"media only", `{"type": 14, "userInput": {}}`, "", ""},
		{"another step", `{"type": 15, "plannerResponse": {"response": "hello"}}`, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			wire, err := build.Encode("gemini_coder.Step", tc.step)
			if err != nil {
				t.Fatal(err)
			}
			if title, origin := ip.Title(wire); title != tc.title || origin != tc.origin {
				t.Errorf("Title = %q from %q, want %q from %q", title, origin, tc.title, tc.origin)
			}
		})
	}
	if title, _ := ip.Title([]byte{0xff, 0xff}); title != "" {
		t.Errorf("garbage has the title %q", title)
	}
}

// A title is what the person typed, without the blocks that older products stored around a prompt.
func TestCaseN04TitleWithoutWrapper(t *testing.T) {
	t.Parallel()
	p, err := profile.Load("agy-1.0.4")
	if err != nil {
		t.Fatal(err)
	}
	ip := interpret.New(p)
	for prompt, want := range map[string]string{
		`<USER_REQUEST>\nfix it\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\ntime\n</ADDITIONAL_METADATA>`: "fix it",
		`fix it\n<ADDITIONAL_METADATA>\ntime\n</ADDITIONAL_METADATA>`:                                  "fix it",
		`why is </USER_REQUEST> there?`:                                                                "why is </USER_REQUEST> there?",
	} {
		title, _ := ip.Title(build.Step(t, `{"type": 14, "status": 3, "userInput": {"userResponse": "`+prompt+`"}}`))
		if title != want {
			t.Errorf("%s: %q", prompt, title)
		}
	}
}

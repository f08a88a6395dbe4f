package session

import "time"

// people is the part with the question, the subagents and the picture.
func (s *script) people() {
	ask := s.call("ask_question", "Asking about midnight", obj{"questions": []obj{{"question": "What should --next print after the last high tide of the day?"}}})
	s.answer("The day can be over. That is a decision for the user.", "One question before I go on.", ask)
	s.tool(ask, "ASK_QUESTION", "DONE", obj{"askQuestion": obj{"questions": []obj{
		{
			"question":          "What should `--next` print after the last high tide of the day?",
			"options":           []obj{{"id": "a", "text": "Nothing, exit code 1"}, {"id": "b", "text": "The first tide of tomorrow"}, {"id": "c", "text": "A friendly sentence"}},
			"selectedOptionIds": []string{"b", "c"}, "isMultiSelect": true, "writeInResponse": "Say «tomorrow» in front of the time.",
		},
		{"question": "Ring the bell, too?", "options": []obj{{"id": "y", "text": "Yes"}, {"id": "n", "text": "No"}}, "skipped": true},
	}}})

	invoke := s.call("invoke_subagent", "Starting two helpers", obj{"Subagents": []obj{{"TypeName": "reviewer"}, {"TypeName": "writer"}}})
	s.answer("", "Two helpers can work while I go on: one reads the change, one writes the manual page.", invoke)
	s.tool(invoke, "INVOKE_SUBAGENT", "DONE", obj{"invokeSubagent": obj{
		"subagents": []obj{
			{"typeName": "reviewer", "role": "Reads the change", "initialPrompt": "Read next.go and look for mistakes around midnight.", "inherit": true, "model": chatModel},
			{"typeName": "writer", "role": "Writes the manual", "initialPrompt": "Write tidebell.1 from the README.", "branch": "manual"},
		},
		"results": []obj{
			{"conversationId": "d3300000-0000-4000-8000-00000000d331", "logAbsoluteUri": brain + "/.system_generated/subagents/1.log", "workspaceUris": []string{workspace}},
			{"conversationId": "d3300000-0000-4000-8000-00000000d332", "logAbsoluteUri": brain + "/.system_generated/subagents/2.log"},
		},
	}})
	s.add("SYSTEM_MESSAGE", "DONE", "SYSTEM", obj{"systemMessage": obj{
		"message": "Message from reviewer",
		"agentMessage": obj{
			"id": "msg-2", "sender": "d3300000-0000-4000-8000-00000000d331", "recipient": cascadeID, "priority": "MESSAGE_PRIORITY_NORMAL", "timestamp": s.tick(0),
			"content":       "`Next` is right at midnight. One remark:\n\n- minute 1490 in the test is 00:50 of the next day\n- please say so in a comment",
			"renderDetails": obj{"messageTitle": "Review finished"},
		},
	}})

	browse := s.call("browser_subagent", "Trying the page in a browser", obj{"Task": "Open the bell page and ring the bell.", "TaskName": "Ring the bell"})
	s.answer("", "Now the page itself.", browse)
	run := browserRun(s.clock)
	s.clock = s.clock.Add(90 * time.Second)
	s.tool(browse, "BROWSER_SUBAGENT", "DONE", obj{
		"browserSubagent": obj{
			"task": "Open the bell page and ring the bell.", "taskName": "Ring the bell", "taskSummary": "The bell rings.",
			"result": "The page shows **12:31** and the bell rings when clicked.", "recordingName": "ring_the_bell",
			"recordingPath":             "/home/pilot/.gemini/antigravity-cli/browser_recordings/ring_the_bell.webp",
			"recordingGenerationStatus": "RECORDING_GENERATION_STATUS_COMPLETED", "subagentId": "browser-1",
		},
		"subtrajectory": run,
	})

	draw := s.call("generate_image", "Drawing the bell", obj{"Prompt": "A friendly red harbour bell, flat colours", "ImageName": "bell"})
	s.answer("", "And a picture for the page.", draw)
	s.tool(draw, "GENERATE_IMAGE", "DONE", obj{"generateImage": obj{
		"prompt": "A friendly red harbour bell, flat colours", "imageName": "bell", "modelName": "harbour-paint-1", "aspectRatio": "5:4",
		"generatedMedia": obj{"mimeType": "image/png", "inlineData": encode(bell), "uri": brain + "/bell_1789376400000.png"},
	}})
}

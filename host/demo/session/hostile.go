package session

import "maps"

const secondPrompt = "One more thing: names of harbours come from visitors. Please make sure that the strange ones in `testdata/names.tbl` do no harm " +
	"anywhere, for example `<script>alert(\"ahoy\")</script>`, a name with ``` in it, or one that begins with a hash:\n\n" +
	"# I am a name, not a heading\n\n" +
	"<!-- and so am I --> <style>body{display:none}</style>\n\n" +
	"[click me](javascript:alert(1)) ![](https://example.invalid/pixel.png)"

// names is a file of hostile names: fences, markup, terminal codes, text from right to left, lines that end in CRLF.
const names = "Port Calm\r\n" +
	"<script>alert(\"ahoy\")</script>\r\n" +
	"# I am a name, not a heading\r\n" +
	"```` four backticks ``` three `` two ` one\r\n" +
	"~~~~ tildes\r\n" +
	"\u202egnirb eht\u202c reversed harbour\r\n" +
	"מִפְרָץ שָׁלֵו · خليج هادئ\r\n" +
	"\x1b[2J\x1b]0;harbour\a terminal codes\r\n" +
	"</textarea></pre></code><img src=x onerror=alert(1)>\r\n" +
	"| a | table | row |\r\n" +
	"Trailing spaces  \r\n" +
	"👩‍💻 修 ﷽ \u0000 NUL\r\n"

// hostile is the part with the strange names. Its tools come in wrappers, as newer versions write them.
func (s *script) hostile() {
	s.begin()
	s.add("USER_INPUT", "DONE", "USER_EXPLICIT", obj{"userInput": obj{
		"userResponse": secondPrompt, "items": []obj{{"text": secondPrompt}},
		"lastUserConfig": obj{"plannerConfig": obj{"modelName": "harbour-2-large-high"}},
	}})
	read := s.call("view_file", "Reading the names", obj{"AbsolutePath": "/home/pilot/tidebell/testdata/names.tbl"})
	s.answer("Markup, fences, terminal codes, bidirectional text, CRLF. The program only prints them, so the escaping question is about `%q`.\n\n```go\n"+
		"fmt.Printf(\"%q\\n\", name)\n```\n\n</details> is text here, too.",
		"Good idea. Let me see the whole list.", read)
	s.wrapped(read, "VIEW_FILE", view("testdata/names.tbl", names, 0, 12), names)

	count := s.shell("printf '%s\\n' '```' '<b>bold</b>' && wc -l 'testdata/names.tbl'", "Counting names")
	s.answer("", "", count)
	s.wrapped(count, "RUN_COMMAND", obj{"runCommand": obj{
		"commandLine": count.args["CommandLine"], "cwd": "/home/pilot/tidebell", "exitCode": 0, "shellName": "bash",
		"combinedOutput": obj{"full": "```\n<b>bold</b>\n12 testdata/names.tbl\n"},
	}}, "```\n<b>bold</b>\n12 testdata/names.tbl\n")

	quote := s.call("replace_file_content", "Quoting names", obj{"TargetFile": "/home/pilot/tidebell/names.go"})
	s.answer("", "Printing names with `%q` makes all of them harmless on a terminal.", quote)
	s.wrapped(quote, "CODE_ACTION", edit("names.go", "Quote names", "\n"+
		" package main\r\n \r\n func greet(name string) string {\r\n-\treturn \"Ahoy, \" + name\r\n+\treturn fmt.Sprintf(\"Ahoy, %q\", name)\r\n }\r\n"),
		"The file was changed: 1 line added, 1 line deleted.")
}

// wrapped appends a GENERIC step that holds the typed step, as agy 1.1.23 writes it.
func (s *script) wrapped(c call, kind string, body obj, text string) {
	inner := obj{"@type": "type.googleapis.com/gemini_coder.Step", "type": "CORTEX_STEP_TYPE_" + kind, "status": "CORTEX_STEP_STATUS_DONE"}
	for name, value := range body {
		inner[name] = value
	}
	step := s.tool(c, "GENERIC", "DONE", obj{"generic": obj{
		"args": argumentTexts(c.args),
		"result": obj{
			"result": text, "payload": inner, "fullOutputUri": brain + "/.system_generated/steps/" + c.id + "/output.txt",
			"stepRenderInfo": obj{"title": c.action, "titlePrefix": "Checked", "icon6": "task_alt", "aggregationKey": "files"},
		},
	}})
	// The labels are in the inner metadata only, the rest in both.
	outer := step["metadata"].(obj)
	inner["metadata"] = maps.Clone(outer)
	delete(outer, "toolSummary")
	delete(outer, "toolAction")
}

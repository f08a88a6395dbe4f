package mirror

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/sources/interpret"
)

// results write the answers of tools whose text has a form. Each reports whether the text had it; nothing is written when it
// had not.
var results map[string]func(w *writer) bool

func init() {
	results = map[string]func(w *writer) bool{
		"RUN_COMMAND": runCommand, "VIEW_FILE": viewFile, "CODE_ACTION": codeAction, "LIST_DIRECTORY": listDirectory,
		"GREP_SEARCH": grepSearch, "INVOKE_SUBAGENT": invokeSubagent,
		"SEARCH_WEB": searchWeb, "BROWSER_SUBAGENT": browserSubagent, "GENERATE_IMAGE": generateImage, "ASK_QUESTION": askQuestion,
	}
}

// failed writes an answer that says only why the step failed.
func (w *writer) failed() bool {
	text := w.r.failure
	if text == "" && (w.r.status == "ERROR" || w.r.status == "CANCELED") {
		before, after, ok := strings.Cut(w.body, " error in step execution: ")
		if ok && len(before) <= len("Encountered") && !strings.Contains(before, " ") {
			text, w.body = after, ""
		}
	}
	if text == "" {
		return false
	}
	w.r.failure = text
	w.sub(stepError, func() { w.failure(errorUser) })
	if w.body == "" {
		w.ownBody()
		return true
	}
	return false
}

// ownBody writes what the call alone says of the step.
func (w *writer) ownBody() {
	w.kind = w.toolKind()
	switch w.kind {
	case "RUN_COMMAND":
		w.sub(stepRun, w.commandLine)
	case "VIEW_FILE":
		w.sub(stepView, func() { w.str(viewURI, interpret.FileURI(w.ask.argument("AbsolutePath"))) })
	case "LIST_DIRECTORY":
		w.sub(stepList, func() { w.str(listURI, interpret.FileURI(w.ask.argument("DirectoryPath"))) })
	case "GREP_SEARCH":
		w.sub(stepGrep, w.query)
	default:
		w.kind = w.r.kind
		w.generic("")
	}
}

const taskPrefix = "Tool is running as a background task with task id: "

// task takes the description of a background task off the text.
func (w *writer) task() {
	rest, ok := strings.CutPrefix(w.body, taskPrefix)
	if !ok {
		return
	}
	id, rest, _ := strings.Cut(rest, "\n")
	description, log := "", ""
	if d, ok := strings.CutPrefix(rest, "Task Description: "); ok {
		at := strings.LastIndex(d, "\nTask logs are ")
		if at < 0 {
			return
		}
		description, rest = d[:at], d[at+1:]
	}
	if line, more, _ := strings.Cut(rest, "\n"); strings.HasPrefix(line, "Task logs are ") {
		_, log, _ = strings.Cut(line, " at: ")
		rest = more
	}
	w.body = ""
	w.aside("Told to the model", strings.TrimSpace(rest))
	w.sub(stepTask, func() {
		w.str(taskID, strings.TrimSpace(id))
		w.str(taskLog, log)
		w.str(taskText, description)
	})
}

func (w *writer) commandLine() {
	w.str(runLine, w.ask.argument("CommandLine"))
	w.str(runProposed, w.ask.argument("CommandLine"))
	w.str(runCwd, w.ask.argument("Cwd"))
}

// saidExit is the sentence before a command's output.
var saidExit = pattern(`^\s*The command (?:completed successfully\.|[a-z]+ with (?:exit code:?|code) (-?[0-9]{1,10})\.?)\r?\n`)

// runCommand reads «The command …», then the output, framed by a line break and tabs in older versions.
func runCommand(w *writer) bool {
	if w.body == "" {
		w.sub(stepRun, w.commandLine)
		return true
	}
	m := saidExit().FindStringSubmatch(w.body)
	if m == nil {
		return false
	}
	rest := w.body[len(m[0]):]
	out, outOK := output(rest, "Output:\n", "")
	stdout, stdoutOK := output(rest, "Stdout:\n", "Stderr:\n")
	stderr, stderrOK := "", false
	if i := strings.LastIndex("\n"+rest, strings.TrimRight("\n"+frameOf(rest), "\n")+"Stderr:\n"); i >= 0 && !outOK {
		stderr, stderrOK = output(rest[max(i, 0):], "Stderr:\n", "")
	}
	if !outOK && !stdoutOK && !stderrOK && strings.TrimSpace(rest) != "" {
		return false
	}
	var code int64
	if m[1] != "" {
		n, err := strconv.ParseInt(m[1], 10, 32)
		if err != nil {
			return false
		}
		code = n
	}
	w.sub(stepRun, func() {
		w.commandLine()
		w.num(runExit, code)
		if out != "" {
			w.sub(runCombined, func() { w.str(outputFull, out) })
		}
		if stdout != "" {
			w.sub(runStdout, func() { w.str(outputFull, stdout) })
		}
		if stderr != "" {
			w.sub(runStderr, func() { w.str(outputFull, stderr) })
		}
	})
	return true
}

// frameOf returns the tabs that older versions put before every line of their own.
func frameOf(text string) string { return text[:len(text)-len(strings.TrimLeft(text, "\t"))] }

// output returns what follows a heading, up to the next one when there is one. The product adds one line break behind it.
func output(text, head, next string) (string, bool) {
	frame := frameOf(text)
	rest, ok := strings.CutPrefix(text[len(frame):], head)
	if !ok {
		return "", false
	}
	rest = strings.TrimPrefix(rest, frame)
	if next != "" {
		if i := strings.LastIndex(rest, "\n"+frame+next); i >= 0 {
			return rest[:i], true
		}
	}
	return strings.TrimSuffix(rest, "\n"), true
}

// listDirectory reads one JSON object a line, then a sentence that counts them.
func listDirectory(w *writer) bool {
	entries, _, ok := jsonLines(w.body)
	empty := !strings.Contains(w.body, "\n") && strings.HasSuffix(w.body, " directory") && strings.Count(w.body, " ") == 1
	if !ok && !empty {
		return false
	}
	for _, e := range entries {
		if e["name"] == nil {
			return false
		}
	}
	w.sub(stepList, func() {
		w.str(listURI, interpret.FileURI(w.ask.argument("DirectoryPath")))
		for _, e := range entries {
			w.sub(listResults, func() {
				w.str(entryName, text(e["name"]))
				w.yes(entryIsDir, string(e["isDir"]) == "true")
				if n, err := strconv.ParseInt(text(e["numChildren"]), 10, 32); err == nil && e["numChildren"] != nil {
					w.num(entryChildren, n)
				}
				if n, err := strconv.ParseInt(text(e["sizeBytes"]), 10, 64); err == nil && e["sizeBytes"] != nil {
					w.num(entrySize, n)
				}
			})
		}
	})
	return true
}

func (w *writer) query() {
	w.str(grepQuery, w.ask.argument("Query"))
	if p := w.ask.argument("SearchPath"); p != "" {
		w.str(grepPath, interpret.FileURI(p))
	}
	w.yes(grepNoCase, w.ask.argument("CaseInsensitive") == "true")
	w.yes(grepRegex, w.ask.argument("IsRegex") == "true")
	for _, only := range w.ask.elements("Includes") {
		w.str(grepOnly, only)
	}
}

// elements returns the texts of an argument that is an array.
func (c *call) elements(name string) []string {
	list, _ := texts(jsontext.Value(c.argument(name)))
	return list
}

// grepSearch reads one JSON object a line for each place.
func grepSearch(w *writer) bool {
	hits, rest, ok := jsonLines(w.body)
	if !ok && w.body != "No results found" {
		return false
	}
	for _, h := range hits {
		if h["File"] == nil {
			return false
		}
	}
	if ok {
		w.aside("Told to the model", rest)
	}
	w.sub(stepGrep, func() {
		w.query()
		for _, h := range hits {
			w.sub(grepResults, func() {
				w.str(hitPath, text(h["File"]))
				if n, err := strconv.ParseUint(string(h["LineNumber"]), 10, 32); err == nil {
					w.num(hitLine, int64(n))
				}
				if h["LineContent"] != nil {
					w.str(hitContent, text(h["LineContent"]))
				}
			})
		}
	})
	return true
}

// jsonLines reads a text of one JSON object a line, and returns what follows them: sentences.
func jsonLines(body string) (list []map[string]jsontext.Value, rest string, ok bool) {
	for at := 0; at < len(body); {
		line, _, _ := strings.Cut(body[at:], "\n")
		next := at + len(line) + 1
		if strings.TrimSpace(line) == "" {
			at = next
			continue
		}
		if line[0] != '{' {
			return list, body[at:], len(list) > 0
		}
		object := make(map[string]jsontext.Value)
		if !eachMember(jsontext.Value(line), func(name string, v jsontext.Value) bool {
			object[name] = v.Clone()
			return true
		}) {
			return nil, "", false
		}
		list = append(list, object)
		at = next
	}
	return list, "", len(list) > 0
}

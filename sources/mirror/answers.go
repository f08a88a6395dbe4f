package mirror

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/sources/interpret"
)

// searchWeb takes the sentence before the summary off.
func searchWeb(w *writer) bool {
	query := w.ask.argument("query")
	rest, ok := strings.CutPrefix(w.body, `The search for "`+query+`" `)
	if !ok || w.ask == nil {
		return false
	}
	verb, summary, ok := strings.Cut(rest, " the following summary:\n")
	if !ok || strings.ContainsAny(verb, " \n") {
		return false
	}
	w.sub(stepWeb, func() {
		w.str(webQuery, query)
		w.str(webDomain, w.ask.argument("domain"))
		w.str(webSummary, summary)
	})
	return true
}

// subagentSteps is the heading of the list of steps behind a browser subagent's result.
var subagentSteps = pattern(`\n\n## \S+ Browser Subagent \S+:\n\n### Step [0-9]+: `)

// browserSubagent takes the heading before the result off.
func browserSubagent(w *writer) bool {
	result, ok := strings.CutPrefix(w.body, "Browser subagent result:\n")
	if !ok {
		return false
	}
	if at := subagentSteps().FindStringIndex(result); at != nil {
		w.aside("Steps of the subagent", strings.TrimLeft(result[at[0]:], "\n"))
		result = result[:at[0]]
	}
	w.sub(stepBrowser, func() {
		w.str(browserTask, w.ask.argument("Task"))
		w.str(browserResult, result)
		w.str(browserName, w.ask.argument("TaskName"))
		w.str(browserSummary, w.ask.argument("TaskSummary"))
		w.str(browserRecording, w.ask.argument("RecordingName"))
	})
	return true
}

// generateImage finds the sentence that says where the image lies.
func generateImage(w *writer) bool {
	_, rest, ok := strings.Cut(w.body, "\nGenerated image is ")
	if !ok {
		return false
	}
	line, _, _ := strings.Cut(rest, "\n")
	verb, path, ok := strings.Cut(strings.TrimSuffix(line, "."), " at ")
	if !ok || strings.Contains(verb, " ") {
		return false
	}
	w.sub(stepImage, func() {
		w.str(imagePrompt, w.ask.argument("Prompt"))
		w.str(imageName, w.ask.argument("ImageName"))
		w.str(imageRatio, w.ask.argument("AspectRatio"))
		for _, p := range w.ask.elements("ImagePaths") {
			w.str(imagePaths, p)
		}
		w.sub(imageMedia, func() { w.str(mediaURI, interpret.FileURI(path)) })
	})
	return true
}

// askQuestion joins the answers, «A1: …», to the questions of the call. An answer that is no option was written in.
func askQuestion(w *writer) bool {
	var asked []jsontext.Value
	if !eachElement(jsontext.Value(w.ask.argument("questions")), func(v jsontext.Value) bool {
		asked = append(asked, v.Clone())
		return true
	}) {
		return false
	}
	given := answers(w.body, len(asked))
	if given == nil {
		return false
	}
	w.sub(stepQuestion, func() {
		for i, q := range asked {
			w.sub(questions, func() { w.question(q, given[i]) })
		}
	})
	return true
}

func (w *writer) question(q jsontext.Value, answer string) {
	chosen := ""
	eachMember(q, func(name string, v jsontext.Value) bool {
		switch name {
		case "question":
			w.str(questionText, text(v))
		case "options":
			n := 0
			eachElement(v, func(o jsontext.Value) bool {
				n++
				id := strconv.Itoa(n)
				w.sub(questionOption, func() {
					w.str(optionID, id)
					w.str(optionText, text(o))
				})
				if text(o) == answer {
					chosen = id
				}
				return true
			})
		case "is_multi_select", "isMultiSelect":
			w.yes(questionMulti, string(v) == "true")
		}
		return true
	})
	if chosen != "" {
		w.str(questionChosen, chosen)
	} else {
		w.str(questionWrote, answer)
	}
}

// answers cuts «A1: …» to «An: …» apart; nil when they are not all there, once each.
func answers(body string, n int) []string {
	list := make([]string, 0, n)
	rest := "\n" + body
	for i := 1; i <= n; i++ {
		before, after, ok := strings.Cut(rest, "\nA"+strconv.Itoa(i)+": ")
		if !ok || i == 1 && before != "" {
			return nil
		}
		if i > 1 {
			list = append(list, before)
		}
		rest = after
	}
	if n == 0 {
		return nil
	}
	return append(list, rest)
}

package mirror

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/sources/interpret"
)

const (
	diffOpen  = "\n[diff_block_start]\n"
	diffClose = "\n[diff_block_end]"
)

// codeAction reads the account of an edit. The diff is shown as it stands; the call says the rest.
func codeAction(w *writer) bool {
	made, created := strings.CutPrefix(w.body, "Created file ")
	uri := ""
	switch {
	case created:
		uri, _, created = strings.Cut(made, " with requested content.")
	case strings.HasPrefix(w.body, "The following changes "):
		head, _, _ := strings.Cut(w.body, "\n")
		if _, path, ok := strings.Cut(head, " tool to: "); ok {
			path, _, _ = strings.Cut(path, ". If ")
			uri = interpret.FileURI(path)
		}
	}
	if uri == "" || strings.ContainsAny(uri, "\n") {
		return false
	}
	if at := strings.Index(w.body, diffOpen); at >= 0 {
		text := w.body[at+len(diffOpen):]
		if end := strings.LastIndex(text, diffClose); end >= 0 {
			text = text[:end]
		}
		w.hunks, w.changed = text, uri
	}
	w.sub(stepAction, func() {
		if created {
			w.created(uri)
		} else {
			w.sub(actionResult, func() { w.sub(resultEdit, func() { w.str(editedURI, uri) }) })
		}
		w.str(actionDescription, w.ask.argument("Description"))
		if !created {
			w.str(actionInstruction, w.ask.argument("Instruction"))
		}
	})
	return true
}

// created writes a file that the tool made, with the content the call gave. Where the call may write over a file, the text
// does not tell whether there was one, and the content is all that is known.
func (w *writer) created(uri string) {
	content := w.ask.argument("CodeContent")
	over := w.ask.argument("Overwrite") == "true"
	w.sub(actionSpec, func() {
		w.sub(specCreate, func() {
			w.str(createContent, content)
			w.sub(createPath, func() { w.str(pathURI, uri) })
			w.yes(createOver, over)
		})
	})
	if w.ask == nil || over {
		return
	}
	w.sub(actionResult, func() {
		w.sub(resultEdit, func() {
			w.sub(editedDiff, func() {
				w.sub(diffUnified, func() {
					for line := range strings.SplitSeq(content, "\n") {
						w.sub(diffLines, func() {
							w.str(lineText, line)
							w.num(lineType, insertLine)
						})
					}
				})
			})
			w.str(editedURI, uri)
			w.yes(editedNew, true)
		})
	})
}

// insertLine is UnifiedDiffLineType INSERT.
const insertLine = 1

// invokeSubagent reads one JSON object for each child, between two sentences.
func invokeSubagent(w *writer) bool {
	type child struct {
		id, log string
		spaces  []string
	}
	var children []child
	at := strings.IndexByte(w.body, '{')
	if at < 0 {
		return false
	}
	d := decoder([]byte(w.body[at:]))
	for {
		v, err := d.ReadValue()
		if err != nil || v.Kind() != '{' {
			break
		}
		var c child
		eachMember(v, func(name string, v jsontext.Value) bool {
			switch name {
			case "conversationId":
				c.id = text(v)
			case "logAbsoluteUri":
				c.log = text(v)
			case "workspaceUris":
				c.spaces, _ = texts(v)
			}
			return true
		})
		if c.id != "" {
			children = append(children, c)
		}
	}
	if len(children) == 0 {
		return false
	}
	w.sub(stepInvoke, func() {
		eachElement(jsontext.Value(w.ask.argument("Subagents")), func(v jsontext.Value) bool {
			w.sub(invokeSpecs, func() {
				eachMember(v, func(name string, v jsontext.Value) bool {
					switch name {
					case "TypeName":
						w.str(specType, text(v))
					case "Role":
						w.str(specRole, text(v))
					case "Prompt":
						w.str(specPrompt, text(v))
					}
					return true
				})
			})
			return true
		})
		for _, c := range children {
			w.sub(invokeResult, func() {
				w.str(childID, c.id)
				w.str(childLog, c.log)
				for _, space := range c.spaces {
					w.str(childSpaces, space)
				}
			})
		}
	})
	return true
}

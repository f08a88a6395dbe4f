package interpret

import (
	"strings"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// body is the member of the step's oneof: its field name and the message.
type body struct {
	name string
	view profile.View
}

// content collects the blocks of a step: its body, what its status means, why it failed, its task.
func (b *builder) content(r *row, bd body, w wrapper) {
	switch bd.name {
	case "":
	case "generic":
		b.tool(bd.view)
	default:
		b.show(bd.name, bd.view)
	}
	b.flushFacts("")
	b.beside(w.result)
	b.status(r)
	b.failure(r.failure)
	b.changedCall(r.metadata)
	b.attempts(r.metadata)
	b.background(r.task)
	if s := r.view.Sub(stepAnnotations).Sub(annotationSnapshot); s.Valid() {
		b.fact("Snapshot", s.Str(snapshotName))
	}
	r.view.Each(stepAttachments, func(v profile.View) bool {
		b.flat("Attachment", v)
		return true
	})
	b.flushFacts("")
	if len(b.a.scratch.blocks) == 0 {
		b.info("Nothing was recorded in this step.")
	}
}

// status says what a status other than done means for the reader.
func (b *builder) status(r *row) {
	switch status := b.step.GetStatus(); status {
	case "", "DONE", "ERROR":
	case "CLEARED":
		b.info("The product deleted the text of this step.")
	case "CANCELED":
		if !r.failure.Valid() {
			b.info("Canceled.")
		}
	case "INVALID":
		if !r.failure.Valid() {
			b.warning("The call was not valid and did not run.")
		}
	case "INTERRUPTED":
		b.warning("Interrupted.")
	case "PENDING", "RUNNING", "GENERATING", "WAITING", "QUEUED":
		b.warning(b.a.join("Did not finish (", status, " when saved)."))
	default:
		b.warning(b.a.join("Status ", status, "."))
	}
}

// changedCall shows arguments that were replaced before the call ran.
func (b *builder) changedCall(m profile.View) {
	call := m.Sub(metaCall)
	b.callOrigin(call)
	b.modifiedCall(m.Sub(metaModified), call)
	m.Each(metaChoices, func(v profile.View) bool {
		b.otherCall("Considered call", v)
		return true
	})
	b.plain("Reason for the choice", m.Str(metaChoiceReason))
}

// modifiedCall shows what a second record of the call says that the first does not: other arguments, or the provider's
// own id.
func (b *builder) modifiedCall(m, call profile.View) {
	if !m.Valid() {
		return
	}
	if changed := m.Str(callArguments); changed != "" && changed != call.Str(callArguments) {
		b.json("Arguments after a change", changed)
	}
	for _, more := range [...]profile.Field{callOriginal, callInvalid, callInvalidErr} {
		if text := m.Str(more); text != "" && text != call.Str(more) {
			b.code("Arguments after a change", "", text)
		}
	}
	if id := m.Str(callID); id != call.Str(callID) {
		b.fact("Id at the provider", id)
	}
	for _, name := range [...]string{m.Str(callName), m.Str(callOldName)} {
		if name != call.Str(callName) {
			b.fact("Name after a change", name)
		}
	}
	b.flushFacts("")
}

// attempts shows why earlier attempts of the model call failed.
func (b *builder) attempts(m profile.View) {
	m.Each(metaRetries, func(v profile.View) bool {
		if v.Str(retryError) != "" {
			b.code("Failed attempt", "", v.Str(retryError))
			b.fact("Trace", v.Str(retryTrace))
			b.fact("Trace link", v.Str(retryLink))
			b.factEnum("Reason", v, retryReason)
		}
		return true
	})
	b.flushFacts("Failed attempt")
}

// background shows the task a step became; the task's id is a field of the step.
func (b *builder) background(t profile.View) {
	if !t.Valid() {
		return
	}
	b.fact("Task", t.Str(taskID))
	b.fact("Title", t.Str(taskTitle))
	if d := t.Str(taskDescription); !b.holds(d) {
		b.fact("Description", d)
	}
	b.fact("Log", t.Str(taskLog))
	b.factTrue("Waits for approval of input", t, taskInput)
	b.flushFacts("Background task")
}

// failure shows an error: its headline as a notice, longer texts below it, each text once.
func (b *builder) failure(e profile.View) {
	if !e.Valid() {
		return
	}
	list := b.failureTexts(e)
	headline := "An error without a text was recorded."
	if len(list) > 0 {
		headline = list[0].text
	}
	b.summary(headline)
	b.alarm(headline)
	for i, t := range list {
		if i > 0 && (i >= maxCompared || !heldElsewhere(list, i) && !b.holds(t.text)) {
			b.code(t.label, jsonLanguage(t.text), t.text)
		}
	}
	if e.Int(errorCode) != 0 {
		b.fact("Error code", b.a.number(e.Int(errorCode)))
	}
	b.fact("Error id", e.Str(errorID))
	b.flushFacts("")
}

// alarm adds an error notice, or makes one of a notice that says the same already.
func (b *builder) alarm(text string) {
	for _, block := range b.a.scratch.blocks {
		if n := block.GetNotice(); n != nil && block.Text == text {
			n.Severity = doc.Severity_SEVERITY_ERROR
			return
		}
	}
	b.notice(doc.Severity_SEVERITY_ERROR, text)
}

// labeledText is a text with the name a reader sees.
type labeledText struct {
	label, text string
}

// failureTexts returns the texts of an error that are not empty, the one for people first.
func (b *builder) failureTexts(e profile.View) []labeledText {
	list := b.a.scratch.labeled[:0]
	add := func(label, text string) {
		if text != "" {
			list = append(list, labeledText{label, text})
		}
	}
	add("Error", e.Str(errorUser))
	add("Short error", e.Str(errorShort))
	add("Full error", e.Str(errorFull))
	add("Told to the model", e.Str(errorForModel))
	add("Details", e.Str(errorDetails))
	e.EachStr(errorRPC, func(s string) bool {
		add("Server details", s)
		return true
	})
	e.Each(errorParts, func(p profile.View) bool {
		add("Part", p.Str(partText))
		add("File", p.Str(partFile))
		add("Directory", p.Str(partDirectory))
		add("URL", p.Str(partURL))
		add("Code", p.Str(partCode))
		return true
	})
	b.a.scratch.labeled = list
	return list
}

// maxCompared is how many texts of an error are compared with each other. Real errors have ten.
const maxCompared = 32

// heldElsewhere reports whether another, shown text contains list[i], so that showing it again would only repeat it.
func heldElsewhere(list []labeledText, i int) bool {
	text := list[i].text
	for j, t := range list[:min(len(list), maxCompared)] {
		if j == i || len(t.text) < len(text) || len(t.text) == len(text) && j > i {
			continue
		}
		if strings.Contains(t.text, text) {
			return true
		}
	}
	return false
}

// jsonLanguage names JSON objects as such.
func jsonLanguage(text string) string {
	if len(text) > 1 && text[0] == '{' && text[len(text)-1] == '}' {
		return "json"
	}
	return ""
}

package mirror

import (
	"strings"

	"agy-reader/sources/profile"
)

// scaffold writes a step that is no tool's answer.
func (w *writer) scaffold() {
	switch w.r.kind {
	case "USER_INPUT":
		w.user()
	case plannerKind:
		w.planner()
	case errorKind:
		w.errorMessage()
	case "SYSTEM_MESSAGE":
		w.systemMessage()
	case "EPHEMERAL_MESSAGE":
		w.sub(stepEphemeral, func() { w.str(fleeting, w.body) })
	case "CONVERSATION_HISTORY":
		w.sub(stepHistory, func() { w.str(historyText, w.body) })
	case "KNOWLEDGE_ARTIFACTS":
		w.sub(stepKnowledge, func() { w.str(factsText, w.body) })
	case "CHECKPOINT":
		w.checkpoint()
	default:
		w.generic(w.body)
	}
	if w.r.kind != errorKind && w.r.failure != "" {
		w.sub(stepError, func() { w.failure(errorUser) })
	}
	if w.r.kind != plannerKind {
		w.aside("Thoughts", w.r.thinking)
		for i := range w.r.calls {
			w.aside("Call", w.r.calls[i].name+" "+w.r.calls[i].arguments)
		}
	}
}

func (w *writer) aside(label, text string) {
	if text != "" {
		w.asides = append(w.asides, aside{label, text})
	}
}

func (w *writer) planner() {
	w.sub(stepPlanner, func() {
		w.str(plannerText, w.body)
		w.str(plannerThinking, w.r.thinking)
		for i := range w.r.calls {
			w.sub(plannerCalls, func() { w.call(&w.r.calls[i]) })
		}
		w.str(plannerModified, w.body)
	})
}

// errorMessage writes an error. Its text for the model is in a member of its own; what stands in the content repeats it.
func (w *writer) errorMessage() {
	text := w.r.failure
	if text == "" {
		w.r.failure, text = w.body, w.body
	}
	w.sub(stepFailure, func() { w.sub(failureError, func() { w.failure(errorFor) }) })
	if !strings.HasSuffix(w.body, text) {
		w.aside("Text", w.body)
	}
}

func (w *writer) failure(f profile.Field) {
	w.str(f, w.r.failure)
	if w.r.code != 0 {
		w.num(errorCode, w.r.code)
	}
}

const (
	systemOpen  = "<SYSTEM_MESSAGE>\n"
	systemClose = "\n</SYSTEM_MESSAGE>"
)

// systemMessage writes a notice of the product or a message of another agent, without the shell that tells the model so.
func (w *writer) systemMessage() {
	text := w.body
	if _, inner, ok := strings.Cut(text, "\n"+systemOpen); ok {
		if inner, ok = strings.CutSuffix(strings.TrimRight(inner, "\n"), systemClose); ok {
			text = inner
		}
	}
	w.sub(stepSystem, func() {
		w.str(systemText, text)
		sender, priority, content, ok := message(text)
		if !ok {
			return
		}
		w.sub(systemAgent, func() {
			w.str(agentSender, sender)
			w.enumValue(agentPriority, w.c.priorities, strings.TrimPrefix(priority, "MESSAGE_PRIORITY_"))
			w.str(agentContent, content)
		})
	})
}

// message takes «[Message] timestamp=… sender=… priority=… content=…» apart.
func message(text string) (sender, priority, content string, ok bool) {
	rest, ok := strings.CutPrefix(text, "[Message] timestamp=")
	if !ok {
		return "", "", "", false
	}
	if _, rest, ok = strings.Cut(rest, " sender="); !ok {
		return "", "", "", false
	}
	if sender, rest, ok = strings.Cut(rest, " priority="); !ok || strings.ContainsAny(sender, " \n") {
		return "", "", "", false
	}
	priority, content, ok = strings.Cut(rest, " content=")
	return sender, priority, content, ok && !strings.ContainsAny(priority, " \n")
}

func (w *writer) media(f profile.Field) {
	for _, m := range w.r.media {
		w.sub(f, func() {
			w.str(mediaMime, m.mime)
			w.str(mediaURI, m.uri)
		})
	}
}

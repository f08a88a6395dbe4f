package mirror

import (
	"strings"
	"time"
)

// writer writes one line as a stored step.
type writer struct {
	wire
	r *record
	// kind is the kind of the step: the line's, or that of the tool whose form the text has.
	kind string
	// ask is the call the line answers, nil when none is known.
	ask *call
	// started and completed come out of the first lines of a result, body is what follows them.
	started, completed time.Time
	body               string
	// asides are texts of the line that the stored form has no place for.
	asides []aside
	// cut is how many bytes the product left out of the line.
	cut uint64
	// hunks is the diff of an edit in the unified form, changed the file.
	hunks, changed string
}

// aside is a text that is shown behind the step's own content.
type aside struct{ label, text string }

const genericKind = "GENERIC"

// newWriter appends to buf.
func newWriter(c *codec, r *record, ask *call, buf []byte) *writer {
	return &writer{wire: wire{c: c, buf: buf}, r: r, ask: ask, kind: r.kind}
}

// write writes the line.
func (w *writer) write() {
	r := w.r
	w.uncut()
	w.body = r.content
	isResult := !scaffolding[r.kind]
	if isResult || r.kind == errorKind {
		w.header()
	}
	patch := w.kindAt()
	w.enumValue(stepStatus, w.c.statuses, r.status)
	w.metadata()
	if isResult {
		w.result()
	} else {
		w.scaffold()
	}
	patch(w.c.kinds[w.kind])
}

// kindAt writes the kind's number in two bytes, and returns the function that says which. The text decides it in the end.
func (w *writer) kindAt() func(n int64) {
	if w.c.kinds[w.r.kind] == 0 || !w.tag(stepType, varint) {
		return func(int64) {}
	}
	at := len(w.buf)
	w.buf = append(w.buf, 0, 0)
	return func(n int64) { w.buf[at], w.buf[at+1] = byte(n&0x7f|0x80), byte(n>>7) }
}

// uncut puts words of ours where the product cut a text.
func (w *writer) uncut() {
	for _, name := range w.r.cut {
		switch name {
		case "content":
			w.cutText(&w.r.content)
		case "thinking":
			w.cutText(&w.r.thinking)
		case "error":
			w.cutText(&w.r.failure)
		}
	}
	for i := range w.r.calls {
		w.cut += w.r.calls[i].cut
	}
}

func (w *writer) cutText(s *string) {
	n, _ := cutBytes(*s)
	w.cut += n
	*s = marked(*s)
}

const (
	createdPrefix   = "Created At: "
	completedPrefix = "Completed At: "
)

// header takes the times off the beginning of a result. They are the product's only when the first says the second of the
// line itself: a file may begin with the same words.
func (w *writer) header() {
	first, rest, _ := strings.Cut(w.body, "\n")
	started, ok := stamp(first, createdPrefix)
	if own := w.createdAt(); !ok || own.IsZero() || own.Unix() != started.Unix() {
		return
	}
	w.started, w.body = started, rest
	if second, rest, _ := strings.Cut(w.body, "\n"); strings.HasPrefix(second, completedPrefix) {
		if completed, ok := stamp(second, completedPrefix); ok {
			w.completed, w.body = completed, rest
		}
	}
}

func stamp(line, prefix string) (time.Time, bool) {
	text, ok := strings.CutPrefix(strings.TrimRight(line, "\r"), prefix)
	if !ok {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	return t, err == nil && t.Year() > 1970 && t.Year() < 2262
}

// createdAt is the line's own time; the zero time when it has none that can be read.
func (w *writer) createdAt() time.Time {
	t, err := time.Parse(time.RFC3339Nano, w.r.created)
	if err != nil || t.Unix() <= 0 || t.Year() >= 2262 {
		return time.Time{}
	}
	return t
}

// metadata writes what the line says beside its texts.
func (w *writer) metadata() {
	w.sub(stepMetadata, func() {
		w.time(metaCreated, w.createdAt())
		w.enumValue(metaSource, w.c.sources, w.r.source)
		if w.ask != nil {
			w.sub(metaCall, func() { w.call(w.ask) })
		}
		w.time(metaCompleted, w.completed)
		if w.r.input != nil || w.r.output != nil || w.r.cached != nil {
			w.sub(metaUsage, w.usage)
		}
		w.str(metaSummary, w.ask.argument("toolSummary"))
		w.str(metaAction, w.ask.argument("toolAction"))
	})
}

func (w *writer) usage() {
	if n := w.r.input; n != nil {
		w.num(usageInput, int64(*n))
	}
	if n := w.r.output; n != nil {
		w.num(usageOutput, int64(*n))
	}
	if n := w.r.cached; n != nil {
		w.num(usageCached, int64(*n))
	}
}

func (w *writer) call(c *call) {
	w.str(callName, c.name)
	w.str(callArguments, c.arguments)
	if c.isCut {
		w.str(callWhy, cutWords(c.cut, "these arguments"))
	}
}

// result writes the answer of a tool: in the form of its kind when the text has it, else as the text it is.
func (w *writer) result() {
	if w.failed() {
		return
	}
	w.task()
	if show := results[w.toolKind()]; show != nil && show(w) {
		w.kind = w.toolKind()
		return
	}
	w.generic(w.body)
}

// toolKind is the kind of step that the line is about, also where it says only that a tool was used.
func (w *writer) toolKind() string {
	if w.r.kind == genericKind && w.ask != nil {
		return kindOf[w.ask.name]
	}
	return w.r.kind
}

// generic writes the answer as it is.
func (w *writer) generic(text string) {
	w.sub(stepGeneric, func() {
		if w.ask != nil {
			for _, a := range w.ask.list {
				if a.name != "toolAction" && a.name != "toolSummary" {
					w.entry(genericArgs, a.name, a.text)
				}
			}
		}
		w.sub(genericResult, func() {
			w.str(resultText, text)
			w.media(resultMedia)
		})
	})
}

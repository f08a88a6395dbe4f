package interpret

import (
	"strings"

	"agy-reader/sources/profile"
)

// wrapper is what stands around a body: the typed step inside a GENERIC one, if there is any.
type wrapper struct {
	step profile.View
	// path is where that step lies, below the outer one.
	path string
	// result is the wrapper's own account of what the tool gave.
	result profile.View
}

// unwrap finds the body of the step. A GENERIC step that carries a whole step has the body of that step; the outer step
// keeps its own status, times, call and error.
func (ip *Interpreter) unwrap(b *builder) (body, wrapper) {
	name, v, ok := b.row.view.Which("step")
	if !ok {
		return body{}, wrapper{}
	}
	if name != "generic" {
		return body{name, v}, wrapper{}
	}
	inner, path := ip.payload(v.Sub(genericResult))
	innerName, innerBody, ok := inner.Which("step")
	if !ok || innerName == "generic" {
		return body{name, v}, wrapper{}
	}
	return body{innerName, innerBody}, wrapper{step: inner, path: path, result: v.Sub(genericResult)}
}

// payload opens the step that a wrapper carries and says where it lies; the zero View when it carries none.
func (ip *Interpreter) payload(result profile.View) (step profile.View, path string) {
	for _, c := range [...]struct {
		field profile.Field
		path  string
	}{{resultPayload, "generic.result.payload"}, {resultData, "generic.result.data"}} {
		if !result.Has(c.field) {
			continue
		}
		url, content := result.Any(c.field)
		if content.Valid() {
			if content.Message() == stepMessage {
				return content, c.path
			}
			return profile.View{}, ""
		}
		// A type URL of another host or package still names a step. Its bytes must say so too.
		if !strings.HasSuffix(url, ".Step") {
			return profile.View{}, ""
		}
		raw := result.Sub(c.field).Bytes(anyValue)
		found := new(profile.Findings)
		if err := ip.profile.Check(stepMessage, raw, "", found); err != nil || !found.Clean() {
			return profile.View{}, ""
		}
		return ip.res.View(stepMessage, raw, found), c.path
	}
	return profile.View{}, ""
}

// beside shows what a wrapper says that the typed step inside does not: files, labels, facts. Its text is the typed result
// as the model saw it, and its output file a copy of that.
func (b *builder) beside(result profile.View) {
	if !result.Valid() {
		return
	}
	result.Each(resultMedia, func(m profile.View) bool {
		if uri := m.Str(mediaURI); uri == "" || !b.showsMedia(uri) {
			b.media("", m)
		}
		return true
	})
	render := result.Sub(resultRender)
	if title := render.Str(renderTitle); !b.contains(title) {
		b.fact("Title", b.heading(render))
	}
	if text := render.Str(renderMarkdown); !b.contains(text) {
		b.markdown("", text)
	}
	for _, f := range [...]struct {
		view  profile.View
		field profile.Field
	}{{render, renderMetadata}, {result, resultMetadata}} {
		f.view.EachEntry(f.field, func(key, value string) bool {
			b.fact(key, value)
			return true
		})
	}
	b.flushFacts("Details")
}

// showsMedia reports whether a block so far shows the file.
func (b *builder) showsMedia(uri string) bool {
	for _, block := range b.a.scratch.blocks {
		if block.GetMedia().GetUri() == uri {
			return true
		}
	}
	return false
}

// inherit lets the step inside a wrapper say what the wrapper does not.
func (ip *Interpreter) inherit(b *builder, w wrapper) {
	in := w.step
	if in.Int(stepType) != 0 {
		b.step.Kind = in.Enum(stepType)
	}
	m := in.Sub(stepMetadata)
	if c := in.Sub(stepMetadata).Sub(metaCall); b.step.Call == nil && c.Valid() {
		b.step.Call = b.a.call(c)
	}
	if c := b.step.Call; c != nil {
		if c.Summary == "" {
			c.Summary = m.Str(metaSummary)
		}
		if c.Action == "" {
			c.Action = m.Str(metaAction)
		}
	}
	if b.step.StartedNs == nil {
		if ns, ok := m.Time(metaStarted); ok {
			b.step.StartedNs = b.a.int64(ns)
		}
	}
	r := b.row
	if !r.failure.Valid() {
		r.failure = in.Sub(stepError)
	}
	if !r.task.Valid() {
		r.task = in.Sub(stepTask)
		b.step.TaskId = r.task.Str(taskID)
	}
	b.step.Role = role(b.step.GetKind(), r.metadata.Enum(metaSource), b.step.Call != nil)
}

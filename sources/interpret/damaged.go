package interpret

import (
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// payloadColumn is the place of the bytes of a step that could not be decoded.
const payloadColumn = "column step_payload"

// damaged yields a step whose payload is not a protobuf message: what the columns say, and the bytes.
func (ip *Interpreter) damaged(s *Session, in *Input, a *Arena, r *row, cause error, yield func(*doc.Event) error) error {
	f := r.findings
	f.Reset()
	r.native, r.display, r.onlys = nil, nil, nil
	r.view = ip.res.View(stepMessage, nil, f)
	if err := ip.fromColumns(s, in, a, r); err != nil {
		return err
	}
	r.found, r.more = collect(f, ""), f.More
	b := ip.begin(s, a, r)
	ev := ip.envelope(b, r)
	if s.Want.Blocks {
		b.notice(doc.Severity_SEVERITY_ERROR, "The stored content of this step could not be decoded.")
		b.failure(r.failure)
		b.background(r.task)
		b.finish()
	}
	ip.columnsJSON(s, in, a, r)
	ev.step.NativeJson, ev.step.DisplayJson, ev.step.SourceOnly = r.native, r.display, r.onlys
	u := a.unknowns.next()
	u.Path, u.WireType, u.Value = payloadColumn, protoBytes, in.Payload
	a.scratch.unk = append(append(a.scratch.unk[:0], u), f.Unknown...)
	ev.step.Unknown = a.lists.unknowns.keep(a.scratch.unk)
	if err := yield(&ev.event); err != nil {
		return err
	}
	n := a.note()
	n.note.Kind, n.note.Severity, n.note.Incomplete = "damage", doc.Severity_SEVERITY_ERROR, true
	n.note.Anchor = r.anchor
	n.note.Text = a.join("Step ", a.number(int64(in.Index)), " could not be decoded: ", cause.Error(), ".")
	if err := yield(&n.event); err != nil {
		return err
	}
	return notes(a, r, theStep, yield)
}

// columnsJSON makes the JSON forms of a step that only its columns describe: the members they have in the product's form.
// Columns whose text had to be repaired are kept whole beside the display form.
func (ip *Interpreter) columnsJSON(s *Session, in *Input, a *Arena, r *row) {
	if !s.Want.Native && !s.Want.Display {
		return
	}
	size := len(in.Metadata) + len(in.Error) + len(in.TaskDetails)
	buf := append(a.texts.open(size+size*2/5+256), '{')
	member := func(name string) {
		if len(buf) > 1 {
			buf = append(buf, ',')
		}
		buf = append(append(append(buf, '"'), name...), '"', ':')
	}
	if r.kind > 0 {
		member("type")
		buf = ip.res.AppendEnum(buf, stepType, r.kind)
	}
	if r.status > 0 {
		member("status")
		buf = ip.res.AppendEnum(buf, stepStatus, r.status)
	}
	a.scratch.onlys = a.scratch.onlys[:0]
	repaired := len(r.findings.BadText)+r.findings.More > 0
	for _, c := range [...]struct {
		name, message string
		view          profile.View
		raw           []byte
	}{
		{"metadata", metadataMessage, r.metadata, in.Metadata},
		{"error", errorMessage, r.failure, in.Error},
		{"taskDetails", taskMessage, r.task, in.TaskDetails},
	} {
		if !c.view.Valid() {
			continue
		}
		member(c.name)
		buf = c.view.AppendJSON(buf)
		if repaired {
			o := a.onlys.next()
			o.Path, o.Message, o.Value = c.name, c.message, c.raw
			a.scratch.onlys = append(a.scratch.onlys, o)
		}
	}
	text := a.texts.closeBytes(append(buf, '}'))
	if s.Want.Native {
		r.native = text
	}
	if s.Want.Display {
		r.display, r.onlys = text, a.lists.onlys.keep(a.scratch.onlys)
	}
}

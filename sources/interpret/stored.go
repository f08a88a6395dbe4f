package interpret

import (
	"fmt"
	"strconv"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// row is one step on its way: its view, its place, and what the walk over its bytes found.
type row struct {
	view     profile.View
	metadata profile.View
	failure  profile.View
	task     profile.View
	index    uint32
	anchor   string
	depth    int
	// kind and status are used when the payload does not say.
	kind, status int64
	findings     *profile.Findings
	// found are the findings about this step and the steps nested in it, more the number of those that were not listed.
	found []finding
	more  int
	// raw are the bytes of the step; native, display and onlys its JSON forms.
	raw             []byte
	native, display []byte
	onlys           []*doc.SourceOnly
}

func (ip *Interpreter) stored(s *Session, in *Input, a *Arena, yield func(*doc.Event) error) error {
	f := &a.findings
	f.Reset()
	r := &a.rows[0]
	*r = row{
		index: in.Index, anchor: a.anchor("step", in.Index), kind: in.StepType, status: in.Status,
		findings: f, raw: in.Payload,
	}
	if err := ip.json(s, a, r); err != nil {
		if s.Want.Strict {
			return fmt.Errorf("step %d: %w: %w", in.Index, sources.ErrPartial, err)
		}
		return ip.damaged(s, in, a, r, err, yield)
	}
	if s.Want.Strict {
		if what := firstUnknown(f); what != "" {
			return fmt.Errorf("step %d: %s: %w", in.Index, what, sources.ErrUnknown)
		}
	}
	v := ip.res.View(stepMessage, in.Payload, f)
	r.view, r.metadata, r.failure, r.task = v, v.Sub(stepMetadata), v.Sub(stepError), v.Sub(stepTask)
	if err := ip.fromColumns(s, in, a, r); err != nil {
		return err
	}
	r.found, r.more = collect(f, ""), f.More
	return ip.step(s, a, r, yield)
}

// fromColumns lets the row's own copies speak for fields the payload lacks.
func (ip *Interpreter) fromColumns(s *Session, in *Input, a *Arena, r *row) error {
	for _, c := range []struct {
		column  string
		message string
		raw     []byte
		view    *profile.View
	}{
		{"metadata", metadataMessage, in.Metadata, &r.metadata},
		{"error_details", errorMessage, in.Error, &r.failure},
		{"task_details", taskMessage, in.TaskDetails, &r.task},
	} {
		if len(c.raw) == 0 || c.view.Valid() {
			continue
		}
		f := new(profile.Findings)
		if err := ip.profile.Check(c.message, c.raw, c.column, f); err != nil {
			if s.Want.Strict {
				return fmt.Errorf("step %d: column %s: %w: %w", in.Index, c.column, sources.ErrPartial, err)
			}
			u := a.unknowns.next()
			u.Path, u.WireType, u.Value = "column "+c.column, uint32(protoBytes), c.raw
			r.findings.Unknown = append(r.findings.Unknown, u)
			continue
		}
		if what := firstUnknown(f); s.Want.Strict && what != "" {
			return fmt.Errorf("step %d: column %s: %s: %w", in.Index, c.column, what, sources.ErrUnknown)
		}
		r.findings.Unknown = append(r.findings.Unknown, f.Unknown...)
		r.findings.UnknownEnums = append(r.findings.UnknownEnums, f.UnknownEnums...)
		r.findings.UnknownWrappers = append(r.findings.UnknownWrappers, f.UnknownWrappers...)
		r.findings.BadText = append(r.findings.BadText, f.BadText...)
		r.findings.BadValues = append(r.findings.BadValues, f.BadValues...)
		r.findings.More += f.More
		*c.view = ip.res.View(c.message, c.raw, r.findings)
	}
	return nil
}

const protoBytes = 2

// firstUnknown describes the first thing the profile does not know, and is empty when it knows everything.
func firstUnknown(f *profile.Findings) string {
	switch {
	case len(f.Unknown) > 0:
		u := f.Unknown[0]
		return "unknown field " + strconv.FormatUint(uint64(u.GetNumber()), 10) + " in " + orStep(u.GetPath())
	case len(f.UnknownEnums) > 0:
		return "unknown enum value " + f.UnknownEnums[0]
	case len(f.UnknownWrappers) > 0:
		return "unknown wrapper " + f.UnknownWrappers[0]
	case f.More > 0:
		return "more unknown content than is listed"
	}
	return ""
}

// theStep is what a note calls the step itself.
const theStep = "the step"

func orStep(path string) string {
	if path == "" {
		return theStep
	}
	return path
}

// anchor returns parent-index.
func (a *Arena) anchor(parent string, index uint32) string {
	buf := append(a.texts.open(len(parent)+11), parent...)
	buf = strconv.AppendUint(append(buf, '-'), uint64(index), 10)
	return a.texts.closeText(buf)
}

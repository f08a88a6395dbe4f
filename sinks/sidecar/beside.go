package sidecar

import (
	"encoding/json"
	"strconv"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// object appends members with a comma between them.
type object struct {
	dst   []byte
	begun bool
}

func (o *object) name(name string) {
	if o.begun {
		o.dst = append(o.dst, ',')
	}
	o.begun = true
	o.dst = append(append(append(o.dst, '"'), name...), `":`...)
}

// text appends a member unless its value is empty.
func (o *object) text(name, value string) {
	if value != "" {
		o.name(name)
		o.dst = appendString(o.dst, value)
	}
}

func (o *object) number(name string, value uint64) {
	o.name(name)
	o.dst = strconv.AppendUint(o.dst, value, 10)
}

func (o *object) optional(name string, value *uint64) {
	if value != nil {
		o.number(name, *value)
	}
}

func (o *object) yes(name string, value bool) {
	if value {
		o.name(name)
		o.dst = append(o.dst, "true"...)
	}
}

func (o *object) time(name string, ns *int64) { o.text(name, present.MachineTime(ns)) }

// appendAttachment appends a file beside the steps with what a document shows of it. conversation is the subagent it belongs
// to, empty for the conversation itself.
func appendAttachment(dst []byte, a *transcriptv1.Attachment, conversation string) []byte {
	o := object{dst: append(dst, '{')}
	o.text("conversation", conversation)
	o.text("kind", a.GetKind())
	o.text("name", a.GetName())
	o.text("uri", a.GetUri())
	o.text("mimeType", a.GetMimeType())
	o.optional("size", a.Size)
	o.text("sha256", a.GetSha256())
	o.time("updated", a.UpdatedNs)
	if href, safe := present.RelativeHref(a.GetHref()); safe {
		o.text("href", href)
	}
	o.text("anchor", a.GetAnchor())
	for i, b := range a.GetBlocks() {
		if i == 0 {
			o.name("blocks")
			o.dst = append(o.dst, '[')
		} else {
			o.dst = append(o.dst, ',')
		}
		block := object{dst: append(o.dst, '{')}
		block.text("kind", b.GetKind())
		block.text("label", b.GetLabel())
		block.text("text", b.GetText())
		o.dst = append(block.dst, '}')
	}
	if len(a.GetBlocks()) > 0 {
		o.dst = append(o.dst, ']')
	}
	return append(o.dst, '}')
}

func appendNote(dst []byte, n *transcriptv1.Note, conversation string) []byte {
	o := object{dst: append(dst, '{')}
	o.text("conversation", conversation)
	o.text("kind", n.GetKind())
	o.text("severity", present.Severity(n.GetSeverity()))
	o.text("text", n.GetText())
	o.text("anchor", n.GetAnchor())
	if n.FirstIndex != nil && n.LastIndex != nil {
		o.number("firstIndex", uint64(n.GetFirstIndex()))
		o.number("lastIndex", uint64(n.GetLastIndex()))
	}
	if c := n.GetCall(); c != nil {
		o.text("callId", c.GetId())
		o.text("callName", c.GetName())
		if json.Valid([]byte(c.GetArgumentsJson())) {
			o.text("callArgumentsJson", c.GetArgumentsJson())
		} else {
			o.text("callArguments", c.GetArgumentsJson())
		}
	}
	o.yes("incomplete", n.GetIncomplete())
	return append(o.dst, '}')
}

// appendHead appends what the header says beyond the trajectory's own members.
func appendHead(dst []byte, h *transcriptv1.Header) []byte {
	o := object{dst: dst, begun: true}
	o.text("title", h.GetTitle().GetValue())
	o.text("titleOrigin", h.GetTitle().GetOrigin())
	o.text("project", h.GetProject().GetValue())
	o.text("projectOrigin", h.GetProject().GetOrigin())
	o.text("surface", h.GetSurface())
	o.time("created", h.CreatedNs)
	o.text("createdOrigin", h.GetCreatedOrigin())
	o.time("updated", h.UpdatedNs)
	o.text("updatedOrigin", h.GetUpdatedOrigin())
	o.text("resumeCommand", h.GetResumeCommand())
	if href, safe := present.DocumentHref(h.GetParentHref(), Suffix); safe {
		o.text("parentHref", href)
	}
	return o.dst
}

// appendFoot appends what the end says of a trajectory.
func appendFoot(dst []byte, f *transcriptv1.Footer) []byte {
	o := object{dst: dst, begun: true}
	o.text("completeness", f.GetCompleteness())
	o.yes("incomplete", f.GetIncomplete())
	o.dst = appendUsage(o.dst, "usage", f.GetUsage())
	o.dst = appendUsage(o.dst, "usageWithChildren", f.GetUsageWithChildren())
	for i, p := range f.GetParts() {
		o.dst = appendNext(o.dst, "parts", i)
		part := object{dst: append(o.dst, '{')}
		part.text("source", p.GetSource())
		part.text("location", p.GetLocation())
		part.number("steps", uint64(p.GetSteps()))
		o.dst = append(part.dst, '}')
	}
	o.dst = appendLast(o.dst, len(f.GetParts()))
	for i, c := range f.GetOverview().GetChildren() {
		o.dst = appendNext(o.dst, "children", i)
		o.dst = appendChild(o.dst, c)
	}
	o.dst = appendLast(o.dst, len(f.GetOverview().GetChildren()))
	if more := f.GetOverview().GetMoreChildren(); more > 0 {
		o.number("moreChildren", uint64(more))
	}
	return appendFiles(o.dst, f)
}

func appendChild(dst []byte, c *transcriptv1.Child) []byte {
	o := object{dst: append(dst, '{')}
	o.text("conversationId", c.GetConversationId())
	o.text("anchor", c.GetAnchor())
	o.text("title", c.GetTitle())
	o.text("state", c.GetState())
	if href, safe := present.DocumentHref(c.GetHref(), Suffix); safe {
		o.text("href", href)
	}
	return append(o.dst, '}')
}

// appendFiles appends the files beside the document and those that are missing.
func appendFiles(dst []byte, f *transcriptv1.Footer) []byte {
	for i, a := range f.GetAssets() {
		o := object{dst: append(appendNext(dst, "assets", i), '{')}
		o.text("name", a.GetName())
		o.text("mimeType", a.GetMimeType())
		o.number("size", a.GetSize())
		o.text("sha256", a.GetSha256())
		o.text("href", a.GetHref())
		o.text("storePath", a.GetStorePath())
		o.text("anchor", a.GetAnchor())
		dst = append(o.dst, '}')
	}
	dst = appendLast(dst, len(f.GetAssets()))
	for i, m := range f.GetMissingFiles() {
		o := object{dst: append(appendNext(dst, "missingFiles", i), '{')}
		o.text("name", m.GetName())
		o.text("anchor", m.GetAnchor())
		o.text("reason", m.GetReason())
		dst = append(o.dst, '}')
	}
	return appendLast(dst, len(f.GetMissingFiles()))
}

// appendUsage appends token counts; one that was not recorded is not there.
func appendUsage(dst []byte, name string, u *transcriptv1.Usage) []byte {
	if u == nil {
		return dst
	}
	o := object{dst: append(append(append(dst, `,"`...), name...), `":{`...)}
	o.number("calls", uint64(u.GetCalls()))
	o.optional("inputTokens", u.InputTokens)
	o.optional("outputTokens", u.OutputTokens)
	o.optional("cacheReadTokens", u.CacheReadTokens)
	o.optional("cacheWriteTokens", u.CacheWriteTokens)
	o.optional("thinkingTokens", u.ThinkingTokens)
	o.optional("responseTokens", u.ResponseTokens)
	return append(o.dst, '}')
}

// appendNext begins an element of the array name, which it opens for the first. appendLast closes an array of n elements.
func appendNext(dst []byte, name string, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return append(append(append(dst, `,"`...), name...), `":[`...)
}

func appendLast(dst []byte, n int) []byte {
	if n == 0 {
		return dst
	}
	return append(dst, ']')
}

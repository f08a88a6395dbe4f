package interpret

import (
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// usage fills model, usage and extra usage of the step. The step's own usage counts; a checkpoint of newer versions has
// it only in the attempt without an error. Other attempts were billed too when they carry another id.
func (b *builder) usage(m profile.View) {
	own := m.Sub(metaUsage)
	main := own
	if !main.Valid() {
		m.Each(metaRetries, func(v profile.View) bool {
			if u := v.Sub(retryUsage); u.Valid() && v.Str(retryError) == "" {
				main = u
			}
			return true
		})
	}
	if !main.Valid() && b.step.GetKind() != "PLANNER_RESPONSE" {
		b.extraUsage(m, main)
		return
	}
	if main.Valid() {
		b.step.Usage = b.tokens(main)
		b.step.Model = b.step.Usage.GetModel()
	}
	if b.step.GetModel() == "" && m.Int(metaModel) != 0 {
		b.step.Model = b.modelName(m.Enum(metaModel))
	}
	b.extraUsage(m, main)
}

func (b *builder) extraUsage(m, main profile.View) {
	list := b.a.scratch.usages[:0]
	m.Each(metaRetries, func(v profile.View) bool {
		u := v.Sub(retryUsage)
		if !u.Valid() || sameCall(u, main) || !billed(u) {
			return true
		}
		t := b.tokens(u)
		for _, seen := range list[max(len(list)-maxCompared, 0):] {
			if seen.GetResponseId() == t.GetResponseId() && seen.GetMessageId() == t.GetMessageId() {
				return true
			}
		}
		list = append(list, t)
		return true
	})
	b.a.scratch.usages = list
	b.step.ExtraUsage = b.a.lists.usages.keep(list)
}

// sameCall reports whether two records are about one model call.
func sameCall(x, y profile.View) bool {
	if !y.Valid() {
		return false
	}
	for _, id := range [...]profile.Field{usageResponseID, usageAssignedID, usageMessageID} {
		if x.Str(id) != "" && x.Str(id) == y.Str(id) {
			return true
		}
	}
	return view(x.Raw()) == view(y.Raw())
}

func billed(v profile.View) bool {
	return v.Uint(usageInput)|v.Uint(usageOutput)|v.Uint(usageCacheRead)|v.Uint(usageCacheWrite) != 0
}

// tokens copies one usage record. A count that the wire leaves out stays absent.
func (b *builder) tokens(v profile.View) *doc.Usage {
	u := b.a.usages.next()
	u.ResponseId, u.MessageId = v.Str(usageResponseID), v.Str(usageMessageID)
	if u.MessageId == "" {
		u.MessageId = v.Str(usageAssignedID)
	}
	u.Model = b.s.Models[u.ResponseId]
	if u.Model == "" && v.Int(usageModel) != 0 {
		u.Model = b.modelName(v.Enum(usageModel))
	}
	if v.Int(usageProvider) != 0 {
		u.Provider = v.Enum(usageProvider)
	}
	u.InputTokens = b.count(v, usageInput)
	u.OutputTokens = b.count(v, usageOutput)
	u.CacheReadTokens = b.count(v, usageCacheRead)
	u.CacheWriteTokens = b.count(v, usageCacheWrite)
	u.ThinkingTokens = b.count(v, usageThinking)
	u.ResponseTokens = b.count(v, usageResponse)
	return u
}

// modelName is the name people know a model by, or its enum name.
func (b *builder) modelName(enum string) string {
	if name := b.s.Models[enum]; name != "" {
		return name
	}
	return enum
}

func (b *builder) count(v profile.View, f profile.Field) *uint64 {
	if !v.Has(f) {
		return nil
	}
	return b.a.uint64(v.Uint(f))
}

package interpret

import (
	"math"

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
	b.step.ExtraUsage = b.a.lists.usages.keep(b.billedAttempts(m, metaRetries, main))
}

// billedAttempts returns the attempts of a call that were billed beside the one that counts, each once. The list is good until
// the next use.
func (b *builder) billedAttempts(v profile.View, retries profile.Field, main profile.View) []*doc.Usage {
	list := b.a.scratch.usages[:0]
	v.Each(retries, func(v profile.View) bool {
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
	return list
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
	for _, f := range [...]profile.Field{usageInput, usageOutput, usageCacheRead, usageCacheWrite} {
		if n := v.Uint(f); n != 0 && recorded(n) {
			return true
		}
	}
	return false
}

// recorded reports whether a count can be one: software writes the highest number of a type for «not known», and no call
// has tokens by the trillion.
func recorded(n uint64) bool {
	const most = 1 << 40
	return n < most && n != math.MaxInt32 && n != math.MaxUint32
}

// tokens copies one usage record. A count that the wire leaves out, or that stands for «not known», stays absent.
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
	if name := placeholders[enum]; name != "" {
		return name
	}
	return enum
}

// placeholders are models that the product's schema has no name for, by what their own answers called them: seen beside
// the number in real conversations, the last five in public reports.
var placeholders = map[string]string{
	"PLACEHOLDER_M26": "claude-opus-4-6-thinking", "PLACEHOLDER_M35": "claude-sonnet-4-6", "PLACEHOLDER_M73": "gemini-3.6-flash",
	"PLACEHOLDER_M36": "gemini-3.1-pro-low", "PLACEHOLDER_M318": "gemini-3.8-flash", "PLACEHOLDER_M319": "gemini-3.8-flash",
	"PLACEHOLDER_M320": "gemini-3.8-flash", "PLACEHOLDER_M322": "gemini-3.8-flash-tiered",
}

func (b *builder) count(v profile.View, f profile.Field) *uint64 {
	if n := v.Uint(f); v.Has(f) && recorded(n) {
		return b.a.uint64(n)
	}
	return nil
}

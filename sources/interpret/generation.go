package interpret

import (
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

const generationMessage = cortex + "CortexStepGeneratorMetadata"

var (
	ofGeneration    = in(generationMessage)
	generationModel = ofGeneration("chat_model")
	generationSteps = ofGeneration("step_indices")

	ofChat      = in(cortex + "ChatModelMetadata")
	chatUsage   = ofChat("usage")
	chatModel   = ofChat("model")
	chatDisplay = ofChat("model_display_name")
	chatModelID = ofChat("response_model")
	chatRetries = ofChat("retry_infos")
)

// Generation returns the usage of the model call that one row of generator metadata records, with the name people know the
// model by, the attempts beyond it that were billed, and the model's enum name, which steps of the same conversation may
// hold alone. usage is nil when the row records none or cannot be decoded. The results live in a and in raw.
func (ip *Interpreter) Generation(raw []byte, a *Arena) (usage *doc.Usage, retries []*doc.Usage, enum string) {
	var f profile.Findings
	if err := ip.profile.Check(generationMessage, raw, "", &f); err != nil {
		return nil, nil, ""
	}
	row := ip.res.View(generationMessage, raw, &f)
	call := row.Sub(generationModel)
	record := call.Sub(chatUsage)
	b := builder{a: a, s: &Session{}, ip: ip}
	retries = b.billedAttempts(call, chatRetries, record)
	made := firstMade(row)
	for _, r := range retries {
		enum, r.StepIndex = b.nameModel(r, call), made
	}
	if !record.Valid() || len(record.Raw()) == 0 {
		return nil, retries, enum
	}
	usage = b.tokens(record)
	enum, usage.StepIndex = b.nameModel(usage, call), made
	return usage, retries, enum
}

// firstMade is the lowest index of the steps that a call made, nil when it names none.
func firstMade(row profile.View) (first *uint32) {
	row.EachInt(generationSteps, func(i int64) bool {
		if n := uint32(i); i >= 0 && int64(n) == i && (first == nil || n < *first) {
			first = &n
		}
		return true
	})
	return first
}

// nameModel puts the model's name into u and returns its enum name.
func (b *builder) nameModel(u *doc.Usage, call profile.View) (enum string) {
	enum = u.Model
	if call.Int(chatModel) != 0 {
		enum = call.Enum(chatModel)
		u.Model = b.modelName(enum)
	}
	for _, name := range [...]profile.Field{chatDisplay, chatModelID} {
		if text := call.Str(name); text != "" {
			u.Model = text
			break
		}
	}
	return enum
}

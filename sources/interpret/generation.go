package interpret

import (
	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

const generationMessage = cortex + "CortexStepGeneratorMetadata"

var (
	generationModel = in(generationMessage)("chat_model")

	ofChat      = in(cortex + "ChatModelMetadata")
	chatUsage   = ofChat("usage")
	chatModel   = ofChat("model")
	chatDisplay = ofChat("model_display_name")
	chatModelID = ofChat("response_model")
)

// Generation returns the usage of the model call that one row of generator metadata records, with the name people know the
// model by, and the model's enum name, which steps of the same conversation may hold alone. It is nil when the row records
// no usage. Nothing else of the row is looked at, which may hold a whole prompt. The result lives in a and in raw.
func (ip *Interpreter) Generation(raw []byte, a *Arena) (usage *doc.Usage, enum string) {
	call := ip.res.View(generationMessage, raw, nil).Sub(generationModel)
	record := call.Sub(chatUsage)
	if !record.Valid() || len(record.Raw()) == 0 {
		return nil, ""
	}
	b := builder{a: a, s: &Session{}, ip: ip}
	u := b.tokens(record)
	if call.Int(chatModel) != 0 {
		u.Model = call.Enum(chatModel)
	}
	enum = u.Model
	for _, name := range [...]profile.Field{chatDisplay, chatModelID} {
		if text := call.Str(name); text != "" {
			u.Model = text
			break
		}
	}
	return u, enum
}

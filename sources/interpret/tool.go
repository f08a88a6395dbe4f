package interpret

import (
	"slices"

	"agy-reader/sources/profile"
)

// form returns how the tool of a GENERIC step looks, nil when it has no form of its own, and the arguments.
func (b *builder) form(v profile.View) (*toolForm, []argument) {
	args := b.arguments(v)
	if t := tools[b.step.GetCall().GetName()]; t != nil && arg(args, t.needs) != "" {
		return t, args
	}
	return nil, args
}

// toolKind gives the step the kind that the typed body of the tool has.
func (b *builder) toolKind(t *toolForm) {
	if t.kind != "" {
		b.step.Kind = t.kind
	}
}

// tool shows a GENERIC step that carries no typed step: by the name of its tool when that has a form of its own,
// otherwise argument by argument.
func (b *builder) tool(v profile.View) {
	result := v.Sub(genericResult)
	text := result.Str(resultText)
	if t, args := b.form(v); t != nil {
		b.toolKind(t)
		t.show(b, args, text)
		b.toolArguments(args, t.uses)
		b.flushFacts("")
	} else {
		b.toolArguments(args, nil)
		b.flushFacts("Arguments")
	}
	if text != "" && !b.resultShown && !b.contains(text) {
		b.code("Result", "", text)
	}
	b.mediaList("", result, resultMedia)
	b.unknownPayload(result)
	b.rendered(result.Sub(resultRender))
	result.EachEntry(resultMetadata, func(key, value string) bool {
		b.fact(key, value)
		return true
	})
	b.fact("Full output", result.Str(resultOutput))
	b.flushFacts("Details")
}

// toolArguments shows the arguments that nothing has shown yet. The two labels are part of the call.
func (b *builder) toolArguments(args []argument, used []string) {
	call := b.step.GetCall()
	for _, a := range args {
		switch {
		case slices.Contains(used, a.name):
		case a.name == "toolAction" && a.value == call.GetAction(), a.name == "toolSummary" && a.value == call.GetSummary():
		default:
			b.fact(a.name, a.value)
		}
	}
}

// unknownPayload shows what a wrapper carries when that is not a step: value by value when the profile knows its type.
// Otherwise the note about the wrapper says so, and JSON keeps the bytes.
func (b *builder) unknownPayload(result profile.View) {
	for _, f := range [...]profile.Field{resultPayload, resultData} {
		if url, content := result.Any(f); content.Valid() {
			b.flat("Payload", content)
		} else if url != "" {
			b.fact("Payload of unknown type", url)
		}
	}
}

package interpret

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agy-reader/proto/agyreader/fileuri"
)

// elements returns the elements of a JSON array as JSON texts, and nothing for any other text.
func (a *Arena) elements(text string) []string {
	d := jsontext.NewDecoder(bytes.NewReader(raw(text)), jsontext.AllowDuplicateNames(true))
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '[' {
		return nil
	}
	var list []string
	for k := d.PeekKind(); k != ']' && k != 0; k = d.PeekKind() {
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		list = append(list, string(value))
	}
	return list
}

// toolList shows a directory listing, which the tool returns as one JSON object a line.
func toolList(b *builder, args []argument, result string) {
	uri := b.file(arg(args, "DirectoryPath"))
	b.summary(fileuri.Path(uri))
	mark := len(b.a.scratch.entry)
	for line := range strings.Lines(result) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		members := b.a.members(nil, line)
		name := arg(members, "name")
		if name == "" {
			b.a.scratch.entry = b.a.scratch.entry[:mark]
			break
		}
		b.listEntry(name, arg(members, "isDir") == "true", b.parsed(arg(members, "sizeBytes")), b.parsed(arg(members, "numChildren")))
	}
	b.resultShown = len(b.a.scratch.entry) > mark
	b.listing("", uri)
	if !b.resultShown {
		b.code("Output", "", result)
	}
}

func (b *builder) parsed(s string) *uint64 {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return nil
	}
	return b.a.uint64(n)
}

func toolAsk(b *builder, args []argument, result string) {
	for _, q := range b.a.elements(arg(args, "questions")) {
		members := b.a.members(nil, q)
		text := arg(members, "question")
		b.summary(text)
		for i, o := range b.a.elements(arg(members, "options")) {
			b.option(strconv.Itoa(i+1), b.a.unquoted(o), nil)
		}
		b.question(text, "", arg(members, "is_multi_select", "isMultiSelect") == "true", false)
	}
	b.code("Answer", "", result)
}

// toolInvoke shows started subagents; the result names their conversations, one JSON object each.
func toolInvoke(b *builder, args []argument, result string) {
	for _, s := range b.a.elements(arg(args, "Subagents")) {
		members := b.a.members(nil, s)
		b.summary(arg(members, "Role", "TypeName"))
		b.fact("Subagent", arg(members, "TypeName"))
		b.fact("Role", arg(members, "Role"))
		b.toolArguments(members, []string{"TypeName", "Role", "Prompt"})
		b.flushFacts("Subagent")
		b.markdown("Task", arg(members, "Prompt"))
	}
	b.step.ChildConversationIds = b.startedBy(result)
	b.code("Result", "", result)
}

// startedBy reads the conversation ids out of the result of starting subagents: JSON records, one or more, in any layout.
func (b *builder) startedBy(result string) []string {
	const key = `"conversationId"`
	ids := b.a.scratch.texts[:0]
	for {
		_, rest, found := strings.Cut(result, key)
		if !found {
			break
		}
		result = rest
		value := strings.TrimLeft(rest, " \t\r\n:")
		if value == "" || value[0] != '"' {
			continue
		}
		if id, _, ok := strings.Cut(value[1:], `"`); ok && id != "" && strings.IndexByte(id, '\\') < 0 {
			ids = append(ids, id)
		}
	}
	b.a.scratch.texts = ids
	return b.a.lists.strings.keep(ids)
}

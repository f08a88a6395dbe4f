package brain

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

func notice(severity transcriptv1.Severity, text string) *transcriptv1.Block {
	return &transcriptv1.Block{
		Kind: "notice", Text: valid(text), Detail: &transcriptv1.Block_Notice{Notice: &transcriptv1.Notice{Severity: severity}},
	}
}

func info(text string) *transcriptv1.Block { return notice(transcriptv1.Severity_SEVERITY_INFO, text) }

func warning(text string) *transcriptv1.Block {
	return notice(transcriptv1.Severity_SEVERITY_WARNING, text)
}

func code(label, language, text string) *transcriptv1.Block {
	return &transcriptv1.Block{
		Kind: "code", Label: label, Text: text, Detail: &transcriptv1.Block_Code{Code: &transcriptv1.Code{Language: language}},
	}
}

func markdown(label, text string) *transcriptv1.Block {
	return &transcriptv1.Block{
		Kind: "markdown", Label: label, Text: text, Detail: &transcriptv1.Block_Markdown{Markdown: &transcriptv1.Markdown{}},
	}
}

func plain(text string) *transcriptv1.Block {
	return &transcriptv1.Block{Kind: "text", Text: text, Detail: &transcriptv1.Block_Plain{Plain: &transcriptv1.Text{}}}
}

// facts is a list of keys with their values; keys without one are left out.
func facts(pairs ...string) []*transcriptv1.Block {
	var items []*transcriptv1.KeyValue
	var text strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		key, value := valid(pairs[i]), valid(pairs[i+1])
		if value == "" {
			continue
		}
		if len(items) > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(key + ": " + value)
		items = append(items, &transcriptv1.KeyValue{Key: key, Value: value})
	}
	if len(items) == 0 {
		return nil
	}
	return []*transcriptv1.Block{{
		Kind: "key_values", Text: text.String(),
		Detail: &transcriptv1.Block_KeyValues{KeyValues: &transcriptv1.KeyValues{Items: items}},
	}}
}

// media shows a file as something to look at.
func media(a *transcriptv1.Attachment) *transcriptv1.Block {
	m := &transcriptv1.Media{Uri: a.GetUri(), MimeType: a.GetMimeType(), Sha256: a.GetSha256(), Size: a.Size}
	return &transcriptv1.Block{Kind: "media", Text: path.Base(a.GetName()), Detail: &transcriptv1.Block_Media{Media: m}}
}

// text shows the bytes of a file as text, or says that they are none. show makes a block of one piece.
func text(c contents, show func(label, text string) *transcriptv1.Block) []*transcriptv1.Block {
	if c.problem != "" {
		return nil // the attachment says so
	}
	if c.size == 0 {
		return []*transcriptv1.Block{info("The file is empty.")}
	}
	head, tail := c.head, c.tail
	if decoded, ok := fromUTF16(head, tail == nil); ok {
		head, tail = decoded, nil
	} else if bytes.IndexByte(head, 0) >= 0 {
		return []*transcriptv1.Block{info(fmt.Sprintf("The file's %d bytes are no text and are not shown.", c.size))}
	}
	var blocks []*transcriptv1.Block
	if tail == nil {
		blocks = []*transcriptv1.Block{show("", valid(string(head)))}
	} else {
		head, tail = cutEnd(head), cutStart(tail)
		omitted := c.size - int64(len(head)) - int64(len(tail))
		blocks = []*transcriptv1.Block{
			show("Beginning", valid(string(head))),
			info(fmt.Sprintf("%d bytes omitted here; the file has %d.", omitted, c.size)),
			show("End", valid(string(tail))),
		}
	}
	if !utf8.Valid(head) || !utf8.Valid(tail) {
		blocks = append(blocks, warning("Text that is not valid UTF-8 was repaired."))
	}
	return blocks
}

// fromUTF16 decodes what Windows programs write, when it is whole.
func fromUTF16(raw []byte, whole bool) ([]byte, bool) {
	if !whole || len(raw)%2 != 0 || len(raw) < 2 || raw[0] != 0xff || raw[1] != 0xfe {
		return nil, false
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 2; i < len(raw); i += 2 {
		units = append(units, uint16(raw[i])|uint16(raw[i+1])<<8)
	}
	return []byte(string(utf16.Decode(units))), true
}

// cutEnd takes a piece of a line, or of a character, from the end of a text.
func cutEnd(text []byte) []byte {
	if i := bytes.LastIndexByte(text, '\n'); i > len(text)/2 {
		return text[:i+1]
	}
	for i := range min(utf8.UTFMax-1, len(text)) {
		if at := len(text) - 1 - i; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return text[:at]
			}
			break
		}
	}
	return text
}

// cutStart takes a piece of a line, or of a character, from the start of a text.
func cutStart(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 && i < len(text)/2 {
		return text[i+1:]
	}
	for i := range min(utf8.UTFMax, len(text)) {
		if utf8.RuneStart(text[i]) {
			return text[i:]
		}
	}
	return text
}

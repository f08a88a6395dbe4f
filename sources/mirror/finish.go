package mirror

import (
	"fmt"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
)

// finish adds to a step what the stored form has no place for.
func (b *batch) finish(m *mark, w *writer, s *transcriptv1.Step) {
	if b.settings.Origin {
		s.Origin = b.log.fileOf(m)
	}
	if s.GetKind() == "" || s.GetKind() == genericKind {
		s.Kind = w.kind
	}
	if s.GetStatus() == "" {
		s.Status = w.r.status
	}
	if s.GetRole() != transcriptv1.Role_ROLE_USER && !scaffolding[w.r.kind] {
		s.Role = transcriptv1.Role_ROLE_TOOL
	}
	if b.settings.Session.Want.Display {
		b.only(w, s)
	}
	if !b.settings.Session.Want.Blocks {
		return
	}
	blocks := s.GetBlocks()
	if w.hunks != "" {
		blocks = withHunks(blocks, w)
	}
	for _, a := range w.asides {
		blocks = append(blocks, &transcriptv1.Block{
			Kind: "text", Label: a.label, Text: a.text, Detail: &transcriptv1.Block_Plain{Plain: &transcriptv1.Text{}},
		})
	}
	for _, m := range w.r.more {
		blocks = append(blocks, &transcriptv1.Block{
			Kind: "json", Label: m.name, Text: string(m.json), Detail: &transcriptv1.Block_Json{Json: &transcriptv1.Json{}},
		})
	}
	if w.cut > 0 {
		blocks = append(blocks, &transcriptv1.Block{
			Kind: "notice", Text: cutWords(w.cut, "this step") + ".",
			Detail: &transcriptv1.Block_Notice{Notice: &transcriptv1.Notice{Severity: transcriptv1.Severity_SEVERITY_WARNING}},
		})
	}
	s.Blocks = blocks
}

func cutWords(n uint64, what string) string {
	return fmt.Sprintf("the product's log holds only part of %s: %d bytes are left out", what, n)
}

// withHunks puts the diff of the log in the place of what the call says about the change.
func withHunks(blocks []*transcriptv1.Block, w *writer) []*transcriptv1.Block {
	diff := interpret.UnifiedDiff(w.changed, "edit", w.hunks)
	if diff == nil {
		diff = &transcriptv1.Block{
			Kind: "code", Label: "Change", Text: w.hunks, Detail: &transcriptv1.Block_Code{Code: &transcriptv1.Code{Language: "diff"}},
		}
	}
	out := make([]*transcriptv1.Block, 0, len(blocks)+1)
	for _, block := range blocks {
		own := block.GetKind() == "diff" || fromCall[block.GetLabel()]
		if own && diff == nil || isFile(block) {
			continue
		}
		if own {
			block, diff = diff, nil
		}
		out = append(out, block)
	}
	if diff != nil {
		out = append(out, diff)
	}
	return out
}

// fromCall are labels of blocks that show a change as a call describes it.
var fromCall = map[string]bool{"New content": true, "Replaced text": true, "New text": true}

// isFile reports whether a block says nothing but the file's name.
func isFile(block *transcriptv1.Block) bool {
	items := block.GetKeyValues().GetItems()
	for _, item := range items {
		if item.GetKey() != "File" && item.GetKey() != "Path" {
			return false
		}
	}
	return len(items) > 0
}

// only keeps for JSON what the fields do not hold.
func (b *batch) only(w *writer, s *transcriptv1.Step) {
	keep := func(path, value string) {
		s.SourceOnly = append(s.GetSourceOnly(), &transcriptv1.SourceOnly{Path: path, Value: []byte(value)})
	}
	if w.hunks != "" {
		keep("content", w.hunks)
	}
	for _, a := range w.asides {
		keep("content", a.text)
	}
	for _, m := range w.r.more {
		keep(m.name, string(m.json))
	}
}

// after yields the notes about a line.
func (b *batch) after(m *mark, w *writer, yield func(*transcriptv1.Event) error) error {
	if w.r.repaired {
		n := stepNote(m, noteRepaired, fmt.Sprintf("step %d: text that is not valid UTF-8 was repaired in the log's line", m.index))
		n.GetNote().Incomplete = false
		if err := yield(n); err != nil {
			return err
		}
	}
	if len(w.r.more) > 0 {
		var list []string
		for _, e := range w.r.more {
			list = append(list, e.name)
		}
		text := fmt.Sprintf("step %d: members of the log's line that are not known: %s", m.index, strings.Join(list, ", "))
		if b.settings.Session.Want.Strict {
			return fmt.Errorf("%w: %s", sources.ErrUnknown, text)
		}
		if err := yield(stepNote(m, noteUnknown, text)); err != nil {
			return err
		}
	}
	if w.cut > 0 {
		text := fmt.Sprintf("step %d: %s", m.index, cutWords(w.cut, "it"))
		if b.settings.Session.Want.Strict {
			return fmt.Errorf("%w: %s", sources.ErrPartial, text)
		}
		return yield(stepNote(m, noteCut, text))
	}
	return nil
}

func stepNote(m *mark, kind, text string) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Note{Note: &transcriptv1.Note{
		Kind: kind, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true, Anchor: anchor(m.index),
		Text: strings.ToValidUTF8(text, "\uFFFD"),
	}}}
}

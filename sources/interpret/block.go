package interpret

import (
	"strings"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// builder collects the blocks of one step. Texts given to it are kept without a copy.
type builder struct {
	a    *Arena
	s    *Session
	ip   *Interpreter
	row  *row
	step *doc.Step
	// resultShown says that a tool's result text is shown in another form.
	resultShown bool
	// flatLeft is how many bytes of paths and values may still be shown.
	flatLeft int
	// refused says what strict reading does not accept; empty when there is nothing.
	refused string
}

// scratch is memory for lists that are still growing.
type scratch struct {
	blocks  []*doc.Block
	facts   []*doc.KeyValue
	lines   []diffLine
	hunks   []*doc.Hunk
	entry   []*doc.ListingEntry
	hits    []*doc.SearchHit
	web     []*doc.WebResult
	option  []*doc.QuestionOption
	usages  []*doc.Usage
	unk     []*doc.UnknownField
	onlys   []*doc.SourceOnly
	texts   []string
	labeled []labeledText
	refs    []*doc.Reference
	args    []argument
	path    []byte
}

// keptScratch is the longest list that survives a reset.
const keptScratch = 1 << 14

func (s *scratch) reset() {
	s.blocks = forget(s.blocks)
	s.facts = forget(s.facts)
	s.lines = forget(s.lines)
	s.hunks = forget(s.hunks)
	s.entry = forget(s.entry)
	s.hits = forget(s.hits)
	s.web = forget(s.web)
	s.option = forget(s.option)
	s.usages = forget(s.usages)
	s.unk = forget(s.unk)
	s.onlys = forget(s.onlys)
	s.texts = forget(s.texts)
	s.labeled = forget(s.labeled)
	s.refs = forget(s.refs)
	s.args = forget(s.args)
	s.path = forget(s.path)
}

// forget empties a list and drops what it referred to.
func forget[T any](list []T) []T {
	if cap(list) > keptScratch {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}

// push appends a block. Facts collected before it come first.
func (b *builder) push(block *doc.Block, kind, label, text string) {
	if len(b.a.scratch.facts) > 0 {
		b.flushFacts("")
	}
	block.Kind, block.Label, block.Text = kind, label, text
	b.a.scratch.blocks = append(b.a.scratch.blocks, block)
}

// markdown adds text written by the model or a person; an empty text adds nothing.
func (b *builder) markdown(label, text string) {
	if text == "" {
		return
	}
	c := b.a.cells.markdown.next()
	c.wrap.Markdown = &c.detail
	c.block.Detail = &c.wrap
	b.push(&c.block, "markdown", label, text)
}

// plain adds prose; an empty text adds nothing.
func (b *builder) plain(label, text string) {
	if text == "" {
		return
	}
	c := b.a.cells.plain.next()
	c.wrap.Plain = &c.detail
	c.block.Detail = &c.wrap
	b.push(&c.block, "text", label, text)
}

// code adds verbatim text; an empty text adds nothing.
func (b *builder) code(label, language, text string) {
	if text == "" {
		return
	}
	c := b.a.cells.code.next()
	c.detail.Language = language
	c.wrap.Code = &c.detail
	c.block.Detail = &c.wrap
	b.push(&c.block, "code", label, text)
}

// json adds JSON text; an empty text adds nothing.
func (b *builder) json(label, text string) {
	if text == "" {
		return
	}
	c := b.a.cells.json.next()
	c.wrap.Json = &c.detail
	c.block.Detail = &c.wrap
	b.push(&c.block, "json", label, text)
}

// notice adds a remark about the step; an empty text adds nothing.
func (b *builder) notice(severity doc.Severity, text string) {
	if text == "" {
		return
	}
	c := b.a.cells.notice.next()
	c.detail.Severity = severity
	c.wrap.Notice = &c.detail
	c.block.Detail = &c.wrap
	b.push(&c.block, "notice", "", text)
}

func (b *builder) info(text string)    { b.notice(doc.Severity_SEVERITY_INFO, text) }
func (b *builder) warning(text string) { b.notice(doc.Severity_SEVERITY_WARNING, text) }

// longFact is the length from which a value gets a block of its own.
const longFact = 160

// fact remembers a small fact for the next key-values block. An empty value adds nothing; a long one becomes a code
// block at once.
func (b *builder) fact(key, value string) {
	if value == "" {
		return
	}
	if len(value) > longFact || strings.IndexByte(value, '\n') >= 0 {
		b.code(key, "", value)
		return
	}
	f := b.a.cells.fact.next()
	f.Key, f.Value = key, value
	b.a.scratch.facts = append(b.a.scratch.facts, f)
}

func (b *builder) factInt(key string, v profile.View, f profile.Field) {
	if v.Has(f) {
		b.fact(key, b.a.number(v.Int(f)))
	}
}

// factTrue states a fact that only counts when it is true.
func (b *builder) factTrue(key string, v profile.View, f profile.Field) {
	if v.Bool(f) {
		b.fact(key, "yes")
	}
}

// factEnum adds the short name of an enum unless it is the zero value.
func (b *builder) factEnum(key string, v profile.View, f profile.Field) {
	if v.Int(f) != 0 {
		b.fact(key, v.Enum(f))
	}
}

// factList adds one fact for each text of a repeated field.
func (b *builder) factList(key string, v profile.View, f profile.Field) {
	v.EachStr(f, func(s string) bool {
		b.fact(key, s)
		return true
	})
}

// flushFacts turns the facts collected so far into one key-values block.
func (b *builder) flushFacts(label string) {
	facts := b.a.scratch.facts
	if len(facts) == 0 {
		return
	}
	b.a.scratch.facts = facts[:0]
	n := 0
	for _, f := range facts {
		n += len(f.Key) + len(f.Value) + 3
	}
	buf := b.a.texts.open(n)
	for i, f := range facts {
		if i > 0 {
			buf = append(buf, '\n')
		}
		buf = append(buf, f.Key...)
		buf = append(buf, ':', ' ')
		buf = append(buf, f.Value...)
	}
	text := b.a.texts.closeText(buf)
	c := b.a.cells.facts.next()
	c.detail.Items = b.a.lists.facts.keep(facts)
	c.wrap.KeyValues = &c.detail
	c.block.Detail = &c.wrap
	b.push(&c.block, "key_values", label, text)
}

// holds reports whether a block so far has exactly this text.
func (b *builder) holds(text string) bool {
	for _, block := range b.a.scratch.blocks {
		if block.Text == text {
			return true
		}
	}
	return false
}

// summary sets the step's one-line summary unless it has one: the first line of text, shortened.
func (b *builder) summary(text string) {
	if b.step.Summary == "" {
		b.step.Summary = b.a.oneLine(text)
	}
}

const maxSummary = 160

// oneLine returns the first line of text that is not blank, cut at a character border.
func (a *Arena) oneLine(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text[:min(len(text), maxSummary+1)], "\r\n"); i >= 0 {
		text = strings.TrimRight(text[:i], " \t")
	}
	if len(text) <= maxSummary {
		return text
	}
	cut := maxSummary
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return a.join(strings.TrimRight(text[:cut], " "), "…")
}

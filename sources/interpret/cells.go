package interpret

import doc "agy-reader/proto/agyreader/transcript/v1"

// cells holds blocks, each in one piece with its oneof wrapper and its detail.
type cells struct {
	markdown slab[markdownCell]
	plain    slab[plainCell]
	thinking slab[thinkingCell]
	code     slab[codeCell]
	diff     slab[diffCell]
	command  slab[commandCell]
	view     slab[viewCell]
	listing  slab[listingCell]
	hits     slab[hitsCell]
	web      slab[webCell]
	question slab[questionCell]
	media    slab[mediaCell]
	toolCall slab[toolCallCell]
	notice   slab[noticeCell]
	facts    slab[factsCell]
	json     slab[jsonCell]

	fact   slab[doc.KeyValue]
	hunk   slab[doc.Hunk]
	entry  slab[doc.ListingEntry]
	hit    slab[doc.SearchHit]
	result slab[doc.WebResult]
	option slab[doc.QuestionOption]
	ref    slab[doc.Reference]
}

func (c *cells) reset() {
	c.markdown.reset()
	c.plain.reset()
	c.thinking.reset()
	c.code.reset()
	c.diff.reset()
	c.command.reset()
	c.view.reset()
	c.listing.reset()
	c.hits.reset()
	c.web.reset()
	c.question.reset()
	c.media.reset()
	c.toolCall.reset()
	c.notice.reset()
	c.facts.reset()
	c.json.reset()
	c.fact.reset()
	c.hunk.reset()
	c.entry.reset()
	c.hit.reset()
	c.result.reset()
	c.option.reset()
	c.ref.reset()
}

// lists holds the repeated fields of events.
type lists struct {
	blocks   runs[*doc.Block]
	usages   runs[*doc.Usage]
	unknowns runs[*doc.UnknownField]
	onlys    runs[*doc.SourceOnly]
	strings  runs[string]
	facts    runs[*doc.KeyValue]
	hunks    runs[*doc.Hunk]
	entries  runs[*doc.ListingEntry]
	hits     runs[*doc.SearchHit]
	results  runs[*doc.WebResult]
	options  runs[*doc.QuestionOption]
	refs     runs[*doc.Reference]
}

func (l *lists) reset() {
	l.blocks.reset()
	l.usages.reset()
	l.unknowns.reset()
	l.onlys.reset()
	l.strings.reset()
	l.facts.reset()
	l.hunks.reset()
	l.entries.reset()
	l.hits.reset()
	l.results.reset()
	l.options.reset()
	l.refs.reset()
}

type (
	markdownCell struct {
		block  doc.Block
		wrap   doc.Block_Markdown
		detail doc.Markdown
	}
	plainCell struct {
		block  doc.Block
		wrap   doc.Block_Plain
		detail doc.Text
	}
	thinkingCell struct {
		block  doc.Block
		wrap   doc.Block_Thinking
		detail doc.Thinking
	}
	codeCell struct {
		block  doc.Block
		wrap   doc.Block_Code
		detail doc.Code
	}
	diffCell struct {
		block  doc.Block
		wrap   doc.Block_Diff
		detail doc.Diff
	}
	commandCell struct {
		block  doc.Block
		wrap   doc.Block_Command
		detail doc.Command
	}
	viewCell struct {
		block  doc.Block
		wrap   doc.Block_FileView
		detail doc.FileView
	}
	listingCell struct {
		block  doc.Block
		wrap   doc.Block_Listing
		detail doc.Listing
	}
	hitsCell struct {
		block  doc.Block
		wrap   doc.Block_SearchHits
		detail doc.SearchHits
	}
	webCell struct {
		block  doc.Block
		wrap   doc.Block_WebResults
		detail doc.WebResults
	}
	questionCell struct {
		block  doc.Block
		wrap   doc.Block_Question
		detail doc.Question
	}
	mediaCell struct {
		block  doc.Block
		wrap   doc.Block_Media
		detail doc.Media
	}
	toolCallCell struct {
		block  doc.Block
		wrap   doc.Block_ToolCall
		detail doc.ToolCallRef
	}
	noticeCell struct {
		block  doc.Block
		wrap   doc.Block_Notice
		detail doc.Notice
	}
	factsCell struct {
		block  doc.Block
		wrap   doc.Block_KeyValues
		detail doc.KeyValues
	}
	jsonCell struct {
		block  doc.Block
		wrap   doc.Block_Json
		detail doc.Json
	}
)

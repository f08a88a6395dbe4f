package interpret

import (
	"agy-reader/sources/profile"
)

// addResult remembers one result of a search for the next web results block.
func (b *builder) addResult(title, url, text string) {
	r := b.a.cells.result.next()
	r.Title, r.Url, r.Text = title, url, text
	b.a.scratch.web = append(b.a.scratch.web, r)
}

// webResult remembers a document that a search found.
func (b *builder) webResult(doc profile.View) {
	if !doc.Valid() {
		return
	}
	title, url := doc.Str(documentTitle), doc.Str(documentURL)
	if title == "" {
		title = doc.Str(documentID)
	}
	b.addResult(title, url, b.documentBody(doc))
}

// resultMedia shows what a results block has no place for.
func (b *builder) resultMedia(doc profile.View) {
	if doc.Str(documentTitle) != "" {
		b.fact("Document", doc.Str(documentID))
	}
	b.image("", doc.Sub(documentImage))
	b.media("", doc.Sub(documentMedia))
}

// documentBody returns the text of a document: its summary, its text, its pieces.
func (b *builder) documentBody(doc profile.View) string {
	list := b.a.scratch.texts[:0]
	if s := doc.Str(documentSummary); s != "" && s != doc.Str(documentText) {
		list = append(list, s)
	}
	if s := doc.Str(documentText); s != "" {
		list = append(list, s)
	}
	doc.Each(documentChunks, func(p profile.View) bool {
		if s := p.Str(pieceText); s != "" {
			list = append(list, s)
		}
		m := p.Sub(pieceMarkdown)
		m.Each(markdownHeads, func(h profile.View) bool {
			list = append(list, h.Str(headText))
			return true
		})
		if s := m.Str(markdownText); s != "" {
			list = append(list, s)
		}
		return true
	})
	b.a.scratch.texts = list
	return b.a.lines(list)
}

// webResults adds the results remembered so far.
func (b *builder) webResults(query string) {
	results := b.a.scratch.web
	b.a.scratch.web = results[:0]
	if len(results) == 0 {
		return
	}
	n := 0
	for _, r := range results {
		n += len(r.Title) + len(r.Url) + len(r.Text) + 4
	}
	buf := b.a.texts.open(n)
	for i, r := range results {
		if i > 0 {
			buf = append(buf, "\n\n"...)
		}
		at := len(buf)
		for _, s := range [...]string{r.Title, r.Url, r.Text} {
			if s == "" {
				continue
			}
			if len(buf) > at {
				buf = append(buf, '\n')
			}
			buf = append(buf, s...)
		}
	}
	c := b.a.cells.web.next()
	c.detail.Query, c.detail.Results = query, b.a.lists.results.keep(results)
	c.wrap.WebResults = &c.detail
	c.block.Detail = &c.wrap
	b.push(&c.block, "web_results", "", b.a.texts.closeText(buf))
}

// document shows one web page or other document that was read.
func (b *builder) document(label string, doc profile.View) {
	if !doc.Valid() {
		return
	}
	b.fact("Title", doc.Str(documentTitle))
	b.fact("URL", doc.Str(documentURL))
	b.fact("Document", doc.Str(documentID))
	b.code(label, "", b.documentBody(doc))
	b.image(label, doc.Sub(documentImage))
	b.media(label, doc.Sub(documentMedia))
}

func searchWeb(b *builder, v profile.View) {
	query := v.Str(webQuery)
	b.summary(query)
	b.fact("Query", query)
	b.fact("Domain", v.Str(webDomain))
	b.fact("Search page", v.Str(webURL))
	b.markdown("Answer", v.Str(webSummary))
	v.Each(webDocuments, func(doc profile.View) bool {
		b.webResult(doc)
		return true
	})
	b.webResults(query)
	v.Each(webDocuments, func(doc profile.View) bool {
		b.resultMedia(doc)
		return true
	})
}

func readURLContent(b *builder, v profile.View) {
	b.summary(v.Str(readURL))
	b.fact("URL", v.Str(readURL))
	if r := v.Str(readResolved); r != v.Str(readURL) {
		b.fact("Resolved URL", r)
	}
	b.fact("Saved as", v.Str(readContentPath))
	if v.Bool(readRejected) {
		b.warning("The person did not allow this page.")
	}
	b.document("Content", v.Sub(readDocument))
}

func viewContentChunk(b *builder, v profile.View) {
	b.summary(v.Str(contentID))
	b.fact("Document", v.Str(contentID))
	b.factInt("Part", v, contentPosition)
	b.document("Content", v.Sub(contentItem))
}

func internalSearch(b *builder, v profile.View) {
	query := v.Str(internalQuery)
	b.summary(query)
	b.fact("Query", query)
	v.Each(internalResults, func(r profile.View) bool {
		b.addResult(r.Str(internalTitle), r.Str(internalURL), r.Str(internalContent))
		return true
	})
	b.webResults(query)
}

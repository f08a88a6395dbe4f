package interpret

import (
	"strconv"
	"strings"

	doc "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/profile"
)

// hit remembers one place for the next hits block. line counts from 1; zero means not known.
func (b *builder) hit(path string, line uint64, text string) {
	h := b.a.cells.hit.next()
	h.Path, h.Text = path, text
	if line > 0 {
		h.Line = b.a.uint32(uint32(line))
	}
	b.a.scratch.hits = append(b.a.scratch.hits, h)
}

// longPath is the longest path that is repeated on every line about it.
const longPath = 512

// shortPath cuts a path that no file system has to its end. The whole one is kept beside the text.
func shortPath(path string) string {
	if len(path) <= longPath {
		return path
	}
	cut := len(path) - longPath
	for cut < len(path) && path[cut]&0xC0 == 0x80 {
		cut++
	}
	return path[cut:]
}

// hits adds the places remembered so far. total is nil when the product did not say how many there were.
func (b *builder) hits(query, uri string, total *uint64) {
	list := b.a.scratch.hits
	b.a.scratch.hits = list[:0]
	n := 0
	for _, h := range list {
		n += min(len(h.Path), longPath) + len(h.Text) + 12
	}
	buf := b.a.texts.open(n)
	for i, h := range list {
		if i > 0 {
			buf = append(buf, '\n')
		}
		buf = append(buf, shortPath(h.Path)...)
		if h.Line != nil {
			buf = strconv.AppendUint(append(buf, ':'), uint64(*h.Line), 10)
		}
		if h.Text != "" {
			buf = append(append(buf, ':'), h.Text...)
		}
	}
	text := b.a.texts.closeText(buf)
	c := b.a.cells.hits.next()
	d := &c.detail
	d.Query, d.Uri, d.Total, d.Hits = query, uri, total, b.a.lists.hits.keep(list)
	c.wrap.SearchHits = d
	c.block.Detail = &c.wrap
	b.push(&c.block, "search_hits", "", text)
}

func (b *builder) total(v profile.View, f profile.Field) *uint64 {
	if !v.Has(f) {
		return nil
	}
	return b.a.uint64(v.Uint(f))
}

func grepSearch(b *builder, v profile.View) {
	query := v.Str(grepQuery)
	b.summary(query)
	b.fact("Query", query)
	b.fact("In", v.Str(grepPath))
	b.factList("Only", v, grepIncludes)
	b.factTrue("Regular expression", v, grepRegex)
	b.factTrue("Ignores case", v, grepNoCase)
	b.factTrue("Ignored files too", v, grepIgnored)
	b.fact("Command", v.Str(grepCommand))
	b.flushFacts("")
	v.Each(grepResults, func(r profile.View) bool {
		path := r.Str(hitRelative)
		if path == "" {
			path = r.Str(hitAbsolute)
		}
		b.hit(path, r.Uint(hitLine), r.Str(hitContent))
		return true
	})
	raw := v.Str(grepRaw)
	switch {
	case len(b.a.scratch.hits) > 0:
		b.hits(query, v.Str(grepPath), b.total(v, grepTotal))
	case raw == "" && b.step.GetStatus() == "DONE":
		b.info("Nothing was found.")
	}
	b.code("Output", "", raw)
	v.Each(grepResults, func(r profile.View) bool {
		if abs, rel := r.Str(hitAbsolute), r.Str(hitRelative); rel != "" && !strings.HasSuffix(abs, rel) {
			b.fact("File", abs)
		}
		b.flat("Item", r.Sub(hitCCI))
		return true
	})
	b.flushFacts("Files")
	if v.Bool(grepNoFiles) {
		b.warning("No files were searched.")
	}
	if v.Bool(grepTimedOut) {
		b.warning("The search ran out of time.")
	}
	b.notice(doc.Severity_SEVERITY_ERROR, v.Str(grepError))
}

func find(b *builder, v profile.View) {
	pattern := v.Str(findPattern)
	b.summary(pattern)
	b.fact("Pattern", pattern)
	b.fact("In", v.Str(findDirectory))
	b.factList("Include", v, findIncludes)
	b.factList("Exclude", v, findExcludes)
	b.factList("Ending", v, findEndings)
	b.factEnum("Type", v, findType)
	b.factInt("Depth", v, findDepth)
	b.factTrue("Whole path", v, findFullPath)
	b.fact("Command", v.Str(findCommand))
	b.factInt("Results", v, findTotal)
	if v.Has(findCutTotal) && v.Int(findCutTotal) != v.Int(findTotal) {
		b.factInt("Results shown", v, findCutTotal)
	}
	out, cut := v.Str(findRaw), v.Str(findCut)
	if out == "" {
		out, cut = cut, ""
	}
	b.code("Output", "", out)
	if cut != "" && !b.contains(cut) {
		b.code("Output as the model saw it", "", cut)
	}
	b.notice(doc.Severity_SEVERITY_ERROR, v.Str(findError))
}

func codeSearch(b *builder, v profile.View) {
	query := v.Str(searchQuery)
	b.summary(query)
	b.fact("Query", query)
	b.flushFacts("")
	v.Each(searchResults, func(r profile.View) bool {
		path, matched := r.Str(resultPath), false
		r.Each(resultMatches, func(m profile.View) bool {
			b.hit(path, uint64(max(m.Int(matchLine), 0)), m.Str(matchSnippet))
			matched = true
			return true
		})
		if !matched {
			b.hit(path, 0, "")
		}
		return true
	})
	b.foundOrNot(query, "")
	v.Each(searchResults, func(r profile.View) bool {
		b.fact("Change list", r.Str(resultChange))
		return true
	})
}

func findAllReferences(b *builder, v profile.View) {
	b.summary(v.Str(refsSymbol))
	b.fact("Symbol", v.Str(refsSymbol))
	b.fact("File", v.Str(refsURI))
	b.factInt("Line", v, refsLine)
	b.flushFacts("")
	v.Each(refsList, func(r profile.View) bool {
		var line uint64
		if p := r.Sub(refRange).Sub(rangeStart); p.Valid() {
			line = p.Uint(positionRow) + 1
		}
		b.hit(r.Str(refURI), line, r.Str(refSnippet))
		return true
	})
	b.foundOrNot(v.Str(refsSymbol), v.Str(refsURI))
}

// foundOrNot adds the places remembered so far, or says that there are none.
func (b *builder) foundOrNot(query, uri string) {
	if len(b.a.scratch.hits) > 0 {
		b.hits(query, uri, nil)
	} else if b.step.GetStatus() == "DONE" {
		b.info("Nothing was found.")
	}
}

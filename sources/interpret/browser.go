package interpret

import (
	"agy-reader/sources/profile"
)

// browser returns the handler of one kind of browser step.
func browser(s browserStep) handler {
	return func(b *builder, v profile.View) {
		b.fact("Action", s.action)
		b.labeled(v, s.facts)
		b.page(v.Str(s.page), v.Sub(s.meta))
		b.summary(b.browserSummary(s, v))
		if v.Bool(s.denied) {
			b.warning("The person did not allow this action.")
		}
		for _, t := range s.prose {
			b.plain(t.label, v.Str(t.field))
		}
		for _, t := range s.texts {
			language := ""
			if t.label == "JavaScript" {
				language = "javascript"
			}
			b.code(t.label, language, v.Str(t.field))
		}
		b.document("Page content", v.Sub(s.document))
		b.waypoints(v)
		b.code("Change of the page", "diff", v.Str(s.diff))
		for _, f := range s.images {
			b.image("Screenshot", v.Sub(f))
		}
		for _, f := range s.media {
			b.media("Screenshot", v.Sub(f))
			b.mediaList("Screenshot", v, f)
		}
	}
}

// browserSummary says what a browser step does in one line.
func (b *builder) browserSummary(s browserStep, v profile.View) string {
	for _, f := range s.facts {
		if f.how == asText {
			if text := v.Str(f.field); text != "" {
				return b.a.join(s.action, " ", text)
			}
		}
	}
	if title := v.Sub(s.meta).Str(pageTitle); title != "" {
		return b.a.join(s.action, " on ", title)
	}
	return s.action
}

func (b *builder) labeled(v profile.View, list []labeled) {
	for _, f := range list {
		switch f.how {
		case asText:
			b.fact(f.label, v.Str(f.field))
		case asNumber:
			b.factInt(f.label, v, f.field)
		case asEnum:
			b.factEnum(f.label, v, f.field)
		case asTrue:
			b.factTrue(f.label, v, f.field)
		case asList:
			b.factList(f.label, v, f.field)
		}
	}
}

// page shows which page a browser step was about.
func (b *builder) page(id string, m profile.View) {
	b.fact("Page", m.Str(pageURL))
	b.fact("Page title", m.Str(pageTitle))
	if id == "" {
		id = m.Str(pageID)
	}
	b.fact("Page id", id)
	if now := m.Str(pageID); now != id {
		b.fact("Page id afterwards", now)
	}
	if m.Has(pageWidth) {
		b.fact("Viewport", b.a.join(b.a.number(m.Int(pageWidth)), " × ", b.a.number(m.Int(pageHeight))))
	}
	b.fact("Icon", m.Str(pageFavicon))
	b.flushFacts("")
}

func (b *builder) waypoints(v profile.View) {
	if v.Message() != cortex+"CortexStepBrowserDragPixelToPixel" {
		return
	}
	v.Each(dragWaypoints, func(p profile.View) bool {
		b.fact("Through", b.a.join(b.a.number(p.Int(pointX)), ", ", b.a.number(p.Int(pointY))))
		return true
	})
}

func listBrowserPages(b *builder, v profile.View) {
	b.summary("List browser pages")
	n := 0
	v.Each(pagesList, func(m profile.View) bool {
		n++
		b.page("", m)
		return true
	})
	if n == 0 {
		b.info("No pages were open.")
	}
}

func captureConsoleLogs(b *builder, v profile.View) {
	b.summary("Read the browser console")
	b.page(v.Str(consolePage), v.Sub(consoleMeta))
	logs := v.Sub(consoleLogs)
	b.fact("Server", logs.Str(consoleHost))
	logs.Each(consoleLines, func(line profile.View) bool {
		b.flat("Line", line)
		return true
	})
}

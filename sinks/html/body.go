package html

import (
	"agy-reader/sinks/present"
)

// title is what stands above a body, or on the line that unfolds it.
type title struct {
	label string
	// href is a file beside the page, linked in place of uri.
	href string
	// uri is a file or page the body shows; it is linked when that is safe.
	uri string
	// name is how the link reads; empty: the path.
	name string
	// note holds further facts in words.
	note string
	// folds: the body folds; noun takes the place of an empty label then, and size says how long the body is.
	folds      bool
	noun, size string
}

// appendBody appends text with its title, folded when the title says so. write appends the text as complete elements.
func appendBody(dst []byte, t title, text string, write func([]byte, string) []byte) []byte {
	if !t.folds {
		dst = appendLabel(dst, t)
		if text == "" {
			return append(dst, "<p class=\"hint\">empty</p>\n"...)
		}
		return write(dst, text)
	}
	if t.label == "" && t.uri == "" {
		t.label = t.noun
	}
	t.note = joinFacts(t.note, t.size)
	dst = append(dst, "<details class=\"fold\"><summary>"...)
	dst = appendTitle(dst, t)
	dst = append(dst, "</summary>\n"...)
	dst = write(dst, text)
	return append(dst, "</details>\n"...)
}

// joinFacts joins what is not empty.
func joinFacts(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + present.Separator + b
}

// appendLabel appends a title that stands by itself; an empty one is left out.
func appendLabel(dst []byte, t title) []byte {
	if t.label == "" && t.uri == "" && t.href == "" && t.note == "" {
		return dst
	}
	dst = append(dst, `<p class="title">`...)
	dst = appendTitle(dst, t)
	return append(dst, "</p>\n"...)
}

func appendTitle(dst []byte, t title) []byte {
	if t.label != "" {
		dst = append(dst, `<span class="lab">`...)
		dst = appendText(dst, t.label)
		dst = append(dst, "</span> "...)
	}
	if href, safe := present.RelativeHref(t.href); safe {
		dst = append(dst, `<a class="path" href="`...)
		dst = append(appendAttr(dst, href), `">`...)
		dst = appendText(dst, orWord(t.name, "the file"))
		dst = append(dst, "</a> "...)
	} else if t.uri != "" {
		dst = appendLink(dst, t.uri, orWord(t.name, present.Path(t.uri)), "path")
		dst = append(dst, ' ')
	}
	if t.note != "" {
		dst = append(dst, `<span class="dim">`...)
		dst = appendText(dst, t.note)
		dst = append(dst, "</span>"...)
	}
	return dst
}

// appendPath appends a file or web address as people read it, linked when that is safe.
func appendPath(dst []byte, uri string) []byte {
	return appendLink(dst, uri, present.Path(uri), "path")
}

// appendLink links text to uri when that is safe and shows the text alone otherwise. class is one of our own.
func appendLink(dst []byte, uri, text, class string) []byte {
	href, safe := present.Href(uri)
	if !safe {
		dst = append(append(dst, `<span class="`...), class...)
		dst = append(dst, `">`...)
		dst = appendText(dst, text)
		return append(dst, "</span>"...)
	}
	dst = append(append(dst, `<a class="`...), class...)
	dst = append(dst, `" href="`...)
	dst = appendAttr(dst, href)
	dst = append(dst, `" rel="noreferrer noopener">`...)
	dst = appendText(dst, text)
	return append(dst, "</a>"...)
}

// appendPre appends verbatim text.
func appendPre(dst []byte, text string) []byte {
	dst = append(dst, "<pre><code>"...)
	dst = appendText(dst, text)
	return append(dst, "</code></pre>\n"...)
}

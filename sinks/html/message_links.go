package html

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"agy-reader/sinks/present"
)

// link keeps the text of a link whose destination is not allowed and shows the destination behind it.
func link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Link)
	href, safe := destination(n.Destination)
	safe = safe && !insideLink(node)
	switch {
	case safe && entering:
		openLink(w, href, n.Title)
	case safe:
		_, _ = w.WriteString("</a>")
	case !entering:
		writeDestination(w, n.Destination, n.Title)
	}
	return ast.WalkContinue, nil
}

func autoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.AutoLink)
	label := n.Label(source)
	url := n.URL(source)
	if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(url), []byte("mailto:")) {
		url = append([]byte("mailto:"), url...)
	}
	href, safe := present.Href(string(util.URLEscape(url, false)))
	if !safe || insideLink(node) {
		writeText(w, label)
		return ast.WalkContinue, nil
	}
	openLink(w, href, nil)
	writeText(w, label)
	_, _ = w.WriteString("</a>")
	return ast.WalkContinue, nil
}

// image never loads anything: it becomes its description and a link to the file.
func image(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Image)
	href, safe := destination(n.Destination)
	safe = safe && !insideLink(node)
	switch {
	case entering:
		_, _ = w.WriteString(`<span class="image">`)
		if safe {
			openLink(w, href, n.Title)
		}
		_, _ = w.WriteString("Image: ")
	case safe:
		_, _ = w.WriteString("</a></span>")
	default:
		writeDestination(w, n.Destination, n.Title)
		_, _ = w.WriteString("</span>")
	}
	return ast.WalkContinue, nil
}

// destination resolves escapes and entities of a link destination before judging it.
func destination(raw []byte) (href string, safe bool) {
	return present.Href(string(util.URLEscape(raw, true)))
}

// insideLink reports an enclosing link or image: HTML has no nested links.
func insideLink(node ast.Node) bool {
	for p := node.Parent(); p != nil; p = p.Parent() {
		if k := p.Kind(); k == ast.KindLink || k == ast.KindImage {
			return true
		}
	}
	return false
}

func openLink(w util.BufWriter, href string, title []byte) {
	b := w.(*buffer)
	b.b = append(b.b, `<a href="`...)
	b.b = appendAttr(b.b, href)
	if len(title) > 0 {
		b.b = append(b.b, `" title="`...)
		gmhtml.DefaultWriter.Write(b, title)
	}
	b.b = append(b.b, `" rel="noreferrer noopener">`...)
}

// writeDestination shows where a link that is not made would lead, and its title.
func writeDestination(w util.BufWriter, raw, title []byte) {
	_, _ = w.WriteString(` <code class="dest">`)
	writeText(w, raw)
	if len(title) > 0 {
		_ = w.WriteByte(' ')
		writeText(w, title)
	}
	_, _ = w.WriteString("</code>")
}

func writeText[T string | []byte](w util.BufWriter, s T) {
	b := w.(*buffer)
	b.b = appendBudgeted(b.b, s, &b.marks)
}

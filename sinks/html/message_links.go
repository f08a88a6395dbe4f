package html

import (
	"github.com/yuin/goldmark/ast"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"agy-reader/sinks/present"
)

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

func writeDestination(w util.BufWriter, raw []byte) {
	_, _ = w.WriteString(` <code class="dest">`)
	writeText(w, raw)
	_, _ = w.WriteString("</code>")
}

func writeText[T string | []byte](w util.BufWriter, s T) {
	b := w.(*buffer)
	b.b = appendText(b.b, s)
}

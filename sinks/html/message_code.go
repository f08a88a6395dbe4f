package html

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

func fencedCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.FencedCodeBlock)
	if n.Info != nil {
		if info := bytes.TrimSpace(n.Info.Value(source)); len(info) > 0 {
			_, _ = w.WriteString(`<p class="lang">`)
			writeText(w, info)
			_, _ = w.WriteString("</p>")
		}
	}
	return writeCode(w, source, node, nil)
}

func indentedCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	return writeCode(w, source, node, nil)
}

// htmlBlock shows raw HTML as the text it is.
func htmlBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var closure []byte
	if n := node.(*ast.HTMLBlock); n.HasClosure() {
		closure = n.ClosureLine.Value(source)
	}
	return writeCode(w, source, node, closure)
}

func writeCode(w util.BufWriter, source []byte, node ast.Node, last []byte) (ast.WalkStatus, error) {
	_, _ = w.WriteString("<pre><code>")
	lines := node.Lines()
	for i := range lines.Len() {
		line := lines.At(i)
		writeText(w, line.Value(source))
	}
	writeText(w, last)
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

func rawHTML(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString(`<code class="raw">`)
	segments := node.(*ast.RawHTML).Segments
	for i := range segments.Len() {
		segment := segments.At(i)
		writeText(w, segment.Value(source))
	}
	_, _ = w.WriteString("</code>")
	return ast.WalkSkipChildren, nil
}

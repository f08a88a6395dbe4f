package html

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// messageNodes replaces goldmark's output wherever its own would lose text, load something or break the page's outline.
type messageNodes struct{}

func (messageNodes) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHeading, heading)
	reg.Register(ast.KindCodeBlock, indentedCode)
	reg.Register(ast.KindFencedCodeBlock, fencedCode)
	reg.Register(ast.KindHTMLBlock, htmlBlock)
	reg.Register(ast.KindRawHTML, rawHTML)
	reg.Register(ast.KindLink, link)
	reg.Register(ast.KindAutoLink, autoLink)
	reg.Register(ast.KindImage, image)
	reg.Register(extast.KindTaskCheckBox, checkBox)
	reg.Register(extast.KindTableRow, tableRow)
	reg.Register(ast.KindLinkReferenceDefinition, definition)
}

// heading writes levels 1 and 2 as h4 and h5 and all others as h6.
func heading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	level := byte('3' + min(node.(*ast.Heading).Level, 3))
	open := "<h"
	if !entering {
		open = "</h"
	}
	_, _ = w.WriteString(open)
	_ = w.WriteByte(level)
	_ = w.WriteByte('>')
	return ast.WalkContinue, nil
}

func checkBox(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		mark := "☐ "
		if node.(*extast.TaskCheckBox).IsChecked {
			mark = "☑ "
		}
		_, _ = w.WriteString(mark)
	}
	return ast.WalkContinue, nil
}

// tableRow adds a last cell with what a row holds beyond the columns of its table, which Markdown readers drop.
func tableRow(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<tr>\n")
		return ast.WalkContinue, nil
	}
	if more := beyondColumns(source, node); len(more) > 0 {
		_, _ = w.WriteString("<td>")
		writeText(w, more)
		_, _ = w.WriteString("</td>\n")
	}
	_, _ = w.WriteString("</tr>\n")
	if node.Parent().LastChild() == node {
		_, _ = w.WriteString("</tbody>\n")
	}
	return ast.WalkContinue, nil
}

// beyondColumns returns the text between the last cell of a row and the end of its line.
func beyondColumns(source []byte, row ast.Node) []byte {
	end := -1
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		if lines := cell.Lines(); lines.Len() > 0 {
			end = lines.At(lines.Len() - 1).Stop
		}
	}
	if end < 0 || end > len(source) {
		return nil
	}
	more, _, _ := bytes.Cut(source[end:], []byte("\n"))
	return bytes.Trim(more, " \t\r|")
}

// definition shows a link reference definition, which Markdown readers hide: text can be hidden in one.
func definition(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.LinkReferenceDefinition)
	_, _ = w.WriteString(`<p class="hint">[`)
	writeText(w, n.Label)
	_, _ = w.WriteString("]: ")
	writeText(w, n.Destination)
	if len(n.Title) > 0 {
		_, _ = w.WriteString(` "`)
		writeText(w, n.Title)
		_ = w.WriteByte('"')
	}
	_, _ = w.WriteString("</p>\n")
	return ast.WalkSkipChildren, nil
}

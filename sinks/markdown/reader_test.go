package markdown_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// dialects are the parsers a file must survive.
var dialects = map[string]goldmark.Markdown{
	"CommonMark": goldmark.New(),
	"GFM":        goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)),
}

// document is what a reader finds in a file.
type document struct {
	bodies   []string
	headings []string
}

// read parses a file and recovers bodies and outline as the package comment says. It also checks that nothing but our
// own HTML and links is in it.
func read(t testing.TB, md goldmark.Markdown, source string) document {
	t.Helper()
	var found document
	src := []byte(source)
	pc := parser.NewContext()
	root := md.Parser().Parse(text.NewReader(src), parser.WithContext(pc))
	if refs := pc.References(); len(refs) > 0 {
		t.Fatalf("link reference definitions in the file: %v", refs)
	}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			found.headings = append(found.headings, string(n.Lines().Value(src)))
		case *ast.FencedCodeBlock:
			found.bodies = append(found.bodies, fenceBody(t, n, source))
		case *ast.Blockquote:
			found.bodies = append(found.bodies, quoteBody(t, n, source))
		case *ast.HTMLBlock:
			if got := strings.TrimSpace(string(n.Lines().Value(src))); !ownHTML.MatchString(got) {
				t.Fatalf("an HTML block that is not ours: %q", got)
			}
		case *ast.Paragraph, *ast.List, *ast.ThematicBreak:
		default:
			t.Fatalf("a %s at the top level: %q", n.Kind(), n.Lines().Value(src))
		}
	}
	inspect(t, root, src)
	return found
}

// schemeForm is what a browser takes for a scheme; one letter is a drive.
var schemeForm = regexp.MustCompile(`^[a-z][a-z0-9+.-]+$`)

var ownHTML = regexp.MustCompile(`^(<details>\n<summary>[^<>]*</summary>|</details>|<a id="[A-Za-z0-9_-]+">|</a>)$`)

// inspect refuses whatever reaches out of a body.
func inspect(t testing.TB, root ast.Node, src []byte) {
	t.Helper()
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if problem := reachesOut(n, src); problem != "" && !isOurs(n, src) {
			t.Errorf("%s in the file", problem)
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isOurs tells our own anchors and the HTML blocks read has checked.
func isOurs(n ast.Node, src []byte) bool {
	switch n := n.(type) {
	case *ast.RawHTML:
		_, inParagraph := n.Parent().(*ast.Paragraph)
		return inParagraph && n.Parent().Parent().Kind() == ast.KindDocument && ownHTML.Match(n.Segments.Value(src))
	case *ast.HTMLBlock:
		return n.Parent().Kind() == ast.KindDocument
	}
	return false
}

// reachesOut says what is wrong with a node, or nothing.
func reachesOut(n ast.Node, src []byte) string {
	bad := func(what string, url []byte) string {
		scheme, _, found := strings.Cut(strings.ToLower(string(url)), ":")
		scheme = strings.Map(func(r rune) rune { // browsers skip these
			if r <= ' ' {
				return -1
			}
			return r
		}, scheme)
		if !found || !schemeForm.MatchString(scheme) {
			return ""
		}
		switch scheme {
		case "http", "https", "file", "mailto":
			return ""
		}
		return what + " " + string(url)
	}
	switch n := n.(type) {
	case *ast.RawHTML:
		return "raw HTML " + string(n.Segments.Value(src))
	case *ast.HTMLBlock:
		return "an HTML block " + string(n.Lines().Value(src))
	case *ast.Link:
		return bad("a link to", n.Destination)
	case *ast.AutoLink:
		if n.AutoLinkType == ast.AutoLinkURL {
			return bad("an autolink to", n.URL(src))
		}
	case *ast.Image:
		if url := string(n.Destination); strings.HasPrefix(url, "//") || regexp.MustCompile(`(?i)^(https?:|file://[^/])`).MatchString(url) {
			return "an image from the network " + url
		}
		return bad("an image from", n.Destination)
	}
	switch n.Kind().String() {
	case "Footnote", "FootnoteList", "FootnoteLink":
		return "a " + n.Kind().String()
	}
	return ""
}

// fenceBody recovers a fenced body from the source and checks that the parser sees the same lines.
func fenceBody(t testing.TB, n *ast.FencedCodeBlock, source string) string {
	t.Helper()
	start := n.Pos() + strings.IndexByte(source[n.Pos():], '\n') + 1
	end := start
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		if line.Start != end || line.Padding != 0 {
			t.Fatalf("line %d of a fence begins at %d, not at %d", i, line.Start, end)
		}
		end = line.Stop
	}
	return fenced(source[start:end], source[end:])
}

// fenced is the body of a fence: its lines, without the last line feed unless the closing fence has a space behind it.
func fenced(lines, closing string) string {
	if closing, _, _ = strings.Cut(closing, "\n"); strings.HasSuffix(closing, " ") {
		return lines
	}
	return strings.TrimSuffix(lines, "\n")
}

// quoteBody recovers a quoted body from the source, and checks that the quote ends where its lines do.
func quoteBody(t testing.TB, n *ast.Blockquote, source string) string {
	t.Helper()
	body, end := unquote(source[n.Pos():])
	if next := n.NextSibling(); next != nil && next.Pos() >= 0 && next.Pos() <= n.Pos()+end {
		t.Fatalf("a quote ends before its lines do: %q", source[n.Pos():n.Pos()+end])
	}
	return body
}

// lineLength is how long the first line of s is, with its LF, CR LF or CR.
func lineLength(s string) int {
	i := strings.IndexAny(s, "\r\n")
	switch {
	case i < 0:
		return len(s)
	case strings.HasPrefix(s[i:], "\r\n"):
		return i + 2
	}
	return i + 1
}

// unquote strips the prefixes of the quoted lines s begins with, and returns how long these lines are.
func unquote(s string) (body string, length int) {
	var b bytes.Buffer
	for strings.HasPrefix(s[length:], ">") {
		line := s[length : length+lineLength(s[length:])]
		length += len(line)
		line = strings.TrimPrefix(line[1:], " ")
		text := strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(s[length:], ">") { // a line break of ours
			b.WriteString(strings.TrimSuffix(text, "  ") + line[len(text):])
			continue
		}
		bare := strings.TrimRight(text, " ")
		feeds := (len(text) - len(bare)) / 2
		b.WriteString(text[:len(text)-2*feeds] + strings.Repeat("\n", feeds))
	}
	return b.String(), length
}

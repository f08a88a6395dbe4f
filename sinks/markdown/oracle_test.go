package markdown_test

import (
	"bytes"
	"html"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	renderer "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"agy-reader/sinks/markdown"
	"agy-reader/sinks/present"
)

// bodies yields the hostile bodies and n random ones.
func bodies(n int) []string {
	rng := rand.New(rand.NewPCG(5, 6))
	all := append([]string(nil), hostile...)
	for range n {
		all = append(all, random(rng))
	}
	return all
}

func TestContainedIsNeverWrong(t *testing.T) {
	t.Parallel()
	yes := 0
	for _, body := range bodies(8000) {
		if !markdown.Contained(body) || !markdown.Quotable(body) {
			continue
		}
		yes++
		src := markdown.Quote(nil, body, false)
		for name, md := range dialects {
			pc := parser.NewContext()
			root := md.Parser().Parse(text.NewReader(src), parser.WithContext(pc))
			inspect(t, root, src)
			if len(pc.References()) > 0 || root.ChildCount() > 1 {
				t.Errorf("%s: it leaves its quote", name)
			}
			if t.Failed() {
				t.Fatalf("%s: %q", name, body)
			}
		}
	}
	if yes < 2000 {
		t.Errorf("only %d bodies were judged contained: this proves little", yes)
	}
}

func TestContained(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		want       bool
	}{
		{"prose", "Use a < b && c > d.", true},
		{"tag in a span", "Return a `Vec<T>` or `<div>`.", true},
		{"tag in a longer span", "``a ` <b>`` is code", true},
		{"tag in a fence", "Like so:\n\n```html\n<div>\n</div>\n```\n\nDone.", true},
		{"tag in a tilde fence", "~~~\n<b>\n~~~", true},
		{"tag in an unclosed fence", "```\n<b>", true},
		{"tag in a fence of a list", "1. Edit:\n   ```tsx\n   <Foo/>\n   ```\n2. Run.", true},
		{"index after a word", "arr[0]: first\n", true},
		{"task", "- [x] done: yes", true},
		{"link with our scheme", "[a](https://e.example/x) and `<T>`, [b](file:///x#L1), [c](d.md)", true},
		{"local image", "![a](file:///x/a.png)", true},
		{"autolink", "<https://e.example/> <jo@e.example>", true},
		{"escaped tag", `\<b>`, true},
		{"tag", "a <b>bold</b> word", false},
		{"comment", "<!-- x -->", false},
		{"definition", "see [x]\n\n[x]: /url", false},
		{"script link", "[x](javascript:a)", false},
		{"remote image", "![x](https://e.example/p.png)", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := markdown.Contained(tt.body); got != tt.want {
				t.Errorf("contained(%q) = %v", tt.body, got)
			}
		})
	}
}

func TestPlainReadsAsTyped(t *testing.T) {
	t.Parallel()
	yes := 0
	for _, body := range append(bodies(8000), "Fix the bug in main.go, please! It's at C:/x (line 3)?", "snake_case_name", "a & b", "one\n\ntwo", "one\ntwo\n\nthree", "end\n", "ends\n\n\n", " a  b ", "one \n two  \nthree", "end \n", "end  ", "arr[0] [x] C:\\Users\\me 2 * 3", "a__b", "5 < 6; x_1", "$HOME and ~/x") {
		if !markdown.Plain(body) {
			continue
		}
		yes++
		src := markdown.Quote(nil, body, true)
		if got, length := unquote(string(src)); got != body || length != len(src)-1 {
			t.Fatalf("%q is read back as %q", body, got)
		}
		want := sides.ReplaceAllString(strings.TrimRight(body, "\n"), "")
		for name, md := range dialects {
			root := md.Parser().Parse(text.NewReader(src))
			quote, isQuote := root.FirstChild().(*ast.Blockquote)
			if !isQuote || quote.NextSibling() != nil {
				t.Fatalf("%s: %q is no quote", name, body)
			}
			for n := quote.FirstChild(); n != nil; n = n.NextSibling() {
				if n.Kind() != ast.KindParagraph {
					t.Fatalf("%s: %q holds a %s", name, body, n.Kind())
				}
			}
			if got := sides.ReplaceAllString(shownText(t, md, src), ""); got != want {
				t.Fatalf("%s: %q reads as %q", name, body, got)
			}
		}
	}
	if yes < 60 {
		t.Errorf("only %d bodies were judged plain: this proves little", yes)
	}
}

// sides are the spaces at the sides of lines, which no reader sees.
var sides = regexp.MustCompile(`(?m)^ +| +$`)

var tag = regexp.MustCompile(`<(/?)(\w+)[^>]*>`)

// shownText is the text of the rendered source; only paragraphs, quotes and addresses made links by GFM may be around it.
func shownText(t *testing.T, md goldmark.Markdown, src []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := md.Convert(src, &out); err != nil {
		t.Fatal(err)
	}
	for _, m := range tag.FindAllStringSubmatch(out.String(), -1) {
		if m[2] != "p" && m[2] != "a" && m[2] != "blockquote" && m[2] != "br" {
			t.Errorf("%q holds <%s>", src, m[2])
		}
	}
	shown := strings.NewReplacer("</p>\n<p>", "\n\n", "<br>\n", "\n", "\n<", "<").Replace(out.String())
	return strings.Trim(html.UnescapeString(tag.ReplaceAllString(shown, "")), "\n")
}

func TestTextReadsAsTyped(t *testing.T) {
	t.Parallel()
	for _, body := range append(bodies(1500), `C:\new\_x\*`, "a*b*c", "__init__", "f(x)[0]", "#1 # x #", "~~a~~ ~/b", "&lt; & &x", "!", "a_b_", "* a", "`") {
		body = strings.TrimSpace(body)
		want := present.Visible(body)
		for _, md := range dialects {
			got := shownText(t, md, append(markdown.AppendText([]byte("x: "), body), '\n'))
			if got != "x: "+want && strings.TrimSpace(got) != strings.TrimSpace("x: "+want) {
				t.Fatalf("%q reads as %q", body, got)
			}
		}
	}
	if got := string(markdown.AppendText(nil, "a < b && c: snake_case, C:/x, 50% * 2 = #1")); got != "a < b && c: snake_case, C:/x, 50% * 2 = #1" {
		t.Errorf("harmless text is escaped: %s", got)
	}
}

func TestSpanReadsAsTyped(t *testing.T) {
	t.Parallel()
	for _, body := range append(bodies(1000), "  ", " a ", "`", "``a`", "a`") {
		if body == "" {
			continue
		}
		var out bytes.Buffer
		if err := goldmark.Convert(append(append([]byte("x "), markdown.AppendSpan(nil, body)...), '.'), &out); err != nil {
			t.Fatal(err)
		}
		inner, found := strings.CutPrefix(out.String(), "<p>x <code>")
		inner, ends := strings.CutSuffix(inner, "</code>.</p>\n")
		if got := html.UnescapeString(inner); !found || !ends || got != present.Visible(body) {
			t.Fatalf("%q reads as %q", body, out.String())
		}
	}
}

// unsafe renders file links, too.
var unsafe = goldmark.New(goldmark.WithRendererOptions(renderer.WithUnsafe()))

func TestLink(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, label, uri, want string }{
		{"spaces and brackets", "a [b](c)", "file:///x/a b(1).md", `<a href="file:///x/a%20b(1).md">a [b](c)</a>`},
		{"reserved characters", "a", "file:///x/50%#é?.md", `<a href="file:///x/50%25%23%C3%A9%3F.md">a</a>`},
		{"address as label", "https://e.example/<b>", "https://e.example/", `<a href="https://e.example/">https://e.example/&lt;b&gt;</a>`},
		{"entity", "a", "https://e.example/?a&copy;=b", `<a href="https://e.example/?a&amp;copy;=b">a</a>`},
		{"angle", "a", "https://e.example/<b>", `<a href="https://e.example/%3Cb%3E">a</a>`},
		{"script", "a", "javascript:alert(1)", "a"},
		{"script in disguise", "a", "java\tscript:alert(1)", "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := unsafe.Convert(markdown.AppendLink(nil, tt.label, tt.uri), &out); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); got != "<p>"+tt.want+"</p>\n" {
				t.Errorf("got %s", got)
			}
		})
	}
}

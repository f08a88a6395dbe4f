package html_test

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	xhtml "golang.org/x/net/html"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// allowed holds every element a page may contain with every attribute it may have. Values in attributes are checked by
// checkAttribute.
var allowed = map[string]string{
	"html": "lang", "head": "", "meta": "charset http-equiv content name", "link": "rel href", "title": "", "style": "", "body": "",
	"header": "class", "footer": "", "main": "id tabindex", "nav": "aria-labelledby", "aside": "class aria-label", "section": "class aria-label id", "article": "class id",
	"div": "class dir role", "span": "class dir aria-hidden", "p": "class dir", "b": "class title",
	"h1": "dir", "h2": "id", "h3": "", "h4": "", "h5": "", "h6": "",
	"ul": "class", "ol": "class start", "li": "class", "dl": "class", "dt": "", "dd": "",
	"a": "class href rel title dir", "time": "datetime title", "code": "class", "pre": "class aria-hidden",
	"ins": "", "del": "", "em": "", "strong": "", "blockquote": "", "br": "", "hr": "",
	"details": "class open id", "summary": "", "figure": "", "figcaption": "", "img": "alt decoding src",
	"table": "class", "thead": "", "tbody": "", "tr": "", "th": "scope class align", "td": "class align",
}

// classes are the only values class may have, one by one.
var classes = strings.Fields(`top brand facts name skip totals models chip quiet good warn bad columns side prompts index dim hint end
	step user assistant tool system failed attachment note notice wide lab no sum meta nested title fold call unknown thinking typed
	cmd out numbered nums diff hunk head hits at c scroll list path num bytes hash results result options option chosen mark pairs stub
	question md lang raw dest image code cols of resume copy beside started of-step h4 h5 h6
	f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 g0 g1 g2 g3 g4 g5 g6 g7 g8 g9 g10 g11 g12 g13 g14 g15 sb sd si su sr ss`)

// checkPage parses a page as a browser does and reports everything that is not ours. It returns the number of steps.
func checkPage(t testing.TB, page string) int {
	t.Helper()
	doc, err := xhtml.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	steps, styles := 0, 0
	for n := range doc.Descendants() {
		switch n.Type {
		case xhtml.CommentNode:
			t.Errorf("comment %q", n.Data)
		case xhtml.TextNode:
			if i := strings.IndexFunc(n.Data, invisible); i >= 0 {
				t.Errorf("invisible character in %q", n.Data[max(0, i-20):min(len(n.Data), i+20)])
			}
		case xhtml.ElementNode:
			checkElement(t, n)
			switch n.Data {
			case "article":
				steps++
			case "style":
				styles++
			}
		}
	}
	if styles != 1 {
		t.Errorf("%d style sheets", styles)
	}
	return steps
}

func checkElement(t testing.TB, n *xhtml.Node) {
	t.Helper()
	attributes, known := allowed[n.Data]
	if !known || n.Namespace != "" {
		t.Errorf("element %s is not ours", n.Data)
	}
	if n.Data == "a" {
		for p := n.Parent; p != nil; p = p.Parent {
			if p.Data == "a" {
				t.Error("a link inside a link")
			}
		}
	}
	for _, a := range n.Attr {
		if !slices.Contains(strings.Fields(attributes), a.Key) {
			t.Errorf("<%s> has the attribute %s=%q", n.Data, a.Key, a.Val)
		}
		if complaint := checkAttribute(n.Data, a); complaint != "" {
			t.Errorf("<%s %s=%q>: %s", n.Data, a.Key, a.Val, complaint)
		}
	}
}

func checkAttribute(element string, a xhtml.Attribute) string {
	switch {
	case strings.ContainsFunc(a.Val, invisible):
		return "invisible character"
	case a.Key == "class":
		for _, class := range strings.Fields(a.Val) {
			if !slices.Contains(classes, class) {
				return "class is not ours"
			}
		}
	case a.Key == "href" && element == "a":
		return checkHref(a.Val)
	case a.Key == "href" && a.Val != "data:,", a.Key == "rel" && element == "a" && a.Val != "noreferrer noopener":
		return "not ours"
	case a.Key == "src" && !strings.HasPrefix(a.Val, "data:"):
		return checkBeside(a.Val)
	case a.Key == "src":
		media, data, _ := strings.Cut(a.Val, ";base64,")
		if !slices.Contains([]string{"data:image/png", "data:image/jpeg", "data:image/gif", "data:image/webp"}, media) {
			return "not an image"
		}
		if _, err := base64.StdEncoding.DecodeString(data); err != nil {
			return err.Error()
		}
	case a.Key == "id" && strings.ContainsAny(a.Val, " \t\n\"'<>"):
		return "not an id"
	}
	return ""
}

func checkHref(href string) string {
	for _, prefix := range []string{"#", "http://", "https://", "mailto:", "file:///", "file://"} {
		if strings.HasPrefix(href, prefix) {
			return ""
		}
	}
	return checkBeside(href)
}

// checkBeside allows links to files beside the page.
func checkBeside(href string) string {
	first, _, _ := strings.Cut(href, "/")
	if first == "" || strings.ContainsAny(first, ":\\") || strings.ContainsFunc(href, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"'<>`\\", r) && r != '\'' }) {
		return "may lead anywhere"
	}
	return ""
}

// invisible is written apart from the code it checks.
func invisible(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return strings.ContainsRune("\u061c\u200b\u200e\u200f\u2028\u2029\ufeff", r)
}

func TestHostileTextsStayText(t *testing.T) {
	t.Parallel()
	for i, text := range hostile {
		t.Run(fmt.Sprintf("%d %.20q", i, text), func(t *testing.T) {
			t.Parallel()
			if got := checkPage(t, render(t, hostileStream([]string{text, "after"}))); got != 2 {
				t.Errorf("%d steps in the page, 2 were given", got)
			}
		})
	}
	events := hostileConversation()
	if got := checkPage(t, render(t, events)); got != len(anchors(events)) {
		t.Errorf("%d steps in the page, %d were given", got, len(anchors(events)))
	}
}

func TestSampleIsOurs(t *testing.T) {
	t.Parallel()
	events := sample()
	if got := checkPage(t, render(t, events)); got != len(anchors(events)) {
		t.Errorf("%d steps in the page, %d were given", got, len(anchors(events)))
	}
}

func FuzzPage(f *testing.F) {
	// Every text is in FuzzMessage and in a test; here a few are enough to start from.
	for i := 0; i < len(hostile); i += 8 {
		f.Add(hostile[i])
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		if got := checkPage(t, render(t, hostileStream([]string{text}))); got != 1 {
			t.Errorf("%d steps in the page, 1 was given", got)
		}
	})
}

// FuzzMessage looks for messages that leave our set of elements, and for text that is lost.
func FuzzMessage(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		page := render(t, conversation(&transcriptv1.Step{Anchor: "step-0", Role: assistant, Blocks: []*transcriptv1.Block{markdown(text)}}))
		checkPage(t, page)
		checkWords(t, text, page)
	})
}

// word is a run of letters that cannot be part of an entity, an escape or a label.
var word = regexp.MustCompile(`[A-Za-z]{5,}`)

// checkWords reports words of a message that the page does not show, neither as text nor as destination.
func checkWords(t testing.TB, message, page string) {
	t.Helper()
	if strings.ContainsAny(message, "&") || strings.Contains(message, "][") {
		return
	}
	page = strings.ToLower(page[strings.Index(page, "<main"):])
	for _, w := range word.FindAllString(message, -1) {
		if !strings.Contains(page, strings.ToLower(w)) {
			t.Errorf("%q lost %q", message, w)
		}
	}
}

func TestWordsOfHostileMessages(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		page := render(t, conversation(&transcriptv1.Step{Anchor: "step-0", Role: assistant, Blocks: []*transcriptv1.Block{markdown(text)}}))
		checkWords(t, text, page)
	}
}

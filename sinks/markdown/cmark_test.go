package markdown_test

import (
	"bytes"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sinks"
	"agy-reader/sinks/markdown"
)

// topLevel matches a block of the document itself in the XML of cmark-gfm.
var topLevel = regexp.MustCompile(`(?m)^  <(code_block|block_quote|heading) sourcepos="(\d+):\d+-(\d+):\d+"( info="([^"]*)")?`)

// TestReferenceParser recovers the bodies with the C reference parser's source positions.
func TestReferenceParser(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("cmark-gfm")
	if err != nil {
		t.Skip("cmark-gfm is not installed")
	}
	all, want, headings := conversation(bodies(60))
	source := write(t, &sinks.Request{BaseName: "x"}, all, false)
	for _, args := range [][]string{nil, {"-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist", "-e", "footnotes"}} {
		cmd := exec.CommandContext(t.Context(), path, append([]string{"-t", "xml", "--sourcepos"}, args...)...)
		cmd.Stdin = strings.NewReader(source)
		xml, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		checkInline(t, string(xml))
		lines := anyLines(source)
		var got []string
		found := 0
		for _, m := range topLevel.FindAllStringSubmatch(string(xml), -1) {
			first, _ := strconv.Atoi(m[2])
			last, _ := strconv.Atoi(m[3])
			block := strings.Join(lines[first-1:last], "")
			switch m[1] {
			case "heading":
				found++
			case "block_quote":
				body, length := unquote(block)
				if length != len(block) {
					t.Fatalf("%v: a quote holds more than quoted lines: %q", args, block)
				}
				got = append(got, body)
			case "code_block":
				end := strings.LastIndexByte(strings.TrimSuffix(block, "\n"), '\n') + 1
				got = append(got, fenced(block[strings.IndexByte(block, '\n')+1:end], block[end:]))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%v: bodies (-want +got):\n%.2000s", args, diff)
		}
		if found != headings {
			t.Errorf("%v: %d headings, want %d", args, found, headings)
		}
	}
}

var inlineHTML = regexp.MustCompile(`<html_inline[^>]*>([^<]*)</html_inline>`)

// checkInline refuses inline HTML that is not our anchors.
func checkInline(t *testing.T, xml string) {
	t.Helper()
	for _, m := range inlineHTML.FindAllStringSubmatchIndex(xml, -1) {
		if text := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`).Replace(xml[m[2]:m[3]]); !ownHTML.MatchString(text) {
			t.Fatalf("inline HTML that is not ours: %q in\n%s", text, xml[max(0, m[0]-800):m[1]])
		}
	}
}

// anyLines splits at LF, CR LF and CR and keeps them.
func anyLines(s string) (lines []string) {
	for s != "" {
		line := s[:lineLength(s)]
		lines = append(lines, line)
		s = s[len(line):]
	}
	return lines
}

// liveXML matches what a contained message may not hold.
var liveXML = regexp.MustCompile(`(?is)<(html_inline|html_block|footnote)|destination="(javascript|vbscript|data)|<image [^>]*destination="(https?:|//)`)

// TestContainedByReferenceParser asks the C parser, all extensions on, about every message judged contained.
func TestContainedByReferenceParser(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("cmark-gfm")
	if err != nil {
		t.Skip("cmark-gfm is not installed")
	}
	var source []byte
	for _, body := range bodies(20000) {
		if markdown.Contained(body) && markdown.Quotable(body) {
			source = markdown.Quote(source, body, false)
		}
	}
	cmd := exec.CommandContext(t.Context(), path, "-t", "xml", "--unsafe", "-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist", "-e", "footnotes")
	cmd.Stdin = bytes.NewReader(source)
	xml, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if at := liveXML.FindIndex(xml); at != nil {
		t.Fatalf("in\n%s", xml[max(0, at[0]-1500):at[1]])
	}
	quotes := bytes.Count(xml, []byte("\n  <block_quote"))
	blocks := bytes.Count(xml, []byte("\n  <")) - bytes.Count(xml, []byte("\n  </"))
	if quotes < 2000 || quotes != blocks {
		t.Errorf("%d quotes among %d blocks", quotes, blocks)
	}
}

package html

import (
	"strings"
	"testing"
)

func TestMessage(t *testing.T) {
	t.Parallel()
	const rel = ` rel="noreferrer noopener">`
	for _, test := range []struct{ name, in, want string }{
		{"emphasis", "a *b* **c** ~~d~~", "<p>a <em>b</em> <strong>c</strong> <del>d</del></p>\n"},
		{"headings go below the step", "# a\n## b\n### c\n###### d", "<h4>a</h4><h5>b</h5><h6>c</h6><h6>d</h6>"},
		{"raw inline", "a <b onclick=x>c</b>", `<p>a <code class="raw">&lt;b onclick=x&gt;</code>c<code class="raw">&lt;/b&gt;</code></p>` + "\n"},
		{"raw block", "<script>\nx\n</script>\n\nafter", "<pre><code>&lt;script&gt;\nx\n&lt;/script&gt;\n</code></pre>\n<p>after</p>\n"},
		{"comment", "<!-- a\n\nb -->\nc", "<pre><code>&lt;!-- a\n\nb --&gt;\n</code></pre>\n<p>c</p>\n"},
		{"plaintext", "x <plaintext> y", `<p>x <code class="raw">&lt;plaintext&gt;</code> y</p>` + "\n"},
		{"link", `[a](https://b.c "d\"e")`, `<p><a href="https://b.c" title="d&quot;e"` + rel + "a</a></p>\n"},
		{"file with spaces", "[a](<file:///x/a b(1).md>)", `<p><a href="file:///x/a%20b(1).md"` + rel + "a</a></p>\n"},
		{"script link", "[a](javascript:b)", `<p>a <code class="dest">javascript:b</code></p>` + "\n"},
		{"script link in entities", "[a](&#106;avascript&colon;b)", `<p>a <code class="dest">&amp;#106;avascript&amp;colon;b</code></p>` + "\n"},
		{"data link", "[a](data:text/html,b)", `<p>a <code class="dest">data:text/html,b</code></p>` + "\n"},
		{"autolink", "<https://b.c> x@y.z", `<p><a href="https://b.c"` + rel + `https://b.c</a> <a href="mailto:x@y.z"` + rel + "x@y.z</a></p>\n"},
		{"script autolink", "<javascript:a>", "<p>javascript:a</p>\n"},
		{"bare address", "see https://b.c/d.", `<p>see <a href="https://b.c/d"` + rel + "https://b.c/d</a>.</p>\n"},
		{"image never loads", "![a *b*](https://b.c/d.png)", `<p><span class="image"><a href="https://b.c/d.png"` + rel + "Image: a <em>b</em></a></span></p>\n"},
		{"image inside a link", "[![a](https://b.c/d.png)](https://e.f)", `<p><a href="https://e.f"` + rel + `<span class="image">Image: a <code class="dest">https://b.c/d.png</code></span></a></p>` + "\n"},
		{"image of a script", "![a](javascript:b)", `<p><span class="image">Image: a <code class="dest">javascript:b</code></span></p>` + "\n"},
		{"fence in a longer fence", "````md\n```go\n<x>\n```\n````", `<p class="lang">md</p><pre><code>` + "```go\n&lt;x&gt;\n```\n</code></pre>\n"},
		{"info string", "```go title=\"<a>\"\nb\n```", `<p class="lang">go title="&lt;a&gt;"</p><pre><code>` + "b\n</code></pre>\n"},
		{"open fence", "```ty\npescript", `<p class="lang">ty</p><pre><code>` + "pescript\n</code></pre>\n"},
		{"blank lines in code", "```\na\n\n\n\n\nb\n```", "<pre><code>a\n\n\n\n\nb\n</code></pre>\n"},
		{"definition", "[a]\n\n[a]: https://b.c 'said <d>'\n[//]: # (hidden)", `<p><a href="https://b.c" title="said &lt;d&gt;"` + rel + "a</a></p>\n" +
			"<p class=\"hint\">[a]: https://b.c \"said &lt;d&gt;\"</p>\n<p class=\"hint\">[//]: # \"hidden\"</p>\n"},
		{"cells beyond the columns", "| a | b |\n|--:|---|\n| 1 | 2 | 3 | <4> |\n| 5 |", "<table>\n<thead>\n<tr>\n<th align=\"right\">a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n" +
			"<tr>\n<td align=\"right\">1</td>\n<td>2</td>\n<td>3 | &lt;4&gt;</td>\n</tr>\n<tr>\n<td align=\"right\">5</td>\n<td></td>\n</tr>\n</tbody>\n</table>\n"},
		{"tasks", "- [x] a\n- [ ] b", "<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n</ul>\n"},
		{"direction override", "a \u202e b &#x202E; `\u202e`", "<p>a ⟨U+202E⟩ b ⟨U+202E⟩ <code>⟨U+202E⟩</code></p>\n"},
		{"control characters", "a\x1b[2J", "<p>a␛[2J</p>\n"},
		{"entities", "&lt;b&gt; &copy; &amp;lt;", "<p>&lt;b&gt; © &amp;lt;</p>\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			want := `<div class="md" dir="auto">` + test.want + "</div>\n"
			if got := string(appendMessage(nil, test.in)); got != want {
				t.Errorf("%q\n got %s\nwant %s", test.in, got, want)
			}
		})
	}
}

// Texts that take a Markdown reader quadratic time or nest without end are shown as they are, and say so.
func TestMessageLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, reason string }{
		{"long", strings.Repeat("word ", 60_000), "longer than 256 KiB"},
		{"quotes", strings.Repeat(">", 101) + "x", "nested too deeply"},
		{"lists", strings.Repeat("- ", 101) + "x", "nested too deeply"},
		{"lists over many lines", nestedLists(200), "nested too deeply"},
		{"emphasis in emphasis", strings.Repeat("**a *b ", 400) + strings.Repeat("c* d** ", 400), "nested too deeply"},
		{"table", strings.Repeat("|a", 2000) + "|\n" + strings.Repeat("|-", 2000) + "|\n" + strings.Repeat("b\n", 60), "a table too large"},
		{"links", strings.Repeat("[a](", 5001), "too many links"},
		{"emphasis", strings.Repeat("*a_", 15_001), "too many emphasis marks"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := string(appendMessage(nil, test.in))
			want := string(appendUnread(nil, test.in, test.reason))
			if got != want {
				t.Errorf("got %.200s", got)
			}
		})
	}
	for _, ordinary := range []string{
		strings.Repeat("-", 500), strings.Repeat("- - ", 40), strings.Repeat("| a | b |\n", 500), "> > > x", nestedLists(20),
		strings.Repeat("* item with *emphasis*\n", 500),
	} {
		if got := string(appendMessage(nil, ordinary)); strings.Contains(got, "Shown as typed") {
			t.Errorf("%.40q: %.200s", ordinary, got)
		}
	}
}

func nestedLists(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}

func BenchmarkMessage(b *testing.B) {
	source := strings.Repeat("The reader drops `fields` it does **not** know; see [the issue](https://example.org/7).\n\n", 14)
	var dst []byte
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		dst = appendMessage(dst[:0], source)
	}
}

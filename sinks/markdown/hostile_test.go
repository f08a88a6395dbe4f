package markdown_test

import (
	"math/rand/v2"
	"strings"
)

// hostile are bodies that have broken other writers, or could break this one.
var hostile = []string{
	"plain words", "a < b && c", "two\n\nparagraphs", "trailing\n", "\n", "\n\n\n", " ", "\t", "x\n\n\n\n\ny",
	"# heading\n## another\nsetext\n===\nother\n---\n", "```\nunclosed", "~~~\nunclosed", "````\n```\n~~~~~\n", "`````` ~~~~~~~",
	"```eol\nx\n```", "> quoted\nlazy", ">", "> ", "- list\n  - nested\n\n    code\n", "1. one\n2. two", "    indented\n\tcode",
	"a\r\nb\r\n", "a\rb", "a\r", "\r", "\r\n", "a\r# heading\r", "\n\r\n\r", "x\r\r\ny", "tab\tin\ttext\n\t\tdeep", "trailing spaces  \n  ",
	"nul\x00 here", "\x00", "\u2028line\u2029para\u0085next", "\uFEFFmark", "esc \x1b[2J \x07", "\v\f\n\v", "修👩‍💻\u202Eabc",
	"<style>", "<script>alert(1)</script>", "<!--", "<!-- a -->", "<plaintext>", "</details>", "</details>\n\n# out", "<textarea>", "<?php",
	"<![CDATA[", "<div\n>x", "<a href=`>`", "`<b>`", "`a\n<b> `", "\\`<b>`", "\\\\`<b>\\`", "``<b>`", "`|<b>|`", "x | y\n--|--\n`|<b>|` | z",
	"[x]: javascript:alert(1)\n\n[x]", "  [x]:\n/url", "- [x]: /url", "> [x]: /url", "[a\nb]: /url", "[a\\]b]: /url", "[^1]: note\n\nx[^1]",
	"[x](javascript:alert(1))", "[x](java\tscript:a)", "[x](JAVASCRIPT:a)", "[x](&#106;avascript:a)", "[x](javascript&colon;a)", "[x](\\javascript:a)",
	"[x](<javascript:a>)", "[x](\njavascript:a)", "[x]( vbscript:a \"t\")", "<javascript:alert(1)>", "<https://example.com/>", "<jo@example.com>",
	"[a](x`y) <b> `", "[a](x \"`\") <b> `", "![x](https://example.com/a.png)", "![x](//example.com/a)", "![x](a.png)", "![x](file://host/a)",
	"[![x](a.png)](https://example.com)", "[x](data:text/html,a)", "[ok](https://example.com/?a=1&b=2)", "see [a](b.md) and `<T>`",
	"1. ```html\n   <b>\n   ```", "1. x\n   ```html\n   <b>\n   ```\n", "1. x\n   ```\n<b>\n   ```", "- ```\n  x\n  ```\n\n  <b>\n  ```", "```html\n<b>\n```\n<i>",
	"```html\n<b>\n```\n", "~~~\n<b>\n~~~", "``` a`b\n<b>\n```", "   ```\n<b>\n   ```", "    ```\n<b>\n    ```", "para\n    ```\n<b>", "*a*\n***\n___\n", "$x$ ~~y~~ ~z~",
	strings.Repeat("line <b>\n", 60), strings.Repeat("</details>\n\n", 30) + "# out", strings.Repeat("plain\n", 70), strings.Repeat("a\t`x`\n", 50) + "  ",
	"(empty)", "---", "---\n\n# x", "[x]", "[ ] task", "- [x] task", "\\", "a\\\nb", "&amp; &copy; &#0;", "````\n\t`````\n<b>\n```", "````\n \t`````\n<b>", "\t```\n<b>", "www.example.com https://x.example/<b>", `https://x.example/(\<b>`,
	"| a | b |\n|---|---|\n| 1 | 2 |", strings.Repeat("> ", 40) + "deep", strings.Repeat("`", 200), strings.Repeat("~`", 300), strings.Repeat("[", 50),
}

// scraps are what random bodies are made of.
var scraps = []string{
	"\n", "\n", "\n\n", "\r\n", "\r", " ", "  ", "    ", "\t", "a", "b c", "1. ", "- ", "* ", "> ", "#", "# ", "```", "`", "``", "~~~", "````", "===", "---",
	"<b>", "</b>", "<", ">", "<!--", "-->", "<https://e.example>", "[", "]", "(", ")", "](", "]:", "[x]: ", "[^1]: ", "![", "javascript:", "https://e.example/", "//e", "&colon;",
	"\\", "|", "|---|", "\"", "'", "x", "\x00", "*", "_", "|\n|-|-|\n", "html", "<div>", "`<b>`", "```\n<b>\n```\n", "   ", "\u2028", "file:///a", "[a](b)", "[a](", "\n   ```", ":", "<a",
}

// random makes a body of scraps.
func random(rng *rand.Rand) string {
	var b strings.Builder
	for range 1 + rng.IntN(14) {
		b.WriteString(scraps[rng.IntN(len(scraps))])
	}
	return b.String()
}

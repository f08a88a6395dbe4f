// Package markdown writes a conversation as one CommonMark file.
//
// # Bodies
//
// Text of the conversation stands in the file in three ways. One-line texts (titles, names, labels, summaries) are
// escaped, so that they read as typed and mean nothing. Longer texts, the bodies, are never escaped; each stands at the
// top level of the document, in one of two forms from which a reader gets its exact bytes:
//
//   - A fenced code block. The fence is one longer than any run of its character inside. The body is what stands between
//     the line feed of the opening fence and the last line feed before the closing one. When the info string is a language
//     and the word `eol`, that last line feed belongs to the body too.
//   - A block quote. Every line begins with `>`, followed by one space unless the line is empty; lines end with LF, CR LF
//     or CR. The body is what stands behind these prefixes, without the last line feed.
//
// So a CommonMark parser that says where a block begins and ends recovers every body byte for byte. Two changes are made
// before: NUL, which CommonMark forbids, is U+FFFD; and command output that colours or redraws lines is shown as the
// terminal left it (present.Terminal), which is stated below it. An empty body is the words `(empty)`.
//
// # What content can do
//
// Headings, lists, unclosed fences and HTML of a body end with its block: the outline of the document holds our headings
// only. A quoted body is rendered as Markdown; so that it cannot reach beyond its quote or out of the file, a message that
// may hold raw HTML, a link reference definition, a footnote, an image from the network or a link with a scheme other than
// http, https, file and mailto is fenced instead (see contained). Text that a person typed is quoted only when Markdown
// shows it as typed (see plain), and fenced otherwise. Our own text holds no unescaped bracket that a definition could
// turn into a link.
//
// # Layout
//
// Title and facts stand first (artifact part 0, written last because totals are known then), one section a step, the
// summary at the end. A nested trajectory is a section behind the step that started it, its steps one heading level
// deeper. The HTML in the file is our own: `<a id>` before each step's heading, and `<details>` around thinking.
package markdown

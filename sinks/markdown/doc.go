// Package markdown writes a conversation as one CommonMark file.
//
// # Bodies
//
// Text of the conversation stands in the file in three ways. One-line texts (titles, names, labels, summaries) are
// escaped, so that they read as typed and mean nothing. Longer texts, the bodies, are never escaped; each stands at the
// top level of the document, in one of two forms from which a reader gets its exact bytes:
//
//   - A fenced code block. The fence is one longer than any run of its character inside. The body is what stands between
//     the line feed of the opening fence and the last line feed before the closing one. When a space follows the closing
//     fence, that last line feed belongs to the body too.
//   - A block quote. Every line begins with `>`, followed by one space unless the line is empty; lines end with LF, CR LF
//     or CR. The body is what stands behind these prefixes, without the last line feed. Where a line ends in two spaces or
//     more, two of them are the hard line break that Markdown needs and do not belong to the body. Behind the last line
//     they are not a break, and each pair of spaces is a line feed the body ends with.
//
// All marks are white space where Markdown shows none, so a page and an editor show nothing but the text. A CommonMark
// parser that says where a block begins and ends recovers every body byte for byte. Three changes are made before: NUL,
// which CommonMark forbids, is U+FFFD; a directory is listed by its entries, not by its plain form; and command output
// that colours or redraws lines is shown as the terminal left it (present.Terminal), which is stated below it. An empty
// body is the words `(empty)`.
//
// # What content can do
//
// Headings, lists, unclosed fences and HTML of a body end with its block: the outline of the document holds our headings
// only. A quoted body is rendered as Markdown; so that it cannot reach beyond its quote or out of the file, a message that
// may hold raw HTML, a link reference definition, a footnote, an image from the network or a link with a scheme other than
// http, https, file and mailto is fenced instead (see contained). Text that a person typed is a quote, with a hard break
// at each line end, whenever Markdown shows it as typed (see plain): a quote wraps long lines, on GitHub as in an editor,
// and looks the same for one line and for ten. Text with characters that would mean something is fenced, because escapes
// would not read as typed in an editor and could not be told from the person's own. Our own text holds no unescaped
// bracket that a definition could turn into a link.
//
// # Layout
//
// Title and facts stand first (artifact part 0, written last because totals are known then), one section a step, the
// summary at the end. A nested trajectory is a section one heading level below the step that started it, and its steps are
// one level deeper still, down to the sixth. The HTML in the file is our own: `<a id>` before each step's heading, and `<details>` around thinking
// and around bodies that are long for what they are (present.Folds).
//
// A file that belongs to a step (a task log, spilled output) is a section below it. Files that belong to the conversation as
// a whole stand at its end under «Beside the steps», grouped by kind. Links to files that were copied beside the document and
// to documents of other conversations are relative and lead nowhere else (present.RelativeHref).
//
// More calls in a row than a reader looks at (present.CallRun) are one fenced body with a line each, and further notes
// about calls (present.NoteRun) are one list with a line each. Arguments in such a line are one-line text: complete, but
// with line ends as symbols.
package markdown

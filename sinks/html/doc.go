// Package html writes a conversation as one self-contained HTML file: no script, no request, one embedded style sheet. Only
// pictures that were copied beside the page on request are loaded from there.
//
// Rules of the page, each held by a test:
//
//   - The file contains no script. A strict content security policy in a meta element allows our own style sheet by hash
//     and data: images, nothing else, so no inline style and no remote resource can exist even by accident. A page with
//     pictures beside it also allows images of its own origin.
//   - Only what a model wrote (markdown and thinking blocks) is read as Markdown, in goldmark's safe mode: raw HTML is shown
//     as text, images in it never load, links go only to schemes that present.Href accepts. What a user typed is shown
//     exactly as typed. Everything else is escaped text.
//   - Headings of a message become h4 to h6, below the h3 of their step, so that the outline of the page is ours. Those of
//     files beside the steps are paragraphs.
//   - Control characters and invisible direction controls are shown as visible marks. Colours of a terminal become
//     classes of a 16-colour palette; progress lines a terminal overwrote are left out and counted.
//   - A page stays in proportion to its conversation: beyond stated limits marks, lines of a diff, calls of one step and
//     notes about calls are shown without an element for each. The page says so where it begins, and nothing is left out.
//   - Every step has an element whose id is Step.anchor, and it is visible without opening anything. Bodies that are long for
//     what they are fold into details elements (present.Folds).
//   - Nothing depends on the clock, the locale or the machine.
package html

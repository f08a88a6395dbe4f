package interpret

import (
	"strconv"
	"strings"

	"agy-reader/proto/agyreader/fileuri"
	"agy-reader/sources/profile"
)

// fileView adds the slice of a file that was read. Lines count from 1; zero means not known.
func (b *builder) fileView(label, uri, text string, first, last, lines, bytes uint64) {
	c := b.a.cells.view.next()
	d := &c.detail
	d.Uri, d.Language = uri, languageOf(uri)
	if first > 0 && last >= first {
		d.FirstLine, d.LastLine = b.a.uint32(uint32(first)), b.a.uint32(uint32(last))
	}
	if lines > 0 {
		d.TotalLines = b.a.uint32(uint32(lines))
	}
	if bytes > 0 {
		d.TotalBytes = b.a.uint64(bytes)
	}
	c.wrap.FileView = d
	c.block.Detail = &c.wrap
	b.push(&c.block, "file_view", label, text)
}

// slice turns the stored line range into the document's: the wire counts from 0, the document from 1, and the whole file
// needs no range.
func slice(start, end, lines uint64, hasEnd bool) (first, last uint64) {
	whole := start == 0 && (end+1 >= lines && lines > 0 || !hasEnd)
	if whole || end < start {
		return 0, 0
	}
	return start + 1, end + 1
}

func viewFile(b *builder, v profile.View) {
	uri := v.Str(viewURI)
	first, last := slice(v.Uint(viewStart), v.Uint(viewEnd), v.Uint(viewLines), v.Has(viewEnd))
	if v.Str(viewContent) == "" && b.row.failure.Valid() {
		// A failed read keeps the range that was asked for.
		first, last = 0, 0
	}
	b.summaryOf(uri, first, last)
	b.fileView("", uri, v.Str(viewContent), first, last, v.Uint(viewLines), v.Uint(viewBytes))
	if r := v.Str(viewRaw); r != v.Str(viewContent) {
		b.code("Raw content", languageOf(uri), r)
	}
	b.image("", v.Sub(viewBinary))
	b.media("", v.Sub(viewMedia))
	b.plain("Memories", v.Str(viewMemories))
	b.factTrue("Reminder added by the product", v, viewReminder)
	b.factTrue("Skill file", v, viewSkillFile)
	if s := v.Sub(viewSkill); s.Valid() {
		b.fact("Skill", s.Str(skillName))
		b.fact("Skill description", s.Str(skillDescription))
		b.fact("Skill publisher", s.Str(skillPublisher))
		b.fact("Skill version", s.Str(skillVersion))
	}
}

// summaryOf sets the summary to a file's name and, when known, its lines.
func (b *builder) summaryOf(uri string, first, last uint64) {
	if b.step.Summary != "" || uri == "" {
		return
	}
	name := baseOf(uri)
	if first == 0 {
		b.summary(name)
		return
	}
	b.summary(b.a.join(name, " lines ", b.a.number(int64(first)), "-", b.a.number(int64(last))))
}

// listEntry is one line of a directory listing.
func (b *builder) listEntry(name string, dir bool, size, children *uint64) {
	e := b.a.cells.entry.next()
	e.Name, e.Directory, e.Size = name, dir, size
	if children != nil {
		e.Children = b.a.uint32(uint32(*children))
	}
	b.a.scratch.entry = append(b.a.scratch.entry, e)
}

// listing adds the entries collected with listEntry.
func (b *builder) listing(label, uri string) {
	entries := b.a.scratch.entry
	b.a.scratch.entry = entries[:0]
	n := 0
	for _, e := range entries {
		n += len(e.Name) + 40
	}
	buf := b.a.texts.open(n)
	for i, e := range entries {
		if i > 0 {
			buf = append(buf, '\n')
		}
		if strings.IndexByte(e.Name, '\n') >= 0 {
			buf = strconv.AppendQuote(buf, e.Name)
		} else {
			buf = append(buf, e.Name...)
		}
		if e.Directory && !strings.HasSuffix(e.Name, "/") {
			buf = append(buf, '/')
		}
		if e.Size != nil {
			buf = strconv.AppendUint(append(buf, " ("...), *e.Size, 10)
			buf = append(buf, " bytes)"...)
		}
		if e.Children != nil {
			buf = strconv.AppendUint(append(buf, " ("...), uint64(*e.Children), 10)
			buf = append(buf, " entries)"...)
		}
	}
	text := b.a.texts.closeText(buf)
	c := b.a.cells.listing.next()
	c.detail.Uri, c.detail.Entries = uri, b.a.lists.entries.keep(entries)
	c.wrap.Listing = &c.detail
	c.block.Detail = &c.wrap
	b.push(&c.block, "listing", label, text)
}

func listDirectory(b *builder, v profile.View) {
	uri := v.Str(listURI)
	b.summary(fileuri.Path(uri))
	v.Each(listResults, func(e profile.View) bool {
		var size, children *uint64
		if dir := e.Bool(entryIsDir); !dir {
			size = b.a.uint64(e.Uint(entrySize))
		}
		if e.Has(entryChildren) {
			children = b.a.uint64(e.Uint(entryChildren))
		}
		b.listEntry(e.Str(entryName), e.Bool(entryIsDir), size, children)
		return true
	})
	if len(b.a.scratch.entry) == 0 {
		v.EachStr(listChildren, func(name string) bool {
			b.listEntry(strings.TrimSuffix(name, "/"), strings.HasSuffix(name, "/"), nil, nil)
			return true
		})
	}
	empty := len(b.a.scratch.entry) == 0
	b.listing("", uri)
	b.oldChildren(v)
	switch {
	case v.Bool(listMissing):
		b.warning("The directory was not found.")
	case empty && b.step.GetStatus() == "DONE":
		b.info("The directory is empty.")
	}
}

// oldChildren shows names that only the old field of a listing has.
func (b *builder) oldChildren(v profile.View) {
	if !v.Has(listResults) || !v.Has(listChildren) {
		return
	}
	known := make(map[string]bool)
	v.Each(listResults, func(e profile.View) bool {
		known[e.Str(entryName)] = true
		return true
	})
	v.EachStr(listChildren, func(name string) bool {
		if !known[strings.TrimSuffix(name, "/")] {
			b.fact("Child", name)
		}
		return true
	})
}

func deleteDirectory(b *builder, v profile.View) {
	b.summary(b.a.join("Delete ", fileuri.Path(v.Str(deleteURI))))
	b.fact("Deleted directory", v.Str(deleteURI))
	b.factTrue("Force", v, deleteForce)
}

func move(b *builder, v profile.View) {
	b.summary(b.a.join(baseOf(v.Str(moveFrom)), " → ", baseOf(v.Str(moveTo))))
	b.fact("From", v.Str(moveFrom))
	b.fact("To", v.Str(moveTo))
}

func viewFileOutline(b *builder, v profile.View) {
	uri := v.Str(outlineURI)
	b.summary(b.a.join("Outline of ", baseOf(uri)))
	b.a.scratch.texts = b.a.scratch.texts[:0]
	v.EachStr(outlineItems, func(s string) bool {
		b.a.scratch.texts = append(b.a.scratch.texts, s)
		return true
	})
	b.fileView("Outline", uri, b.a.lines(b.a.scratch.texts), 0, 0, v.Uint(outlineLines), v.Uint(outlineBytes))
	b.code("Content", languageOf(uri), v.Str(outlineContents))
	if r := v.Str(outlineRaw); r != v.Str(outlineContents) {
		b.code("Raw content", languageOf(uri), r)
	}
	if cut := v.Int(outlineCut); cut > 0 {
		b.info(b.a.join("The product cut ", b.a.number(cut), " lines."))
	}
	b.factInt("Items in the file", v, outlineTotal)
	b.codeItems(v, outlineCCIs)
	b.plain("Memories", v.Str(outlineMemories))
}

func viewCodeItem(b *builder, v profile.View) {
	b.summaryOf(v.Str(itemURI), 0, 0)
	b.fact("File", v.Str(itemURI))
	b.factList("Item", v, itemPath)
	b.codeItems(v, itemCCIs)
}

// codeItems shows every value of the code items in a repeated field.
func (b *builder) codeItems(v profile.View, f profile.Field) {
	n := 0
	v.Each(f, func(item profile.View) bool {
		n++
		b.flat(b.a.join("Item ", b.a.number(int64(n))), item)
		return true
	})
}

// lines joins texts, one a line.
func (a *Arena) lines(list []string) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return list[0]
	}
	n := 0
	for _, s := range list {
		n += len(s) + 1
	}
	buf := a.texts.open(n)
	for i, s := range list {
		if i > 0 {
			buf = append(buf, '\n')
		}
		buf = append(buf, s...)
	}
	return a.texts.closeText(buf)
}

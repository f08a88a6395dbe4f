package interpret

import (
	"strings"

	"agy-reader/sources/profile"
)

func userInput(b *builder, v profile.View) {
	prompt := v.Str(userText)
	if prompt == "" {
		prompt = b.itemText(v)
	}
	if prompt == "" {
		prompt = v.Str(userQuery)
	}
	if v.Bool(userQueued) {
		b.info("Sent while the agent was busy.")
	}
	b.summary(prompt)
	b.markdown("", prompt)
	if q := v.Str(userQuery); q != prompt {
		b.markdown("Query", q)
	}
	b.items(v, prompt)
	b.mediaList("", v, userMedia)
	b.imageList("", v, userImages)
	b.comments(v)
	b.factList("Tag", v, userTags)
}

// itemText joins the pieces of a prompt, with the name of each mention in its place.
func (b *builder) itemText(v profile.View) string {
	list := b.a.scratch.texts[:0]
	v.Each(userItems, func(item profile.View) bool {
		if text := item.Str(chunkText); text != "" {
			list = append(list, text)
		} else if scope := item.Sub(chunkItem); scope.Valid() {
			list = append(list, b.a.join("@", b.mentionName(scope)))
		}
		return true
	})
	b.a.scratch.texts = list
	return b.a.join(list...)
}

// items shows the mentions of a prompt in order, and any piece of text the prompt does not hold.
func (b *builder) items(v profile.View, prompt string) {
	rest := prompt
	v.Each(userItems, func(item profile.View) bool {
		// The pieces stand in the prompt in order, so that each is looked for behind the one before it.
		if text := item.Str(chunkText); text != "" {
			if i := strings.Index(rest, text); i >= 0 {
				rest = rest[i+len(text):]
			} else {
				b.markdown("", text)
				rest = ""
			}
		}
		if scope := item.Sub(chunkItem); scope.Valid() {
			b.mention(scope)
		}
		return true
	})
}

// comments shows what the person wrote on artifacts, files and changes.
func (b *builder) comments(v profile.View) {
	v.Each(userArtifact, func(c profile.View) bool {
		b.fact("Artifact", c.Str(commentURI))
		b.factEnum("Answer", c, commentApproval)
		b.flushFacts("Comment")
		c.Sub(commentSelections).Each(selectionList, func(s profile.View) bool {
			b.selection("Selected", s.Sub(selectionText))
			b.image("Selected", s.Sub(selectionImage).Sub(croppedImage))
			b.media("Selected", s.Sub(selectionImage).Sub(croppedMedia))
			return true
		})
		b.image("", c.Sub(commentWhole).Sub(wholeImage))
		b.media("", c.Sub(commentWhole).Sub(wholeMedia))
		b.markdown("Comment", c.Str(commentText))
		return true
	})
	v.Each(userFiles, func(c profile.View) bool {
		b.fact("File", c.Str(fileCommentURI))
		c.Each(fileCommentInfos, func(info profile.View) bool {
			b.selection("Selected", info.Sub(infoSelection))
			b.markdown("Comment", info.Str(infoComment))
			return true
		})
		return true
	})
	v.Each(userDiffs, func(c profile.View) bool {
		b.fact("Changed file", c.Str(diffCommentURI))
		c.Each(diffCommentInfos, func(info profile.View) bool {
			b.selection("Selected before the change", info.Sub(diffInfoOriginal))
			b.selection("Selected after the change", info.Sub(diffInfoModified))
			b.markdown("Comment", info.Str(diffInfoComment))
			return true
		})
		return true
	})
}

func (b *builder) selection(label string, s profile.View) {
	if !s.Valid() {
		return
	}
	b.factInt("From line", s, selectionStart)
	b.factInt("To line", s, selectionEnd)
	b.flushFacts(label)
	b.code(label, "", s.Str(selectionContent))
}

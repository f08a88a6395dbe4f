package interpret

import (
	"encoding/base64"

	"agy-reader/sources/profile"
)

// media adds a file that the product stored with the step or only names.
func (b *builder) media(label string, v profile.View) {
	if !v.Valid() {
		return
	}
	data := v.Bytes(mediaData)
	if len(data) == 0 && v.Str(mediaURI) == "" {
		data = v.Bytes(mediaThumbnail)
	}
	uri := v.Str(mediaURI)
	if uri == "" {
		uri = v.Sub(mediaBlob).Str(blobID)
	}
	b.mediaBlock(label, uri, v.Str(mediaMime), v.Str(mediaDescription), data)
	if id := v.Sub(mediaBlob).Str(blobID); id != uri {
		b.fact("Stored as", id)
	}
}

// image adds an image stored the old way, as base64 text. Text that is not base64 is kept as it is.
func (b *builder) image(label string, v profile.View) {
	if !v.Valid() {
		return
	}
	text := v.Str(imageBase64)
	data, err := base64.StdEncoding.AppendDecode(b.a.texts.open(len(text)), raw(text))
	if err != nil {
		data = raw(text)
	} else {
		data = b.a.texts.closeBytes(data)
	}
	b.mediaBlock(label, v.Str(imageURI), v.Str(imageMime), v.Str(imageCaption), data)
}

func (b *builder) mediaBlock(label, uri, mime, description string, data []byte) {
	if uri == "" && mime == "" && description == "" && len(data) == 0 {
		return
	}
	c := b.a.cells.media.next()
	d := &c.detail
	d.Uri, d.MimeType, d.Description, d.Data = uri, mime, description, data
	if len(data) > 0 {
		d.Size = b.a.uint64(uint64(len(data)))
	}
	text := baseOf(uri)
	switch {
	case description != "" && text != "" && description != text:
		text = b.a.join(description, " (", text, ")")
	case description != "":
		text = description
	case text == "":
		text = mime
	}
	if text == "" {
		text = "media"
	}
	c.wrap.Media = d
	c.block.Detail = &c.wrap
	b.push(&c.block, "media", label, text)
}

// mediaList adds every element of a repeated Media field.
func (b *builder) mediaList(label string, v profile.View, f profile.Field) {
	v.Each(f, func(m profile.View) bool {
		b.media(label, m)
		return true
	})
}

// imageList adds every element of a repeated ImageData field.
func (b *builder) imageList(label string, v profile.View, f profile.Field) {
	v.Each(f, func(m profile.View) bool {
		b.image(label, m)
		return true
	})
}

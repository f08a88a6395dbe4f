package html

import (
	"bytes"
	"encoding/base64"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/present"
)

// Images above this size are named, not shown.
const maxImage = 5 << 20

// appendMedia appends an image as part of the page when its bytes are stored and are one of the raster formats that
// cannot run anything; for all others it says what there is.
func appendMedia(dst []byte, b *transcriptv1.Block, d *transcriptv1.Media) []byte {
	dst = append(dst, "<figure>\n"...)
	kind := imageType(d.GetData())
	inline := kind != "" && len(d.GetData()) <= maxImage
	if inline {
		dst = append(dst, `<img alt="`...)
		dst = appendAttr(dst, imageName(b, d))
		dst = append(append(dst, `" decoding="async" src="data:`...), kind...)
		dst = append(dst, ";base64,"...)
		dst = base64.StdEncoding.AppendEncode(dst, d.GetData())
		dst = append(dst, "\">\n"...)
	} else if showsPicture(d) {
		href, _ := present.RelativeHref(d.GetHref())
		dst = append(dst, `<img alt="`...)
		dst = appendAttr(dst, imageName(b, d))
		dst = append(dst, `" decoding="async" src="`...)
		dst = append(appendAttr(dst, href), "\">\n"...)
	}
	dst = append(dst, "<figcaption>"...)
	t := title{href: d.GetHref(), label: labelOr(b, "Media"), uri: d.GetUri(), name: present.Name(d.GetUri()), note: present.MediaFacts(d)}
	switch {
	case len(d.GetData()) == 0:
	case kind == "":
		t.note = joinFacts(t.note, "not inlined: not a PNG, JPEG, GIF or WebP image")
	case !inline:
		t.note = joinFacts(t.note, "not inlined: larger than "+present.Size(maxImage))
	}
	dst = appendTitle(dst, t)
	if d.GetSha256() != "" {
		dst = append(dst, ` <span class="dim hash">SHA-256 `...)
		dst = appendText(dst, d.GetSha256())
		dst = append(dst, "</span>"...)
	}
	dst = append(dst, "</figcaption>\n"...)
	if b.GetText() != "" {
		dst = appendTyped(dst, b.GetText())
	}
	return append(dst, "</figure>\n"...)
}

// showsPicture reports whether the page shows an image that lies beside it.
func showsPicture(d *transcriptv1.Media) bool {
	_, safe := present.RelativeHref(d.GetHref())
	return safe && present.Picture(d) && (imageType(d.GetData()) == "" || len(d.GetData()) > maxImage)
}

// linksPictures reports whether any of the blocks does.
func linksPictures(blocks []*transcriptv1.Block) bool {
	for _, b := range blocks {
		if d := b.GetMedia(); d != nil && showsPicture(d) {
			return true
		}
	}
	return false
}

func imageName(b *transcriptv1.Block, d *transcriptv1.Media) string {
	switch {
	case d.GetDescription() != "":
		return present.Clip(d.GetDescription(), 300)
	case d.GetUri() != "":
		return present.Name(d.GetUri())
	}
	return present.Clip(labelOr(b, "Image without description"), 300)
}

// imageType recognises an image by its first bytes; what a file is called is never believed.
func imageType(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return "image/gif"
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

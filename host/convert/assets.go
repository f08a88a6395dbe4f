package convert

import (
	"mime"
	"net/url"
	"os"
	"path"
	"strings"

	"agy-reader/host/artifact"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// maxMissing bounds the list of files that are not there.
const maxMissing = 500

// assets finds the bytes of images and other files that the document shows, in the conversation or in its store, and with
// copying puts each once into the folder `<base>.assets` beside the document. It belongs to the ordering goroutine, so that
// the first name a file has in the document is the name of its copy, however many workers there are.
type assets struct {
	out     sinks.Artifacts
	folder  string
	copying bool
	// root is the path of the store, opened when the first file is looked up.
	root  string
	store *os.Root

	// files are looked up once: by path in the store. byHash holds what was copied.
	files  map[string]*storeFile
	byHash map[string]*transcriptv1.Asset
	names  map[string]bool
	list   []*transcriptv1.Asset
	// bytes is the size of all copies.
	bytes   int64
	missing []*transcriptv1.MissingFile
	media   uint32
}

func (p *plan) newAssets(h *transcriptv1.Header) *assets {
	return &assets{
		out: p.Out, folder: p.baseName(h) + ".assets", copying: p.Assets, root: p.Ref.Root,
		files: map[string]*storeFile{}, byHash: map[string]*transcriptv1.Asset{}, names: map[string]bool{},
	}
}

// concern reports whether a step shows files that step would look up or copy: it must not be rendered before.
func (a *assets) concern(st *transcriptv1.Step) bool {
	for _, b := range st.Blocks {
		if m := b.GetMedia(); m != nil && (a.copying || len(m.Data) == 0) {
			return true
		}
	}
	return false
}

// step says of every file a step shows where its bytes are.
func (a *assets) step(st *transcriptv1.Step) error {
	for _, b := range st.Blocks {
		m := b.GetMedia()
		if m == nil {
			continue
		}
		a.media++
		if err := a.show(m, st.Anchor); err != nil {
			return err
		}
	}
	return nil
}

func (a *assets) show(m *transcriptv1.Media, anchor string) error {
	name := mediaName(m)
	if len(m.Data) > 0 {
		if !a.copying || m.Href != "" {
			return nil
		}
		copied, reason, err := a.keep(m.Data, name, m.MimeType, "", anchor)
		if err != nil {
			return err
		}
		if reason != "" {
			a.miss(name, anchor, reason)
			return nil
		}
		m.Href = copied.Href
		if m.Sha256 == "" {
			m.Sha256 = copied.Sha256
		}
		return nil
	}
	f, err := a.find(m.Uri, name, m.MimeType, anchor)
	switch {
	case err != nil:
		return err
	case f == nil:
		a.miss(name, anchor, "not stored")
		return nil
	case f.reason != "":
		a.miss(name, anchor, f.reason)
	}
	m.StorePath = f.path
	if m.Size == nil {
		m.Size = new(uint64(f.size))
	}
	if f.copy != nil {
		m.Href = f.copy.Href
		if m.Sha256 == "" {
			m.Sha256 = f.copy.Sha256
		}
	}
	return nil
}

// attachment copies the file an attachment stands for, and says of a picture of it where its bytes are. Messages are whole in
// the document.
func (a *assets) attachment(at *transcriptv1.Attachment) error {
	if at.Kind == "upload" || at.Kind == "image" {
		a.media++
	}
	picture := pictureOf(at)
	if !a.copying && picture == nil || at.Href != "" || at.Kind == "message" || at.Kind == "queued_prompt" {
		return nil
	}
	f, err := a.find(at.Uri, at.Name, at.MimeType, at.Anchor)
	switch {
	case err != nil || f == nil:
		return err
	case f.reason != "":
		a.miss(at.Name, at.Anchor, f.reason)
	}
	if f.copy != nil {
		at.Href = f.copy.Href
		if at.Sha256 == "" {
			at.Sha256 = f.copy.Sha256
		}
	}
	if at.Size == nil {
		at.Size = new(uint64(f.size))
	}
	if picture != nil {
		picture.StorePath, picture.Href = f.path, at.Href
	}
	return nil
}

// pictureOf is the block of an attachment that shows its file, nil when none does.
func pictureOf(at *transcriptv1.Attachment) *transcriptv1.Media {
	for _, b := range at.Blocks {
		if m := b.GetMedia(); m != nil && m.Uri == at.Uri && len(m.Data) == 0 {
			return m
		}
	}
	return nil
}

// complete puts what was found into the conversation's footer.
func (a *assets) complete(f *transcriptv1.Footer) {
	f.Assets, f.MissingFiles, f.Media = a.list, a.missing, a.media
}

func (a *assets) miss(name, anchor, reason string) {
	if len(a.missing) < maxMissing {
		a.missing = append(a.missing, &transcriptv1.MissingFile{
			Name: strings.Clone(name), Anchor: strings.Clone(anchor), Reason: reason,
		})
	}
}

func (a *assets) close() {
	if a.store != nil {
		_ = a.store.Close() // it was only read
		a.store = nil
	}
}

// mediaName is what a file is called: the end of its address, else what kind it is.
func mediaName(m *transcriptv1.Media) string {
	if name := path.Base(plainPath(m.Uri)); m.Uri != "" && name != "." && name != "/" {
		return name
	}
	base, _, _ := mime.ParseMediaType(m.MimeType)
	if kind, _, found := strings.Cut(base, "/"); found {
		return kind + extensions[base]
	}
	return "file"
}

// extensions of what conversations hold; the system's own table differs between machines.
var extensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
	"application/pdf": ".pdf", "text/plain": ".txt", "text/markdown": ".md", "audio/mpeg": ".mp3", "audio/wav": ".wav",
	"video/mp4": ".mp4", "video/webm": ".webm", "application/json": ".json",
}

// fileName is a name for a copy that no system refuses: the end of a path. A long name keeps its extension.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	ext := path.Ext(name)
	if len(ext) > 12 {
		ext = ""
	}
	stem := artifact.SafeName(strings.TrimSuffix(name, ext))
	if len(stem) > 80 {
		stem = artifact.SafeName(strings.ToValidUTF8(stem[:80], ""))
	}
	return artifact.SafeName(stem + ext)
}

// link is a relative link to a copy.
func (a *assets) link(name string) string {
	return url.PathEscape(a.folder) + "/" + url.PathEscape(name)
}

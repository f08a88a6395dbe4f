package brain

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// Beside returns what belongs to one step: the log of the background task it started, the whole output of its tool, uploads
// and generated images it names, uploads that Place gave it, the message it came as. The attachments carry the step's anchor.
// It may be called from many goroutines, and only for steps of the conversation itself.
func (f *Folder) Beside(st *transcriptv1.Step) []*transcriptv1.Attachment {
	var list []*transcriptv1.Attachment
	if log, ok := f.tasks[st.GetIndex()]; ok {
		list = append(list, f.output(context.Background(), kindTaskLog, log, st))
	} else if missing := f.missingLog(st); missing != nil {
		list = append(list, missing)
	}
	for _, e := range f.outputs[st.GetIndex()] {
		list = append(list, f.output(context.Background(), kindOutput, e, st))
	}
	for _, b := range st.GetBlocks() {
		if m := b.GetMedia(); m != nil && m.GetUri() != "" {
			if e, ok := f.uploaded(m.GetUri()); ok {
				a := f.attachment(kindUpload, e, f.sum(context.Background(), e))
				a.UpdatedNs = uploadTime(e.name)
				list = append(list, a)
			}
		}
	}
	list = append(list, f.sent(st, list)...)
	list = append(list, f.pictures(st)...)
	if a := f.delivered(st); a != nil {
		list = append(list, a)
	}
	for _, a := range list {
		a.Anchor = st.GetAnchor()
	}
	return list
}

// missingLog says that the log of a background task is not there (case O06), nil when the step started none.
func (f *Folder) missingLog(st *transcriptv1.Step) *transcriptv1.Attachment {
	i := strings.LastIndex(st.GetTaskId(), "task-")
	if i < 0 || st.GetTaskId()[i+len("task-"):] != strconv.FormatUint(uint64(st.GetIndex()), 10) {
		return nil
	}
	e := entry{name: fmt.Sprintf("%stasks/task-%d.log", generated, st.GetIndex()), odd: true}
	return f.attachment(kindTaskLog, e, contents{problem: "The log of this task is no longer on disk."})
}

// output shows a file that holds output. Text that the step itself shows is not shown again; st may be nil.
func (f *Folder) output(ctx context.Context, kind string, e entry, st *transcriptv1.Step) *transcriptv1.Attachment {
	most := maxOutput
	shown := longest(st)
	if size := int64(shown); e.size > maxOutput && e.size <= size+size/8+1024 && e.size <= maxMessage {
		most = int(e.size) // the step may show all of it
	}
	c := f.contents(ctx, e, most)
	a := f.attachment(kind, e, c)
	if a.MimeType == "" {
		a.MimeType = "text/plain"
	}
	switch {
	case c.problem != "":
	case c.tail == nil && c.size > 0 && repeats(st, c.head):
		a.Blocks = append(a.Blocks, info("The step shows all of it."))
	default:
		if most > maxOutput && c.tail == nil {
			c = f.contents(ctx, e, maxOutput)
		}
		a.Blocks = append(a.Blocks, text(c, func(label, text string) *transcriptv1.Block {
			return code(label, language(e.name), text)
		})...)
	}
	return a
}

// longest is the length of the longest text of a step.
func longest(st *transcriptv1.Step) int {
	n := 0
	for _, b := range st.GetBlocks() {
		n = max(n, len(b.GetText()))
	}
	return n
}

// repeats reports whether a block of the step holds the same text, but for the ends of lines and blanks around it.
func repeats(st *transcriptv1.Step, raw []byte) bool {
	want := string(bytes.TrimSpace(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))))
	for _, b := range st.GetBlocks() {
		if b.GetCode() == nil && b.GetPlain() == nil && b.GetMarkdown() == nil && b.GetFileView() == nil && b.GetListing() == nil && b.GetSearchHits() == nil {
			continue
		}
		if len(b.GetText()) >= len(want) && strings.TrimSpace(strings.ReplaceAll(b.GetText(), "\r\n", "\n")) == want {
			return true
		}
	}
	return false
}

// language is the name of a text's language as a Markdown fence takes it.
func language(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".json":
		return "json"
	case ".html", ".htm":
		return "html"
	case ".md":
		return "markdown"
	case ".go":
		return "go"
	case ".js":
		return "javascript"
	case ".ts":
		return "typescript"
	case ".py":
		return "python"
	case ".sh":
		return "sh"
	case ".ps1":
		return "powershell"
	case ".css":
		return "css"
	case ".sql":
		return "sql"
	case ".yaml", ".yml":
		return "yaml"
	case ".xml", ".svg":
		return "xml"
	}
	return ""
}

// pictures are the images that a step made and names: «Generated image is saved at …» (case M07). One that the step shows
// itself is not shown again.
func (f *Folder) pictures(st *transcriptv1.Step) []*transcriptv1.Attachment {
	if st.GetKind() != "GENERATE_IMAGE" && st.GetCall().GetName() != "generate_image" {
		return nil
	}
	var list []*transcriptv1.Attachment
	for _, e := range f.picturesNamed(st) {
		name := path.Base(e.name)
		a := f.attachment(kindImage, e, f.sum(context.Background(), e))
		if !slices.ContainsFunc(st.GetBlocks(), func(b *transcriptv1.Block) bool { return base(b.GetMedia().GetUri()) == name }) && a.GetSha256() != "" {
			a.Blocks = append(a.Blocks, media(a))
		}
		list = append(list, a)
	}
	return list
}

// maxPictures bounds how many places of a text are looked at for the name of an image.
const maxPictures = 1000

// picturesNamed are the images whose names stand in the texts of a step, in order of their names.
func (f *Folder) picturesNamed(st *transcriptv1.Step) []entry {
	found := map[string]bool{}
	for _, b := range st.GetBlocks() {
		text := b.GetText()
		for at, tries := 0, 0; at < len(text) && tries < maxPictures; {
			dot := strings.IndexByte(text[at:], '.')
			if dot < 0 {
				break
			}
			dot += at
			at = dot + 1
			for _, ending := range f.endings {
				if !strings.HasPrefix(text[dot:], ending) {
					continue
				}
				tries++
				end := dot + len(ending)
				for start := max(dot-maxName, 0); start < dot; start++ {
					if name := text[start:end]; f.pictured[name] != nil {
						found[name] = true
					}
				}
			}
		}
	}
	var list []entry
	for name := range found {
		list = append(list, f.pictured[name]...)
	}
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return list
}

// maxName is the longest name of a file on any system.
const maxName = 255

// base is the last part of an address or of a path of either system.
func base(uri string) string { return uri[strings.LastIndexAny(uri, `/\`)+1:] }

// uploaded finds the upload that an address names, in the folder or in the one that all conversations share.
func (f *Folder) uploaded(uri string) (entry, bool) {
	name := base(uri)
	if !isUpload(name) {
		return entry{}, false
	}
	if e, ok := f.uploads[name]; ok {
		return e, true
	}
	e, ok := f.temp()[name]
	return e, ok
}

// uploadTime is the moment that the name of an upload tells, in milliseconds since 1970: media__<ms>.png,
// uploaded_image_<n>_<ms>.png.
func uploadTime(name string) *int64 {
	digits, _, _ := strings.Cut(path.Base(name), ".")
	digits = digits[strings.LastIndexByte(digits, '_')+1:]
	ms := index64(digits)
	if len(digits) != 13 || ms < 0 {
		return nil
	}
	ns := ms * 1_000_000
	return &ns
}

func index64(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

package brain

import (
	"context"
	"slices"
	"sort"
	"time"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/secret"
)

// sentWithin is how much later than its prompt an upload may have been written and still belong to it: logs know whole
// seconds, and the file may be written while the prompt is sent.
const sentWithin = 10 * time.Second

// Dated reports whether the names of some uploads tell their time, so that Place can find a prompt for them.
func (f *Folder) Dated() bool {
	for name := range f.uploads {
		if uploadTime(name) != nil {
			return true
		}
	}
	return false
}

// Place gives every upload whose name tells its time to a prompt, for those that no step names (case M03): to the prompt
// nearest in time. A file is uploaded before its prompt is sent, so that an earlier prompt takes only what is at most some
// seconds younger, unless no prompt follows. Prompts without a time are passed over. It comes before Beside.
func (f *Folder) Place(prompts []sources.Mark) {
	dated := slices.DeleteFunc(slices.Clone(prompts), func(m sources.Mark) bool { return m.CreatedNS == 0 })
	slices.SortStableFunc(dated, func(a, b sources.Mark) int {
		return time.Unix(0, a.CreatedNS).Compare(time.Unix(0, b.CreatedNS))
	})
	f.placed = map[uint32][]entry{}
	if len(dated) == 0 {
		return
	}
	for _, e := range f.files {
		at := uploadTime(e.name)
		if kindOf(e.name) != kindUpload || at == nil || secret.File(e.name) {
			continue
		}
		m := nearest(dated, *at)
		f.placed[m.Index] = append(f.placed[m.Index], e)
	}
}

// nearest chooses among prompts in order of time.
func nearest(prompts []sources.Mark, at int64) sources.Mark {
	i := sort.Search(len(prompts), func(i int) bool { return prompts[i].CreatedNS >= at })
	switch {
	case i == 0:
		return prompts[0]
	case i == len(prompts):
		return prompts[i-1]
	}
	if age := at - prompts[i-1].CreatedNS; age <= int64(sentWithin) && age < prompts[i].CreatedNS-at {
		return prompts[i-1]
	}
	return prompts[i]
}

// sent are the uploads that belong to a prompt by their time alone.
func (f *Folder) sent(st *transcriptv1.Step, named []*transcriptv1.Attachment) []*transcriptv1.Attachment {
	if st.GetKind() != "USER_INPUT" {
		return nil
	}
	var list []*transcriptv1.Attachment
	for _, e := range f.placed[st.GetIndex()] {
		a := f.attachment(kindUpload, e, f.sum(context.Background(), e))
		if slices.ContainsFunc(named, func(n *transcriptv1.Attachment) bool { return n.GetName() == a.GetName() }) {
			continue
		}
		a.UpdatedNs = uploadTime(e.name)
		if a.GetSha256() != "" {
			a.Blocks = append(a.Blocks, media(a))
		}
		a.Blocks = append(a.Blocks, info("Placed here by the time in its name; no step names it."))
		list = append(list, a)
	}
	return list
}

package convert

import (
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

// touched is a file with the steps that read and changed it.
type touched struct {
	uri           string
	read, changed spots
}

// spots are numbers of anchors. last is the newest, listed or not; more counts those that are not.
type spots struct {
	list       []uint32
	last, more uint32
}

// touch notes the files a step read or changed.
func (o *overview) touch(st *transcriptv1.Step) {
	numbered, at := false, uint32(0)
	for _, b := range st.Blocks {
		uri, changed := b.GetFileView().GetUri(), false
		if b.GetDiff() != nil {
			uri, changed = b.GetDiff().GetUri(), true
		}
		if uri == "" {
			continue
		}
		f := o.file(uri)
		if f == nil {
			continue
		}
		if !numbered {
			numbered, at = true, o.anchors.number(st)
		}
		s := &f.read
		if changed {
			s = &f.changed
		}
		o.spot(s, at)
	}
}

// file returns the file of this name, nil when it is not listed.
func (o *overview) file(uri string) *touched {
	k := hash('f', uri)
	place, seen := o.known.get(k)
	switch {
	case seen && place == 0:
		return nil
	case seen:
		return &o.files[place-1]
	case len(o.files) == maxFiles || o.names+len(uri) > maxFileNames:
		o.known.put(k, 0)
		o.result.MoreFiles++
		return nil
	}
	o.names += len(uri)
	o.files = append(o.files, touched{uri: strings.Clone(uri)})
	o.known.put(k, uint32(len(o.files)))
	return &o.files[len(o.files)-1]
}

// spot notes a step, once.
func (o *overview) spot(s *spots, at uint32) {
	if (len(s.list) > 0 || s.more > 0) && s.last == at {
		return
	}
	s.last = at
	if o.places == maxPlaces {
		s.more++
		return
	}
	o.places++
	s.list = append(s.list, at)
}

// touchedFiles are the files as the document has them.
func (o *overview) touchedFiles() []*transcriptv1.TouchedFile {
	var list []*transcriptv1.TouchedFile
	for i := range o.files {
		f := &o.files[i]
		list = append(list, &transcriptv1.TouchedFile{
			Uri: f.uri, ReadAnchors: o.anchorsOf(f.read), ChangedAnchors: o.anchorsOf(f.changed), MoreRead: f.read.more, MoreChanged: f.changed.more,
		})
	}
	return list
}

// anchorsOf are the anchors of spots.
func (o *overview) anchorsOf(s spots) []string {
	if len(s.list) == 0 {
		return nil
	}
	list := make([]string, len(s.list))
	for i, number := range s.list {
		list[i] = o.anchors.of(number)
	}
	return list
}

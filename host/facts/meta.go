package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"agy-reader/sources"
)

// maxSmall bounds files about one conversation.
const maxSmall = 1 << 20

// annotated is the title in annotations/<id>.pbtxt.
func (x *Index) annotated(id string) fact {
	if !safeName(id) {
		return fact{}
	}
	name := "annotations/" + id + ".pbtxt"
	data, err := x.files.read(name, maxSmall)
	var title string
	if err == nil {
		if err = eachText(data, func(name, value string) {
			if name == "title" {
				title = text(value)
			}
		}); err != nil {
			err = fmt.Errorf("%w: %w", sources.ErrPartial, err)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.note(name, err)
	}
	if title == "" {
		return fact{}
	}
	return fact{title, "annotation"}
}

// started is the folder an ACP server was started in for a conversation.
func (x *Index) started(id string) fact {
	if !safeName(id) {
		return fact{}
	}
	name := "conversations/" + id + ".meta"
	data, err := x.files.read(name, maxSmall)
	var meta struct{ Cwd string }
	if err == nil {
		if err = json.Unmarshal(data, &meta); err != nil {
			err = fmt.Errorf("%w: %w", sources.ErrUnreadable, err)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.note(name, err)
	}
	return fact{meta.Cwd, "session file (.meta)"}
}

package merge

import (
	"agy-reader/sources"
	"agy-reader/sources/brain"
)

// openFolder opens what lies beside the steps of a conversation, nil when there is nothing.
func openFolder(ref sources.Ref) (folder, error) {
	f, err := brain.Open(ref)
	if f == nil {
		return nil, err // not f, a nil pointer
	}
	return f, err
}

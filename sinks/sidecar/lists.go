package sidecar

import transcriptv1 "agy-reader/proto/agyreader/transcript/v1"

// The lists of agyReader.offline in the order they stand in it. Each grows in a part of its own and is there only when it
// has anything.
const (
	listFilled = iota
	listInherited
	listNotes
	listAttachments
	listSourceOnly
	listUnknown
	listCount
)

var listNames = [listCount]string{"filledSteps", "inheritedSteps", "notes", "attachments", "sourceOnly", "unknownFields"}

// lists are those begun so far.
type lists struct{ all [listCount]*list }

func newLists() *lists { return new(lists) }

func (l *lists) add(s *session, which int, item []byte) error {
	return s.add(&l.all[which], partLists+uint32(which), `,"`+listNames[which]+`":[`, item)
}

func (l *lists) end() error {
	for _, one := range l.all {
		if one != nil {
			if err := one.end(); err != nil {
				return err
			}
		}
	}
	return nil
}

// where says of a step that it was found elsewhere than the others, or copied from another conversation.
func (s *session) where(st *transcriptv1.Step) error {
	if st.GetOrigin() != "" {
		item := appendString(append(appendStepOrigin(nil, st), `"origin":`...), st.GetOrigin())
		if err := s.offline.add(s, listFilled, append(item, '}')); err != nil {
			return err
		}
	}
	if !st.GetInherited() {
		return nil
	}
	item := appendStepOrigin(nil, st)
	item[len(item)-1] = '}'
	return s.offline.add(s, listInherited, item)
}

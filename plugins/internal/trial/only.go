package trial

import (
	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// Only is what the host gives a sink with these needs.
func Only(needs sinks.Needs, events ...*transcriptv1.Event) []*transcriptv1.Event {
	var all []*transcriptv1.Event
	for _, ev := range events {
		ev = proto.CloneOf(ev)
		if st := ev.GetStep(); st != nil {
			if !needs.Blocks {
				st.Blocks, st.Summary, st.Call, st.Usage, st.ExtraUsage = nil, "", nil, nil, nil
			}
			if !needs.Native {
				st.NativeJson = nil
			}
			if !needs.Display {
				st.DisplayJson, st.SourceOnly = nil, nil
			}
		}
		if h := ev.GetBegin(); h != nil && !needs.Native && !needs.Display {
			h.MembersJson = nil
		}
		if a := ev.GetAttachment(); a != nil && !needs.Blocks {
			a.Blocks = nil
		}
		if ev.GetRecord() == nil || needs.Records {
			all = append(all, ev)
		}
	}
	return all
}

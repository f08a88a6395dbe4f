package trial

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// Drive gives a conversation to sink as the host does and returns what was published. Every event is a copy that is
// spoiled right after the call. With ahead, a sinks.Renderer
// gets its steps rendered first.
func Drive(ctx context.Context, sink sinks.Sink, req *sinks.Request, out *Memory, ahead bool, events ...*transcriptv1.Event) (map[string][]byte, error) {
	session, err := sink.Open(ctx, req, out)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	renderer, _ := session.(sinks.Renderer)
	for i, ev := range events {
		ev = proto.CloneOf(ev)
		if ahead && renderer != nil && ev.GetStep() != nil {
			err = renderAhead(renderer, ev)
		} else {
			err = session.Event(ev)
		}
		spoil(ev.ProtoReflect())
		if err != nil {
			session.Abort()
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
	}
	if err := session.Close(); err != nil {
		return nil, fmt.Errorf("close: %w", err)
	}
	if err := out.Commit(); err != nil {
		return nil, err
	}
	return out.Published(), nil
}

func renderAhead(r sinks.Renderer, ev *transcriptv1.Event) error {
	text, err := r.Render(nil, ev)
	if err != nil {
		return err
	}
	err = r.Rendered(ev, text)
	clear(text)
	return err
}

// spoil overwrites everything an event refers to.
func spoil(m protoreflect.Message) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsList() && fd.Message() != nil:
			for i := range v.List().Len() {
				spoil(v.List().Get(i).Message())
			}
		case fd.IsList():
			v.List().Truncate(0)
		case fd.Message() != nil:
			spoil(v.Message())
		case fd.Kind() == protoreflect.BytesKind:
			clear(v.Bytes())
		case fd.Kind() == protoreflect.StringKind:
			m.Set(fd, protoreflect.ValueOfString("spoiled"))
		}
		return true
	})
}

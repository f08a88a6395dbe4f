package merge

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// rest hands out what belongs to the conversation as a whole, in batches of bounded size.
type rest struct {
	s    *shared
	pull func() (*transcriptv1.Attachment, error, bool)
	halt func()
}

var errStopped = errors.New("nobody wants more")

func newRest(s *shared) *rest { return &rest{s: s} }

func (r *rest) next(ctx context.Context) (sources.Batch, error) {
	if r.s.folder == nil {
		return nil, ctx.Err()
	}
	if r.pull == nil {
		folder, ctx := r.s.folder, r.s.ctx
		r.pull, r.halt = iter.Pull2(func(yield func(*transcriptv1.Attachment, error) bool) {
			err := folder.Rest(ctx, func(a *transcriptv1.Attachment) error {
				if !yield(a, nil) {
					return errStopped
				}
				return nil
			})
			if err != nil && !errors.Is(err, errStopped) {
				yield(nil, err)
			}
		})
	}
	p := &pieces{s: r.s}
	for p.bytes < piecesBytes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a, err, ok := r.pull()
		if !ok {
			break
		}
		ev := &transcriptv1.Event{Body: &transcriptv1.Event_Attachment{Attachment: a}}
		if err != nil {
			if cancelled := r.s.ctx.Err(); cancelled != nil {
				return nil, cancelled
			}
			ev = event(&transcriptv1.Note{
				Kind: noteDamage, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
				Text: fmt.Sprintf("files beside the steps cannot be read: %v", err),
			})
		}
		p.list = append(p.list, piece{event: ev})
		p.bytes += noteBytes + proto.Size(a)
	}
	if len(p.list) == 0 {
		return nil, nil
	}
	r.s.hold()
	return p, nil
}

func (r *rest) stop() {
	if r.halt != nil {
		r.halt()
	}
}

package legacypb

import (
	"context"

	"agy-reader/sources"
	"agy-reader/sources/trajectory"
)

var _ sources.Outliner = (*reader)(nil)

// Extent implements sources.Outliner.
func (r *reader) Extent(context.Context) (last int64, whole bool, err error) {
	return int64(r.parts.steps) - 1, r.parts.broken == nil, nil
}

// Outline implements sources.Outliner.
func (r *reader) Outline(ctx context.Context) ([]sources.Mark, error) {
	resolved := r.profile.Resolve(&fields)
	kinds := map[int64]string{}
	marks := make([]sources.Mark, 0, r.parts.steps)
	steps := r.parts.items(trajectory.StepsField)
	for payload, ok := steps.next(); ok; payload, ok = steps.next() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m := sources.Mark{Index: uint32(len(marks))}
		if kind, _ := trajectory.TypeAndStatus(payload); kind > 0 {
			if kinds[kind] == "" {
				kinds[kind] = resolved.EnumName(stepType, kind)
			}
			m.Kind = kinds[kind]
		}
		// Not checked: what cannot be read is absent.
		if ns, ok := resolved.View(trajectory.StepMessage, payload, nil).Sub(stepMetadata).Time(stepCreated); ok {
			m.CreatedNS = ns
		}
		marks = append(marks, m)
	}
	return marks, nil
}

// endOfSteps is the batch behind the last step, sources.Gap.
type endOfSteps struct {
	*trajectory.Batch
	steps uint32
}

// Missing implements sources.Gap.
func (e endOfSteps) Missing() sources.Missing {
	return sources.Missing{First: e.steps, Last: int64(e.steps) - 1, End: true}
}

package whole

import (
	"context"

	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
)

var (
	fields profile.Names

	stepType     = fields.Field(trajectory.StepMessage, "type")
	stepMetadata = fields.Field(trajectory.StepMessage, "metadata")
	stepCreated  = fields.Field("exa.cortex_pb.CortexStepMetadata", "created_at")
)

// Extent implements sources.Outliner.
func (r *Reader) Extent(context.Context) (last int64, whole bool, err error) {
	return int64(r.in.Parts.Steps) - 1, r.in.Parts.Broken == nil, nil
}

// Outline implements sources.Outliner.
func (r *Reader) Outline(ctx context.Context) ([]sources.Mark, error) {
	resolved := r.in.Profile.Resolve(&fields)
	kinds := map[int64]string{}
	marks := make([]sources.Mark, 0, r.in.Parts.Steps)
	steps := r.in.Parts.Items(trajectory.StepsField)
	for payload, ok := steps.Next(); ok; payload, ok = steps.Next() {
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

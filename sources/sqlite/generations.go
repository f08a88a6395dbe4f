package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
)

// smallGeneration is up to which size a row about a model call is read before the steps. The newest row repeats the whole
// prompt and holds nearly all bytes of the table.
const smallGeneration = 65536

// uncoveredBytes bounds how much of the bigger rows is read for their usage when no step carries it.
const uncoveredBytes = 1 << 20

var (
	names profile.Names

	stepUsage     = names.Field(stepMetadataMessage, "model_usage")
	stepSource    = names.Field(stepMetadataMessage, "source_trajectory_step_info")
	sourceModelAt = names.Field("exa.cortex_pb.SourceTrajectoryStepInfo", "metadata_index")
)

const stepMetadataMessage = "exa.cortex_pb.CortexStepMetadata"

// generations is what the model calls say that are recorded apart from steps.
type generations struct {
	trajectory.Generations
	// rows counts all rows; skipped are those that were too big, with their total size.
	rows         int64
	skipped      []int64
	skippedBytes int64
	// sizes are those of the rows skipped.
	sizes map[int64]int64
	// executors and executorBytes measure the table executor_metadata, which is not read.
	executors, executorBytes int64
}

// readGenerations reads the small rows of gen_metadata.
func (r *reader) readGenerations(ctx context.Context) (*generations, error) {
	g := &generations{}
	have := r.schema.has("gen_metadata")
	if have == nil {
		return g, nil
	}
	t := table{name: "gen_metadata", key: "idx", columns: []column{
		{"data", fmt.Sprintf(`CASE WHEN length("data") <= %d THEN "data" END`, smallGeneration)},
		{"data", `length("data")`},
	}}
	err := r.readTable(ctx, t, have, func(index int64, v []driver.Value) error {
		g.rows++
		size, raw := number(v[1]), asBytes(v[0])
		if raw == nil && size > 0 {
			if g.sizes == nil {
				g.sizes = map[int64]int64{}
			}
			g.skipped, g.sizes[index] = append(g.skipped, index), size
			g.skippedBytes += size
			return nil
		}
		return g.Add(r.interpreter, raw)
	})
	if err != nil || r.want.Records {
		return g, err
	}
	executors := table{name: "executor_metadata", key: "idx", columns: []column{{"data", `length("data")`}}}
	return g, r.readTable(ctx, executors, r.schema.has(executors.name), func(_ int64, v []driver.Value) error {
		g.executors++
		g.executorBytes += max(number(v[0]), 0)
		return nil
	})
}

// readUncovered reads the usage of rows that no step carries, where they are not too many and not too big. Only the newest
// rows are as big as that.
func (r *reader) readUncovered(ctx context.Context, covered map[int64]bool) error {
	g := r.models
	budget := int64(uncoveredBytes)
	for i := len(g.skipped) - 1; i >= 0; i-- {
		index := g.skipped[i]
		if covered[index] || g.sizes[index] > budget {
			continue
		}
		budget -= g.sizes[index]
		var raw []byte
		err := r.db.conn.QueryRowContext(ctx, `SELECT "data" FROM "gen_metadata" WHERE "idx" = ?`, index).Scan(&raw)
		if damaged(err) || errors.Is(err, sql.ErrNoRows) {
			continue // the note says that it was not read
		}
		if err != nil {
			return err
		}
		if err := g.Add(r.interpreter, raw); err != nil {
			return err
		}
		g.skipped = slices.Delete(g.skipped, i, i+1)
		g.skippedBytes -= g.sizes[index]
	}
	return nil
}

// uncounted is a note about model calls whose usage nothing that was read carries, or nil. covered are rows whose usage a
// step carries.
func (g *generations) uncounted(covered map[int64]bool) *transcriptv1.Note {
	open := slices.DeleteFunc(slices.Clone(g.skipped), func(i int64) bool { return covered[i] })
	if len(open) == 0 {
		return nil
	}
	return &transcriptv1.Note{
		Kind: trajectory.NoteUsage, Severity: transcriptv1.Severity_SEVERITY_INFO,
		Text: fmt.Sprintf("token totals may lack %s of %s (index %s): too big to be read for their usage alone (%d bytes skipped), and no step carries it",
			sources.Amount(len(open), "row"), trajectory.GenerationSection, trajectory.Ranges(open), g.skippedBytes),
	}
}

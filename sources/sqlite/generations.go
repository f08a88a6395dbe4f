package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/interpret"
	"agy-reader/sources/profile"
)

const (
	generationMessage = "exa.cortex_pb.CortexStepGeneratorMetadata"
	executorMessage   = "exa.cortex_pb.ExecutorMetadata"

	generationSection = "generatorMetadata"
	executorSection   = "executorMetadatas"
)

// smallGeneration is up to which size a row about a model call is read before the steps. The newest row repeats the whole
// prompt and holds nearly all bytes of the table.
const smallGeneration = 65536

var (
	names profile.Names

	stepUsage     = names.Field(stepMetadataMessage, "model_usage")
	stepSource    = names.Field(stepMetadataMessage, "source_trajectory_step_info")
	sourceModelAt = names.Field("exa.cortex_pb.SourceTrajectoryStepInfo", "metadata_index")
)

const stepMetadataMessage = "exa.cortex_pb.CortexStepMetadata"

// generations is what the model calls say that are recorded apart from steps.
type generations struct {
	// names maps response ids to model names.
	names map[string]string
	// enums maps enum names of models to the names people know, "" where there is more than one.
	enums map[string]string
	usage []*transcriptv1.Usage
	// rows counts all rows; skipped are those that were too big, with their total size.
	rows         int64
	skipped      []int64
	skippedBytes int64
	// executors and executorBytes measure the table executor_metadata, which is not read.
	executors, executorBytes int64

	arena interpret.Arena
}

// readGenerations reads the small rows of gen_metadata.
func (r *reader) readGenerations(ctx context.Context) (*generations, error) {
	g := &generations{names: map[string]string{}, enums: map[string]string{}}
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
			g.skipped = append(g.skipped, index)
			g.skippedBytes += size
			return nil
		}
		return g.add(r.interpreter, raw)
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

// sections says for the footer which sections exist and were not read.
func (g *generations) sections() []string {
	var out []string
	if g.rows > 0 {
		out = append(out, generationSection+": "+rowCount(g.rows))
	}
	if g.executors > 0 {
		out = append(out, fmt.Sprintf("%s: %s, %d bytes", executorSection, rowCount(g.executors), g.executorBytes))
	}
	return out
}

// uncounted is a note about model calls whose usage nothing that was read carries, or nil. covered are rows whose usage a
// step carries.
func (g *generations) uncounted(covered map[int64]bool) *transcriptv1.Note {
	open := slices.DeleteFunc(slices.Clone(g.skipped), func(i int64) bool { return covered[i] })
	if len(open) == 0 {
		return nil
	}
	return &transcriptv1.Note{
		Kind: noteUsage, Severity: transcriptv1.Severity_SEVERITY_INFO,
		Text: fmt.Sprintf("token totals may lack %s of %s (index %s): too big to be read for their usage alone (%d bytes skipped), and no step carries it",
			rowCount(int64(len(open))), generationSection, ranges(open), g.skippedBytes),
	}
}

// add takes model name and usage from one row and keeps nothing of raw. A row that is no such message is dealt with where
// records are read.
func (g *generations) add(ip *interpret.Interpreter, raw []byte) error {
	g.arena.Reset()
	found, enum := ip.Generation(raw, &g.arena)
	if found == nil {
		return nil
	}
	// Not proto.Clone, which would share the strings with raw.
	copied, err := proto.Marshal(found)
	if err != nil {
		return fmt.Errorf("keep the usage of a model call: %w", err)
	}
	u := &transcriptv1.Usage{}
	if err := proto.Unmarshal(copied, u); err != nil {
		return fmt.Errorf("keep the usage of a model call: %w", err)
	}
	if u.GetResponseId() != "" && u.GetModel() != "" {
		g.names[u.GetResponseId()] = u.GetModel()
	}
	if enum != u.GetModel() {
		g.learn(strings.Clone(enum), u.GetModel())
	}
	g.usage = append(g.usage, u)
	return nil
}

// ranges writes increasing numbers as 3, 7-9; long lists are cut.
func ranges(list []int64) string {
	var out []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if i == j {
			out = append(out, fmt.Sprint(list[i]))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", list[i], list[j]))
		}
		i = j + 1
	}
	return some(out)
}

// learn takes the name of a model. One enum value may stand for several models over time; then it names none.
func (g *generations) learn(enum, name string) {
	if known, seen := g.enums[enum]; seen && known != name {
		name = ""
	}
	g.enums[enum] = name
}

// models is what the interpreter looks names up in; the copy is its own.
func (g *generations) models() map[string]string {
	all := maps.Clone(g.names)
	for enum, name := range g.enums {
		if name != "" {
			all[enum] = name
		}
	}
	return all
}

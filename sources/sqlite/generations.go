package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
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

	generationModel = names.Field(generationMessage, "chat_model")

	chatUsage     = names.Field("exa.cortex_pb.ChatModelMetadata", "usage")
	chatModel     = names.Field("exa.cortex_pb.ChatModelMetadata", "model")
	chatDisplay   = names.Field("exa.cortex_pb.ChatModelMetadata", "model_display_name")
	chatResponse  = names.Field("exa.cortex_pb.ChatModelMetadata", "response_model")
	usageModel    = names.Field(usageMessage, "model")
	usageInput    = names.Field(usageMessage, "input_tokens")
	usageOutput   = names.Field(usageMessage, "output_tokens")
	usageWrite    = names.Field(usageMessage, "cache_write_tokens")
	usageRead     = names.Field(usageMessage, "cache_read_tokens")
	usageProvider = names.Field(usageMessage, "api_provider")
	usageID       = names.Field(usageMessage, "message_id")
	usageThinking = names.Field(usageMessage, "thinking_output_tokens")
	usageReply    = names.Field(usageMessage, "response_output_tokens")
	usageCall     = names.Field(usageMessage, "response_id")
	usageAssigned = names.Field(usageMessage, "provider_assigned_message_id")

	stepUsage     = names.Field(stepMetadataMessage, "model_usage")
	stepSource    = names.Field(stepMetadataMessage, "source_trajectory_step_info")
	sourceModelAt = names.Field("exa.cortex_pb.SourceTrajectoryStepInfo", "metadata_index")
)

const (
	usageMessage        = "exa.codeium_common_pb.ModelUsageStats"
	stepMetadataMessage = "exa.cortex_pb.CortexStepMetadata"
)

// generations is what the model calls say that are recorded apart from steps.
type generations struct {
	// names maps response ids to model names.
	names map[string]string
	usage []*transcriptv1.Usage
	// rows counts all rows; skipped are those that were too big, with their total size.
	rows         int64
	skipped      []int64
	skippedBytes int64
	// executors and executorBytes measure the table executor_metadata, which is not read.
	executors, executorBytes int64
}

// readGenerations reads the small rows of gen_metadata.
func (r *reader) readGenerations(ctx context.Context) (*generations, error) {
	g := &generations{names: map[string]string{}}
	have := r.schema.has("gen_metadata")
	if have == nil {
		return g, nil
	}
	t := table{name: "gen_metadata", key: "idx", columns: []column{
		{"data", fmt.Sprintf(`CASE WHEN length("data") <= %d THEN "data" END`, smallGeneration)},
		{"data", `length("data")`},
	}}
	resolved := r.profile.Resolve(&names)
	err := r.readTable(ctx, t, have, func(index int64, v []driver.Value) error {
		g.rows++
		size, raw := number(v[1]), asBytes(v[0])
		if raw == nil && size > 0 {
			g.skipped = append(g.skipped, index)
			g.skippedBytes += size
			return nil
		}
		g.add(r.profile, resolved, raw)
		return nil
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
func (g *generations) add(p *profile.Profile, resolved *profile.Resolved, raw []byte) {
	var f profile.Findings
	if p.Check(generationMessage, raw, "", &f) != nil {
		return
	}
	model := resolved.View(generationMessage, raw, &f).Sub(generationModel)
	if !model.Valid() {
		return
	}
	u := usage(model.Sub(chatUsage))
	name := strings.Clone(model.Str(chatDisplay))
	if name == "" {
		name = strings.Clone(model.Str(chatResponse))
	}
	if name == "" && model.Int(chatModel) != 0 {
		name = strings.Clone(model.Enum(chatModel))
	}
	if u == nil {
		return
	}
	if name != "" {
		u.Model = name
		if id := u.GetResponseId(); id != "" {
			g.names[id] = name
		}
	}
	g.usage = append(g.usage, u)
}

// usage reads a usage record; nil when it is absent or says nothing.
func usage(v profile.View) *transcriptv1.Usage {
	if !v.Valid() || len(v.Raw()) == 0 {
		return nil
	}
	u := &transcriptv1.Usage{
		ResponseId: strings.Clone(v.Str(usageCall)), MessageId: strings.Clone(v.Str(usageID)),
		InputTokens: tokens(v, usageInput), OutputTokens: tokens(v, usageOutput),
		CacheReadTokens: tokens(v, usageRead), CacheWriteTokens: tokens(v, usageWrite),
		ThinkingTokens: tokens(v, usageThinking), ResponseTokens: tokens(v, usageReply),
	}
	if u.MessageId == "" {
		u.MessageId = strings.Clone(v.Str(usageAssigned))
	}
	if v.Int(usageModel) != 0 {
		u.Model = strings.Clone(v.Enum(usageModel))
	}
	if v.Int(usageProvider) != 0 {
		u.Provider = strings.Clone(v.Enum(usageProvider))
	}
	return u
}

func tokens(v profile.View, f profile.Field) *uint64 {
	if !v.Has(f) {
		return nil
	}
	n := v.Uint(f)
	return &n
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

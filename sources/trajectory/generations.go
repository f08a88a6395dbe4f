package trajectory

import (
	"fmt"
	"maps"
	"strings"

	"google.golang.org/protobuf/proto"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
)

// Generations is what the model calls say that are recorded apart from steps. The zero value is ready; it is not safe for
// concurrent use.
type Generations struct {
	// Usage is that of the calls added, in order.
	Usage []*transcriptv1.Usage
	// names maps response ids to model names.
	names map[string]string
	// enums maps enum names of models to the names people know, "" where there is more than one.
	enums map[string]string
	arena interpret.Arena
}

// Add takes model name and usage from one stored call and keeps nothing of raw. Bytes that are no such message are dealt
// with where records are read.
func (g *Generations) Add(ip *interpret.Interpreter, raw []byte) error {
	g.arena.Reset()
	found, retries, enum := ip.Generation(raw, &g.arena)
	if found != nil {
		retries = append([]*transcriptv1.Usage{found}, retries...)
	}
	for _, one := range retries {
		if err := g.keep(one, enum); err != nil {
			return err
		}
	}
	return nil
}

func (g *Generations) keep(found *transcriptv1.Usage, enum string) error {
	// Not proto.Clone, which would share the strings with raw.
	copied, err := proto.Marshal(found)
	if err != nil {
		return fmt.Errorf("keep the usage of a model call: %w", err)
	}
	u := &transcriptv1.Usage{}
	if err := proto.Unmarshal(copied, u); err != nil {
		return fmt.Errorf("keep the usage of a model call: %w", err)
	}
	if g.names == nil {
		g.names, g.enums = map[string]string{}, map[string]string{}
	}
	if u.GetResponseId() != "" && u.GetModel() != "" {
		g.names[u.GetResponseId()] = u.GetModel()
	}
	if enum != u.GetModel() {
		g.learn(strings.Clone(enum), u.GetModel())
	}
	g.Usage = append(g.Usage, u)
	return nil
}

// learn takes the name of a model. One enum value may stand for several models over time; then it names none.
func (g *Generations) learn(enum, name string) {
	if known, seen := g.enums[enum]; seen && known != name {
		name = ""
	}
	g.enums[enum] = name
}

// Models is what the interpreter looks names up in. The copy is the caller's, so that what steps say does not depend on
// calls that are added while workers interpret.
func (g *Generations) Models() map[string]string {
	all := make(map[string]string, len(g.names))
	maps.Copy(all, g.names)
	for enum, name := range g.enums {
		if name != "" {
			all[enum] = name
		}
	}
	return all
}

// Sections says for the footer which sections exist and were not read: how many model calls there are, and how many
// executor runs with how many bytes.
func Sections(calls, executors, executorBytes int64) []string {
	var out []string
	if calls > 0 {
		out = append(out, GenerationSection+": "+sources.Amount(calls, "row"))
	}
	if executors > 0 {
		out = append(out, fmt.Sprintf("%s: %s, %d bytes", ExecutorSection, sources.Amount(executors, "row"), executorBytes))
	}
	return out
}

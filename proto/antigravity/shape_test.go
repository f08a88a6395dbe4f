package antigravity_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"agy-reader/host/corpus"
)

// Members of the product's JSON whose field number nobody knows.
var withoutNumber = map[string]bool{
	"exa.cortex_pb.AccumulatedSection.locations":                      true,
	"exa.cortex_pb.CascadePlannerConfig.customizationDiscoveryConfig": true,
	"exa.cortex_pb.CascadePlannerConfig.useAiCredits":                 true,
	"exa.cortex_pb.CortexStepRunCommand.sandboxErrors":                true,
	"exa.cortex_pb.CortexStepSystemMessage.metadata":                  true,
	"exa.cortex_pb.SnapshotMetadata.artifactDirCommitHash":            true,
	"exa.cortex_pb.StepRenderInfo.contentBlocks":                      true,
	"exa.cortex_pb.SubagentSpec.share":                                true,
	"exa.codeium_common_pb.ContextScopeItem.slashCommand":             true,
}

// Names and JSON types of the schema are those of the inventory of the product's own JSON (agy 1.2.10): each of its paths
// leads to a field, or into a message that the profile keeps closed.
func TestNamesAreThoseOfTheProductsJSON(t *testing.T) {
	t.Parallel()
	d := loadProfile(t, "agy-1.0.4")
	inventory, err := os.ReadFile(filepath.Join(corpus.Home(t), "..", "..", "format", "sidecar-shape.tsv"))
	if err != nil {
		t.Skipf("the inventory of the product's JSON is absent: %v", err)
	}
	resolved := 0
	for line := range strings.Lines(string(inventory)) {
		path, kind, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(path, "$") || strings.HasPrefix(line, "#") {
			continue
		}
		switch problem := resolveShape(d.message(t, "gemini_coder.Trajectory"), path, kind); {
		case problem == "":
			resolved++
		case !withoutNumber[problem]:
			t.Errorf("%s (%s): %s", path, kind, problem)
		}
	}
	if resolved < 1700 {
		t.Errorf("only %d paths were found", resolved)
	}
}

// resolveShape follows a path of the inventory. It returns message.member for a member the schema lacks, a sentence for a
// type that differs, and "" when all is well.
func resolveShape(message protoreflect.MessageDescriptor, path, kind string) string {
	segments := strings.Split(path, ".")
	for i, segment := range segments {
		name, element := strings.CutSuffix(segment, "[]")
		field := message.Fields().ByJSONName(name)
		if field == nil {
			return string(message.FullName()) + "." + name
		}
		if i == len(segments)-1 {
			if element || jsonType(field) == kind || field.Kind() == protoreflect.BytesKind && kind == "object" {
				return ""
			}
			return "the schema says " + jsonType(field)
		}
		if message = field.Message(); message == nil || field.IsMap() || message.ParentFile().Package() == "google.protobuf" {
			return "" // closed, or data that decides its own members
		}
	}
	return ""
}

func jsonType(field protoreflect.FieldDescriptor) string {
	switch kind := field.Kind(); {
	case field.IsList():
		return "array"
	case field.IsMap():
		return "object"
	case kind == protoreflect.BoolKind:
		return "boolean"
	case kind == protoreflect.MessageKind:
		if name := field.Message().FullName(); name == "google.protobuf.Timestamp" || name == "google.protobuf.Duration" {
			return "string"
		}
		return "object"
	case kind == protoreflect.Int32Kind, kind == protoreflect.Uint32Kind, kind == protoreflect.FloatKind, kind == protoreflect.DoubleKind:
		return "number"
	default:
		return "string"
	}
}

package antigravity_test

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/types/dynamicpb"

	"agy-reader/host/corpus"
)

// Small files of the store are messages of the schema in their JSON or text form: every member has the schema's name.
func TestStoreFilesAreMessagesOfTheSchema(t *testing.T) {
	t.Parallel()
	d := loadProfile(t, "agy-1.0.4")
	stores := filepath.Join(corpus.Home(t), ".gemini", "antigravity*")
	for _, test := range []struct{ name, pattern, message string }{
		{"agent messages", "brain/*/.system_generated/messages/*-*.json", "exa.cortex_pb.AgentMessage"},
		{"artifact metadata", "brain/*/*.metadata.json", "exa.codeium_common_pb.ArtifactMetadata"},
		{"annotations", "annotations/*.pbtxt", "exa.jetski_cortex_pb.ConversationAnnotations"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			files, err := filepath.Glob(filepath.Join(stores, test.pattern))
			if err != nil || len(files) == 0 {
				t.Fatalf("files: %v, %v", files, err)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				into := dynamicpb.NewMessage(d.message(t, test.message))
				parse := protojson.Unmarshal
				if filepath.Ext(file) == ".pbtxt" {
					parse = prototext.Unmarshal
				}
				if err := parse(text, into); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		})
	}
}

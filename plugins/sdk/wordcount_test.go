package sdk_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/launch"
	"agy-reader/sinks"
)

// The example is a module of its own: it proves the kit from outside.
func TestExampleModule(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	file := filepath.Join(t.TempDir(), "wordcount")
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", file, ".")
	build.Dir = filepath.Join("..", "examples", "wordcount")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v; when the libraries of the main module changed, run `go mod tidy` in plugins/examples/wordcount\n%s", err, out)
	}
	p, err := launch.Start(t.Context(), launch.Command{Path: file}, launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	tests := []struct{ name, options, want, err string }{
		{"defaults", "", "Größe\u202e — a title\nuser 6\nassistant 0\ntool 12\nsystem 0\n", ""},
		{"option", `{"minLength":5}`, "Größe\u202e — a title\nuser 3\nassistant 0\ntool 6\nsystem 0\n", ""},
		{"bad option", `{"minLength":"x"}`, "", "sink options are not valid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			events := trial.Conversation(0)
			user, tool := trial.Sized(0, 0), trial.Sized(1, 0)
			user.GetStep().Role = 1
			user.GetStep().Blocks[0].Text = strings.Repeat("one three ", 3)
			tool.GetStep().Blocks[0].Text = strings.Repeat("one three ", 6)
			req := &sinks.Request{BaseName: "talk", Options: []byte(tt.options)}
			got, err := trial.Drive(t.Context(), p.Sink(), req, &trial.Memory{}, true, events[0], user, tool, events[len(events)-1])
			if tt.err != "" {
				if !errors.Is(err, sinks.ErrOptions) || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error is %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string][]byte{"talk.words.txt": []byte(tt.want)}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

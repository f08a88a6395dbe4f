package plugins_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/launch"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// breaking is a sink that writes most of a document and then breaks in the way mode says.
func breaking(mode string) sinks.Sink {
	var w io.WriteCloser
	events := 0
	return &trial.Script{
		Info: sinks.Info{Needs: sinks.Needs{Blocks: true, Nested: true}},
		OnOpen: func(_ context.Context, out sinks.Artifacts) (err error) {
			w, err = out.Create("broken.txt", "text/plain", 0)
			return err
		},
		OnEvent: func(*transcriptv1.Event) error {
			if _, err := w.Write([]byte(strings.Repeat("half a file ", 100_000))); err != nil {
				return err
			}
			events++
			switch {
			case events < 5:
			case mode == "crash":
				os.Exit(9)
			case mode == "panic":
				panic("mid-stream")
			case mode == "fail":
				return errors.New("no more")
			}
			return nil
		},
		OnClose: func() error {
			if mode == "hang" {
				select {}
			}
			if mode == "good" {
				return w.Close()
			}
			return nil // the part stays open
		},
	}
}

// One broken plugin fails the whole set: nothing is published, of the other sink neither.
func TestBrokenPluginPublishesNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		mode string
		kind error
		text string
	}{
		{"good", nil, ""},
		{"crash", sinks.ErrPlugin, "the process ended (exit status 9)"},
		{"panic", sinks.ErrPlugin, "panic in event: mid-stream"},
		{"fail", sinks.ErrPlugin, "no more"},
		{"leave open", sinks.ErrPlugin, "still open"},
		{"hang", sinks.ErrTimeout, "it did not finish the conversation within 2s"},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			file, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			process, err := launch.Start(t.Context(), launch.Command{Path: file, Args: []string{"break", tt.mode}},
				launch.Options{StartTimeout: 30 * time.Second, Idle: 2 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			defer process.Close()
			db, dir := demoSession(t), filepath.Join(t.TempDir(), "out")
			files, err := convertTo(t.Context(), dir, sqliteSource(t), db, builtins(t)[0], process.Sink())
			if tt.kind == nil {
				if err != nil || len(files) != 2 {
					t.Errorf("%d files, %v", len(files), err)
				}
				return
			}
			if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.text) || !strings.Contains(err.Error(), "plugin script") {
				t.Errorf("error is %v", err)
			}
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("something is left in the output folder: %v", err)
			}
			beside, err := os.ReadDir(filepath.Dir(db))
			if err != nil || len(beside) != 1 {
				t.Errorf("beside the session lie %v (%v)", beside, err)
			}
		})
	}
}

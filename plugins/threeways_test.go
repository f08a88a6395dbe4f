// Package plugins_test proves that it makes no difference where a sink runs.
package plugins_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"agy-reader/host/artifact"
	"agy-reader/host/builtin"
	"agy-reader/host/convert"
	"agy-reader/host/corpus"
	"agy-reader/host/demo"
	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/launch"
	"agy-reader/plugins/rpc"
	"agy-reader/plugins/sdk"
	"agy-reader/sinks"
	"agy-reader/sources"
)

// The test binary is also the plugin: `serve-sink NAME` serves a built-in sink, as the program itself does.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve-sink" {
		registry, err := builtin.Registry()
		if err != nil {
			panic(err)
		}
		sink, err := registry.Sink(os.Args[2])
		if err != nil {
			panic(err)
		}
		sdk.ServeSink(sink)
	}
	if len(os.Args) == 3 && os.Args[1] == "break" {
		sdk.ServeSink(breaking(os.Args[2]))
	}
	goleak.VerifyTestMain(m)
}

// ways are the three places each built-in sink runs in, by name of the way.
type way struct {
	name string
	sink sinks.Sink
}

func threeWays(t *testing.T, sink sinks.Sink) []way {
	t.Helper()
	memory, err := rpc.Connect(t.Context(), trial.Dial(t, rpc.NewSinkServer(sink, rpc.Manifest{}, nil).Register), "memory", rpc.ClientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	process, err := launch.Start(t.Context(), launch.Command{Path: file, Args: []string{"serve-sink", sink.Describe().Name}}, launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := process.Close(); err != nil {
			t.Error(err)
		}
	})
	return []way{{"direct", sink}, {"memory", memory}, {"process", process.Sink()}}
}

func builtins(t *testing.T) []sinks.Sink {
	t.Helper()
	registry, err := builtin.Registry()
	if err != nil {
		t.Fatal(err)
	}
	return registry.Sinks()
}

// same compares the files of every way with those of the first.
func same(t *testing.T, what string, ways []way, files func(way) map[string][]byte) {
	t.Helper()
	want := files(ways[0])
	if len(want) == 0 {
		t.Errorf("%s: nothing was written", what)
	}
	for _, w := range ways[1:] {
		got := files(w)
		if len(got) != len(want) {
			t.Errorf("%s: %d files %s, %d %s", what, len(want), ways[0].name, len(got), w.name)
		}
		for name, data := range want {
			if string(got[name]) != string(data) {
				t.Errorf("%s: %s differs: %d bytes %s, %d %s", what, name, len(data), ways[0].name, len(got[name]), w.name)
			}
		}
	}
}

func TestSyntheticThreeWays(t *testing.T) {
	t.Parallel()
	for _, sink := range builtins(t) {
		t.Run(sink.Describe().Name, func(t *testing.T) {
			t.Parallel()
			ways := threeWays(t, sink)
			for _, n := range []int{1, 40, 700} {
				events := trial.Only(sink.Describe().Needs, trial.Conversation(n)...)
				for _, ahead := range []bool{false, true} {
					same(t, fmt.Sprintf("%d steps, ahead %t", n, ahead), ways, func(w way) map[string][]byte {
						req := &sinks.Request{BaseName: "talk", TimeZone: "Asia/Kathmandu", Notice: "look"}
						files, err := trial.Drive(t.Context(), w.sink, req, &trial.Memory{}, ahead, events...)
						if err != nil {
							t.Fatalf("%s: %v", w.name, err)
						}
						return files
					})
				}
			}
		})
	}
}

// TestDemoThreeWays is for machines without real sessions.
func TestDemoThreeWays(t *testing.T) {
	t.Parallel()
	db := demoSession(t)
	for _, sink := range builtins(t) {
		t.Run(sink.Describe().Name, func(t *testing.T) {
			t.Parallel()
			same(t, "demo", threeWays(t, sink), func(w way) map[string][]byte {
				files, err := convertTo(t.Context(), t.TempDir(), sqliteSource(t), db, w.sink)
				if err != nil {
					t.Fatalf("%s: %v", w.name, err)
				}
				return files
			})
		})
	}
}

func demoSession(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "demo.db")
	if err := os.WriteFile(file, demo.Database(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func sqliteSource(t *testing.T) sources.Source {
	t.Helper()
	registry, err := builtin.Registry()
	if err != nil {
		t.Fatal(err)
	}
	source, err := registry.Source("sqlite")
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// TestCorpusThreeWays converts every real session with the real router.
func TestCorpusThreeWays(t *testing.T) {
	t.Parallel()
	databases := corpus.Databases(t, corpus.Copy(t))
	if len(databases) != 11 {
		t.Fatalf("%d databases", len(databases))
	}
	source := sqliteSource(t)
	for _, sink := range builtins(t) {
		t.Run(sink.Describe().Name, func(t *testing.T) {
			t.Parallel()
			ways := threeWays(t, sink)
			for _, db := range databases {
				same(t, filepath.Base(db)[:8], ways, func(w way) map[string][]byte {
					files, err := convertTo(t.Context(), t.TempDir(), source, db, w.sink)
					if err != nil {
						t.Fatalf("%s: %v", w.name, err)
					}
					return files
				})
			}
		})
	}
}

func convertTo(ctx context.Context, dir string, source sources.Source, db string, to ...sinks.Sink) (map[string][]byte, error) {
	out, err := artifact.Open(dir, artifact.Options{})
	if err != nil {
		return nil, err
	}
	job := convert.Job{Source: source, Ref: sources.Ref{Path: db}, Out: out}
	for _, sink := range to {
		job.Targets = append(job.Targets, convert.Target{Sink: sink})
	}
	result, err := convert.Run(ctx, job)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, f := range result.Files {
		if files[f.Name], err = os.ReadFile(f.Path); err != nil {
			return nil, err
		}
	}
	return files, nil
}

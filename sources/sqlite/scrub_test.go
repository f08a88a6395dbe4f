package sqlite_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/host/corpus"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/sqlite"
)

func TestScrubbedCorpusKeepsItsShapeAndLosesItsWords(t *testing.T) {
	t.Parallel()
	home := corpus.Home(t)
	word := regexp.MustCompile(`[A-Za-z]{8,}`)
	for _, path := range corpus.Databases(t, home) {
		t.Run(filepath.Base(path)[:8], func(t *testing.T) {
			t.Parallel()
			source := sqlite.New()
			var scrubbed bytes.Buffer
			report, err := source.Scrub(t.Context(), sources.Ref{Path: path}, &scrubbed)
			if err != nil {
				t.Fatal(err)
			}
			if report.Texts == 0 || len(report.Damaged) > 0 {
				t.Fatalf("report: %+v", report)
			}
			copied := filepath.Join(t.TempDir(), "scrubbed.db")
			if err := os.WriteFile(copied, scrubbed.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			before, texts, vocabulary := outline(t, source, path)
			after, _, _ := outline(t, source, copied)
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("steps (-original +scrubbed):\n%s", diff)
			}
			known := map[string]bool{}
			for _, text := range texts {
				for _, w := range word.FindAllString(text, -1) {
					known[w] = true
				}
			}
			var left []string
			for _, w := range word.FindAllString(scrubbed.String(), -1) {
				if known[w] && !vocabulary[w] && !slices.Contains(left, w) {
					left = append(left, w)
				}
			}
			if len(left) > 0 {
				t.Errorf("words of the original that are still there: %s", strings.Join(left, " "))
			}
		})
	}
}

// outline returns kind and status of every step, all texts, and the words a scrubbed session may still say: names of tables
// and columns, of tools and their parameters, and media types.
func outline(t *testing.T, source *sqlite.Source, path string) (steps, texts []string, vocabulary map[string]bool) {
	t.Helper()
	vocabulary = map[string]bool{}
	say := func(text string) {
		for _, w := range regexp.MustCompile(`[A-Za-z]+`).FindAllString(text, -1) {
			vocabulary[strings.Clone(w)] = true
		}
	}
	call := func(call *transcriptv1.ToolCall) {
		say(call.GetName())
		var arguments map[string]json.RawMessage
		if json.Unmarshal([]byte(call.GetArgumentsJson()), &arguments) == nil {
			for key := range arguments {
				say(key)
			}
		}
	}
	say("permissions description subagent trajectory metadata executor references placeholder googleapis notification background TargetContent ReplacementContent AllowMultiple")
	reader, err := source.Open(t.Context(), sources.Ref{Path: path}, sources.Want{Blocks: true, Native: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = reader.Close() }()
	for {
		batch, err := reader.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return steps, texts, vocabulary
		}
		if err != nil {
			t.Fatal(err)
		}
		err = batch.Decode(func(ev *transcriptv1.Event) error {
			step := ev.GetStep()
			steps = append(steps, step.GetKind()+" "+step.GetStatus())
			for _, block := range step.GetBlocks() {
				texts = append(texts, strings.Clone(block.GetText()))
				call(block.GetToolCall().GetCall())
			}
			call(step.GetCall())
			for _, word := range regexp.MustCompile(`"mimeType":"[^"]*"|\\?"\w+\\?":`).FindAllString(string(step.GetNativeJson()), -1) {
				say(word)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		batch.Release()
	}
}

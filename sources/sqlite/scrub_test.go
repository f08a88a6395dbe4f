package sqlite_test

import (
	"bytes"
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
	word := regexp.MustCompile(`[A-Za-z]{8,}|[0-9]{8,}`)
	for _, path := range corpus.Databases(t, home) {
		t.Run(filepath.Base(path)[:8], func(t *testing.T) {
			t.Parallel()
			source := sqlite.New()
			var scrubbed bytes.Buffer
			report, err := source.Scrub(t.Context(), sources.Ref{Path: path}, &scrubbed)
			if err != nil {
				t.Fatal(err)
			}
			if report.Texts == 0 || len(report.Damaged)+len(report.LeftOut) > 0 {
				t.Fatalf("report: %+v", report)
			}
			copied := filepath.Join(t.TempDir(), "scrubbed.db")
			if err := os.WriteFile(copied, scrubbed.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			before, texts := outline(t, source, path)
			after, _ := outline(t, source, copied)
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

// vocabulary are the long words a scrubbed session may still say: of tables and columns, message names, tools and parameters.
var vocabulary = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`permissions trajectory metadata executor references subtrajectory googleapis codeium CortexStep
		generate subagent question questions multi content notification background description placeholder explanation
		AbsolutePath AllowMultiple Arguments ArtifactMetadata AspectRatio CaseInsensitive CodeContent CommandLine Description
		DirectoryPath DurationSeconds ImageName ImagePaths Includes Instruction MatchPerLine MaxDepth Overwrite PageIdToReplace
		Recipient RecordingName ReplacementChunks ReplacementContent RequestFeedback SafeToAutoRun SearchDirectory SearchPath
		ServerName StartLine Subagents TargetContent TargetFile TaskName TaskSummary ToolName TypeName UserFacing
		WaitMsBeforeAsync toolAction toolSummary response browser`) {
		set[w] = true
	}
	return set
}()

// outline returns kind and status of every step, and all texts.
func outline(t *testing.T, source *sqlite.Source, path string) (steps, texts []string) {
	t.Helper()
	reader, err := source.Open(t.Context(), sources.Ref{Path: path}, sources.Want{Blocks: true, Native: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = reader.Close() }()
	for {
		batch, err := reader.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return steps, texts
		}
		if err != nil {
			t.Fatal(err)
		}
		err = batch.Decode(func(ev *transcriptv1.Event) error {
			step := ev.GetStep()
			steps = append(steps, step.GetKind()+" "+step.GetStatus())
			texts = append(texts, strings.Clone(step.GetCall().GetArgumentsJson()))
			for _, block := range step.GetBlocks() {
				texts = append(texts, strings.Clone(block.GetText()), strings.Clone(block.GetToolCall().GetCall().GetArgumentsJson()))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		batch.Release()
	}
}

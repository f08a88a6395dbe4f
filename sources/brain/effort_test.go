package brain

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

func showing(index uint32, kind, text string) *transcriptv1.Step {
	return &transcriptv1.Step{
		Index: index, Anchor: fmt.Sprintf("step-%d", index), Kind: kind,
		Blocks: []*transcriptv1.Block{{Kind: "text", Text: text}},
	}
}

// Messages that are longer than all a step shows are not read for it.
func TestLongMessagesAreNotReadForEveryStep(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range maxCandidates {
		files[fmt.Sprintf("%smessages/%d.json", generated, i)] = `{"sender":"user","timestamp":"2026-05-01T10:00:00Z","content":"` + strings.Repeat("z", 2<<20) + `"}`
	}
	files[generated+"messages/short.json"] = `{"sender":"user","timestamp":"2026-05-01T10:00:00Z","content":"hello"}`
	f := mustOpen(t, store(t, files))
	start := time.Now()
	for i := range uint32(400) {
		f.Beside(showing(i, "USER_INPUT", "something"))
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestNearestLetters(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var list []letter
		for i := range random.IntN(30) {
			list = append(list, letter{e: entry{name: fmt.Sprint(i)}, at: random.Int64N(20)})
		}
		slices.SortStableFunc(list, func(a, b letter) int { return cmp.Compare(a.at, b.at) })
		at := random.Int64N(24) - 2
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b letter) int { return cmp.Compare(max(at-a.at, a.at-at), max(at-b.at, b.at-at)) })
		got := nearestLetters(list, at)
		if len(got) != min(len(list), maxCandidates) {
			t.Fatalf("%d of %d", len(got), len(list))
		}
		for i := range got {
			if max(at-got[i].at, got[i].at-at) != max(at-want[i].at, want[i].at-at) {
				t.Fatalf("%v at %d: %v, want %v", list, at, got, want)
			}
		}
	}
}

// A file that many steps name is read once, and one that is absurdly big is not read.
func TestFilesAreHashedOnce(t *testing.T) {
	t.Parallel()
	ref := store(t, map[string]string{"media__1234567890123.png": "one"})
	huge := filepath.Join(ref.Root, "brain", testID, "media__huge.png")
	if file, err := os.Create(huge); err != nil || file.Truncate(1<<40) != nil || file.Close() != nil {
		t.Skip("no files with holes")
	}
	f := mustOpen(t, ref)
	e := f.uploads["media__1234567890123.png"]
	first := f.sum(context.Background(), e)
	if err := os.WriteFile(filepath.Join(ref.Root, "brain", testID, e.name), []byte("two"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := f.sum(context.Background(), e); again.sum != first.sum || first.sum == "" {
		t.Errorf("%v, then %v", first, again)
	}
	if c := f.sum(context.Background(), f.uploads["media__huge.png"]); c.sum != "" || !strings.Contains(c.problem, "is not read") {
		t.Errorf("%v", c)
	}
}

// Images are found by the names that a step's text holds, also among many.
func TestPicturesNamed(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a b.v2.png": "1", "sub/x.JPG": "2", "other.webp": "3"}
	for i := range 500 {
		files[fmt.Sprintf("n%d.png", i)] = "4"
	}
	f := mustOpen(t, store(t, files))
	text := strings.Repeat("e.g. this. ", 5000) + "saved at /x/a b.v2.png, and x.JPG. " + strings.Repeat("y", 1<<20)
	var names []string
	for _, e := range f.picturesNamed(showing(1, "GENERATE_IMAGE", text)) {
		names = append(names, e.name)
	}
	if got := strings.Join(names, "|"); got != "a b.v2.png|sub/x.JPG" {
		t.Errorf("%s", got)
	}
}

// A queued prompt that holds millions of steps is named as such, and none of them is decoded.
func TestPromptWithStepsOfItsOwn(t *testing.T) {
	t.Parallel()
	steps := bytes.Repeat(protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), []byte{8, 14}), 100_000)
	raw := protowire.AppendBytes(protowire.AppendTag([]byte{8, 14}, 6, protowire.BytesType), steps)
	blocks, problem := decodeStep(base64.StdEncoding.EncodeToString(raw))
	if !strings.Contains(problem, "holds steps of its own") {
		t.Errorf("%v, %q", blocks, problem)
	}
}

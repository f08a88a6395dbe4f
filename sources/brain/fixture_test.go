package brain

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

const testID = "11111111-2222-4333-8444-555555555555"

// store writes files below a new store, names relative to the conversation's folder unless they begin with a slash.
func store(t testing.TB, files map[string]string) sources.Ref {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, "brain", testID, filepath.FromSlash(name))
		if rest, ok := strings.CutPrefix(name, "/"); ok {
			path = filepath.Join(root, filepath.FromSlash(rest))
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return sources.Ref{ID: testID, Root: root}
}

func mustOpen(t testing.TB, ref sources.Ref) *Folder {
	t.Helper()
	f, err := Open(ref)
	if err != nil || f == nil {
		t.Fatalf("%v, %v", f, err)
	}
	return f
}

func rest(t testing.TB, f *Folder) []*transcriptv1.Attachment {
	t.Helper()
	var list []*transcriptv1.Attachment
	err := f.Rest(context.Background(), func(a *transcriptv1.Attachment) error {
		list = append(list, a)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// lines describes attachments: kind, name, and each block's kind, label and text.
func lines(list []*transcriptv1.Attachment) []string {
	var out []string
	for _, a := range list {
		line := a.GetKind() + " " + a.GetName()
		if a.GetAnchor() != "" {
			line += " @" + a.GetAnchor()
		}
		for _, b := range a.GetBlocks() {
			text := b.GetText()
			if len(text) > 200 {
				text = text[:200]
			}
			line += " | " + b.GetKind()
			if b.GetLabel() != "" {
				line += " " + b.GetLabel()
			}
			line += ": " + strings.ReplaceAll(text, "\n", " / ")
		}
		out = append(out, line)
	}
	return out
}

// step is a step with one block of output.
func step(index uint32, text string) *transcriptv1.Step {
	st := &transcriptv1.Step{Index: index, Anchor: "step-" + string(rune('0'+index)), Kind: "RUN_COMMAND"}
	if text != "" {
		st.Blocks = append(st.Blocks, code("Output", "", text))
	}
	return st
}

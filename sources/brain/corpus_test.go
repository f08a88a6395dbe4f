package brain

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agy-reader/host/corpus"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// notShown are files of real conversations that stand for themselves nowhere, with the reason.
var notShown = []struct{ part, reason string }{
	{"/.system_generated/logs/", "transcript logs, which package mirror reads"},
	{"/.system_generated/messages/read.json", "which messages were delivered: each of them says so"},
	{metadataSuffix, "shown with its artifact"},
}

// Every file beside the steps of every real conversation is shown, or is on the list above.
func TestCorpusEveryFileIsShown(t *testing.T) {
	t.Parallel()
	kinds := map[string]int{}
	for _, name := range []string{"antigravity", "antigravity-cli"} {
		root := filepath.Join(corpus.Home(t), ".gemini", name)
		folders, err := os.ReadDir(filepath.Join(root, "brain"))
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range folders {
			f := mustOpen(t, sources.Ref{ID: folder.Name(), Root: root})
			shown := map[string]bool{}
			for _, a := range rest(t, f) {
				shown[a.GetUri()] = true
				kinds[a.GetKind()]++
				for _, b := range a.GetBlocks() {
					if n := b.GetNotice(); n.GetSeverity() > transcriptv1.Severity_SEVERITY_INFO && !expected(a, b) {
						t.Errorf("%s: %s", a.GetUri(), b.GetText())
					}
				}
			}
			dir := filepath.Join(root, "brain", folder.Name())
			err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				rel, err := filepath.Rel(root, path)
				uri := filepath.ToSlash(rel)
				if !shown[uri] && !listed(uri) {
					t.Errorf("%s is not shown", uri)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
	for kind, want := range map[string]int{kindArtifact: 10, kindMessage: 14, kindQueued: 1, kindTaskLog: 13, kindOutput: 1} {
		if kinds[kind] != want {
			t.Errorf("%d of kind %s, want %d (%v)", kinds[kind], kind, want, kinds)
		}
	}
}

// expected: of the real artifacts only metadata was published, and the words of the one queued prompt were replaced, so that
// it is no base64 of a step any more.
func expected(a *transcriptv1.Attachment, b *transcriptv1.Block) bool {
	return a.GetKind() == kindArtifact && strings.Contains(b.GetText(), "no longer on disk") ||
		a.GetKind() == kindQueued && (strings.HasPrefix(b.GetText(), "The prompt in this message") || b.GetText() == "The stored content of this step could not be decoded.")
}

func listed(uri string) bool {
	for _, e := range notShown {
		if strings.Contains(uri, e.part) && e.reason != "" {
			return true
		}
	}
	return false
}

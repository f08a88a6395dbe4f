package convert_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
	"agy-reader/host/diag"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks/events"
	"agy-reader/sinks/markdown"
	"agy-reader/sources"
)

const brain = "brain/00000000-0000-4000-8000-000000000001/"

// aStore is a store with files of a conversation, and a secret outside that links lead to.
func aStore(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root := filepath.Join(dir, "store")
	for name, content := range map[string]string{
		"store/" + brain + "media__1.png":           "picture one",
		"store/" + brain + "same again.png":         "picture one",
		"store/" + brain + "a (b)#c%20é\"'<x>.md":   "# Plan",
		"store/" + brain + "plan.md":                "# Plan\n\nDo it.",
		"store/brain/tempmediaStorage/media__2.jpg": "picture two",
		"store/token.json":                          "token",
		"store/conversations/other.db":              "other",
		"secret":                                    "secret",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Skip("this system does not take the name", err)
		}
	}
	for link, to := range map[string]string{"out.png": "../../../secret", "absolute.png": filepath.Join(dir, "secret"), "folder.png": "."} {
		if err := os.Symlink(to, filepath.Join(root, filepath.FromSlash(brain), link)); err != nil {
			t.Skip("no symbolic links", err)
		}
	}
	return root
}

func showing(all ...*transcriptv1.Media) func(*transcriptv1.Step) {
	return func(st *transcriptv1.Step) {
		for _, m := range all {
			st.Blocks = append(st.Blocks, &transcriptv1.Block{Kind: "media", Detail: &transcriptv1.Block_Media{Media: m}})
		}
	}
}

func attached(a *transcriptv1.Attachment) *transcriptv1.Event {
	return &transcriptv1.Event{Body: &transcriptv1.Event_Attachment{Attachment: a}}
}

func withFiles() []*transcriptv1.Event {
	return []*transcriptv1.Event{
		stepEvent(0, transcriptv1.Role_ROLE_USER, showing(
			&transcriptv1.Media{Uri: "file:///home/somebody/.gemini/antigravity-cli/" + brain + "media__1.png", MimeType: "image/png"},
			&transcriptv1.Media{Data: []byte("stored in the conversation"), MimeType: "image/png"},
		)),
		stepEvent(1, transcriptv1.Role_ROLE_TOOL, showing(
			&transcriptv1.Media{Uri: "file:///c%3A/Users/x/.gemini/antigravity/" + brain + "same%20again.png"},
			&transcriptv1.Media{Uri: `C:\Users\x\.gemini\antigravity\` + strings.ReplaceAll(brain, "/", `\`) + "media__1.png"},
			&transcriptv1.Media{Uri: "/somewhere/brain/tempmediaStorage/media__2.jpg"},
			&transcriptv1.Media{Uri: "file:///gone/" + brain + "gone.png"},
			&transcriptv1.Media{Uri: "file:///x/" + brain + "out.png"},
			&transcriptv1.Media{Uri: "file:///x/" + brain + "absolute.png"},
			&transcriptv1.Media{Uri: "file:///x/" + brain + "folder.png"},
			&transcriptv1.Media{Uri: "file:///x/" + brain + "../../token.json"},
			&transcriptv1.Media{Uri: "file:///x/conversations/other.db"},
			&transcriptv1.Media{Uri: "https://example.com/" + brain + "media__1.png"},
			&transcriptv1.Media{},
		)),
		attached(&transcriptv1.Attachment{Kind: "artifact", Name: "plan.md", Uri: brain + "plan.md", MimeType: "text/markdown"}),
		attached(&transcriptv1.Attachment{Kind: "revision", Name: "a (b)#c%20é\"'<x>.md", Uri: brain + "a (b)#c%20é\"'<x>.md"}),
		attached(&transcriptv1.Attachment{Kind: "message", Name: "plan.md", Uri: brain + "plan.md"}),
	}
}

// converted is what a job leaves in its folder, by name.
func converted(t *testing.T, job convert.Job) (map[string]string, *convert.Result) {
	t.Helper()
	dir := t.TempDir()
	out, err := artifact.Open(dir, artifact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	job.Out = out
	job.Targets = []convert.Target{{Sink: events.New()}, {Sink: markdown.New()}}
	result, err := convert.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, result
}

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Files are copied once, under the first name they have in the document, byte for byte; what is not there or must not be
// read is listed as missing.
func TestCaseM08(t *testing.T) {
	t.Parallel()
	root := aStore(t)
	job := convert.Job{Source: &fakeSource{batches: split(withFiles(), 100)}, Ref: sources.Ref{Root: root}, Assets: true}
	files, result := converted(t, job)
	want := map[string]string{
		"media__1.png":        "picture one",
		"image.png":           "stored in the conversation",
		"media__2.jpg":        "picture two",
		"plan.md":             "# Plan\n\nDo it.",
		"a (b)#c%20é_'_x_.md": "# Plan",
	}
	f := result.Footer
	if len(f.Assets) != len(want) {
		t.Errorf("assets %v", f.Assets)
	}
	for _, a := range f.Assets {
		name, err := url.PathUnescape(a.Href)
		if err != nil {
			t.Fatal(err)
		}
		content, copied := files[name]
		base := name[strings.LastIndex(name, "/")+1:]
		if !copied || sha(content) != a.Sha256 || uint64(len(content)) != a.Size || base[:16] != a.Sha256[:16] || want[base[17:]] != content {
			t.Errorf("asset %v holds %q", a, content)
		}
		if !strings.HasPrefix(a.Href, "conv.assets/") || strings.ContainsAny(a.Href, " ()#\"'<>é") {
			t.Errorf("link %s", a.Href)
		}
		if !strings.Contains(files["conv.events.jsonl"], `"href":"`+a.Href+`"`) {
			t.Errorf("nothing links to %s", a.Href)
		}
	}
	if f.Media != 13 || len(f.MissingFiles) != 8 {
		t.Errorf("%d media, missing %v", f.Media, f.MissingFiles)
	}
	for _, text := range []string{"secret", "token"} {
		for name, content := range files {
			if strings.HasSuffix(name, text) || content == text {
				t.Errorf("%s holds what lies outside", name)
			}
		}
	}
	if len(result.Files) != 2+len(want) || strings.Contains(result.Files[0].Name+result.Files[1].Name, "/") {
		t.Errorf("files %v", result.Files)
	}
}

// M03: an upload beside a prompt is copied, with a relative link.
func TestCaseM03(t *testing.T) {
	t.Parallel()
	root := aStore(t)
	name := filepath.Join(root, filepath.FromSlash(brain), "uploaded_image_0_1.webp")
	if err := os.WriteFile(name, []byte("webp"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, result := converted(t, convert.Job{Ref: sources.Ref{Root: root}, Assets: true, Source: &fakeSource{batches: split([]*transcriptv1.Event{
		stepEvent(0, transcriptv1.Role_ROLE_USER),
		attached(&transcriptv1.Attachment{Kind: "upload", Name: "uploaded_image_0_1.webp", Uri: brain + "uploaded_image_0_1.webp", Anchor: "step-0"}),
	}, 9)}})
	want := "conv.assets/" + sha("webp")[:16] + "-uploaded_image_0_1.webp"
	if files[want] != "webp" || !strings.Contains(files["conv.md"], "](<"+want+">)") || result.Footer.Media != 1 {
		t.Errorf("files %v, %d media:\n%s", len(files), result.Footer.Media, files["conv.md"])
	}
}

// An upload that stands beside a prompt is shown as what it is: a picture when it is copied, else with its place in the store.
func TestUploadsAreShown(t *testing.T) {
	t.Parallel()
	root := aStore(t)
	const name = brain + "media__1.png"
	for copying, want := range map[bool]string{true: "![media__1.png](<conv.assets/" + sha("picture one")[:16] + "-media__1.png>)", false: "in the store as " + name} {
		files, result := converted(t, convert.Job{Ref: sources.Ref{Root: root}, Assets: copying, Source: &fakeSource{batches: split([]*transcriptv1.Event{
			stepEvent(0, transcriptv1.Role_ROLE_USER),
			attached(&transcriptv1.Attachment{Kind: "upload", Name: "media__1.png", Uri: name, Anchor: "step-0", Blocks: []*transcriptv1.Block{
				{Kind: "media", Text: "media__1.png", Detail: &transcriptv1.Block_Media{Media: &transcriptv1.Media{Uri: name, MimeType: "image/png"}}},
			}}),
		}, 9)}})
		if text := files["conv.md"]; !strings.Contains(text, want) || strings.Contains(text, "not stored") || result.Footer.Media != 1 || len(result.Footer.MissingFiles) > 0 {
			t.Errorf("copying %v: %q is not in\n%s", copying, want, text)
		}
	}
}

func TestCopiesAreTheSameHoweverItRuns(t *testing.T) {
	t.Parallel()
	root := aStore(t)
	var all []*transcriptv1.Event
	for i := range 40 {
		all = append(all, withFiles()[i%2], stepEvent(i+2, transcriptv1.Role_ROLE_ASSISTANT))
	}
	var want map[string]string
	for _, size := range []int{1, 3, 100} {
		for _, workers := range []int{1, 4} {
			got, _ := converted(t, convert.Job{
				Source: &fakeSource{batches: split(all, size)}, Ref: sources.Ref{Root: root}, Assets: true, Workers: workers,
			})
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("batches of %d, %d workers:\n%s", size, workers, diff)
			}
		}
	}
}

// Without copies a file that is there is named by its place in the store, and nothing is written.
func TestCaseM04(t *testing.T) {
	t.Parallel()
	root := aStore(t)
	files, result := converted(t, convert.Job{Source: &fakeSource{batches: split(withFiles(), 100)}, Ref: sources.Ref{Root: root}})
	if len(files) != 2 || len(result.Footer.Assets) > 0 {
		t.Errorf("%d files, assets %v", len(files), result.Footer.Assets)
	}
	if n := strings.Count(files["conv.events.jsonl"], `"storePath":"`+brain+`media__1.png"`); n != 2 {
		t.Errorf("named %d times", n)
	}
	// Counted is what is shown and what is missing: five with bytes, eight without.
	if f := result.Footer; f.Media != 13 || len(f.MissingFiles) != 8 {
		t.Errorf("%d media, missing %v", f.Media, f.MissingFiles)
	}
}

func TestCopiesNeedAFolder(t *testing.T) {
	t.Parallel()
	out, err := artifact.OpenFile(filepath.Join(t.TempDir(), "x.md"), artifact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = convert.Run(t.Context(), convert.Job{
		Source: &fakeSource{batches: split(withFiles(), 100)}, Out: out, Assets: true,
		Targets: []convert.Target{{Sink: markdown.New()}},
	})
	if !errors.Is(err, diag.ErrUsage) {
		t.Errorf("got %v", err)
	}
}

// A selection takes only the files of what it shows.
func TestCopiesOfASelection(t *testing.T) {
	t.Parallel()
	root := aStore(t)
	all := append(withFiles()[:2:2], attached(&transcriptv1.Attachment{Kind: "output", Name: "plan.md", Uri: brain + "plan.md", Anchor: "step-1", Size: proto.Uint64(1)}))
	_, result := converted(t, convert.Job{Source: &fakeSource{batches: split(all, 100)}, Ref: sources.Ref{Root: root}, Assets: true, Select: "0"})
	if len(result.Footer.Assets) != 2 || result.Footer.Media != 2 {
		t.Errorf("assets %v", result.Footer.Assets)
	}
	_, result = converted(t, convert.Job{Source: &fakeSource{batches: split(withFiles(), 100)}, Ref: sources.Ref{Root: root}, Assets: true, Select: "prompts"})
	if len(result.Footer.Assets) != 2 {
		t.Errorf("prompts: assets %v", result.Footer.Assets)
	}
}

// A file too large for memory is copied as it is; one above the limit is named.
func TestLargeFiles(t *testing.T) {
	t.Parallel()
	root := aStore(t)
	for name, size := range map[string]int64{"large.bin": 9 << 20, "huge.bin": 1<<30 + 1} {
		f, err := os.Create(filepath.Join(root, filepath.FromSlash(brain), name))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Truncate(size), f.Close()); err != nil { // holes take no room
			t.Skip(err)
		}
	}
	files, result := converted(t, convert.Job{Ref: sources.Ref{Root: root}, Assets: true, Source: &fakeSource{batches: split([]*transcriptv1.Event{
		stepEvent(0, transcriptv1.Role_ROLE_USER, showing(&transcriptv1.Media{Uri: "/x/" + brain + "large.bin"}, &transcriptv1.Media{Uri: "/x/" + brain + "huge.bin"})),
	}, 9)}})
	want := strings.Repeat("\x00", 9<<20)
	if name := "conv.assets/" + sha(want)[:16] + "-large.bin"; files[name] != want {
		t.Errorf("%d files, %s has %d bytes", len(files), name, len(files[name]))
	}
	if len(files) != 3 || len(result.Footer.MissingFiles) != 1 || !strings.Contains(result.Footer.MissingFiles[0].Reason, "larger than 1 GiB") {
		t.Errorf("missing %v", result.Footer.MissingFiles)
	}
}

package facts

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"agy-reader/host/corpus"
	"agy-reader/host/store"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
)

const (
	one = "aaaaaaaa-0000-4000-8000-000000000001"
	two = "bbbbbbbb-0000-4000-8000-000000000002"
)

// storeOf writes files below a new folder `home/antigravity-cli` and loads its indexes. Names that begin with ../ lie beside the store.
func storeOf(t *testing.T, files map[string]string) *Index {
	t.Helper()
	root := filepath.Join(t.TempDir(), "home", "antigravity-cli")
	writeFiles(t, root, files)
	return Load(t.Context(), store.Root{Path: root, Surface: "cli"})
}

func writeFiles(t *testing.T, root string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// header is what a source found of a conversation of the CLI.
func header(id string, workspaces ...string) *transcriptv1.Header {
	return &transcriptv1.Header{
		ConversationId: id, Surface: "cli", WorkspaceUris: workspaces,
		Title:   &transcriptv1.Sourced{Value: "what the person asked first", Origin: "first prompt"},
		Project: &transcriptv1.Sourced{Origin: "not recorded"}, Provenance: &transcriptv1.Provenance{Source: "sqlite"},
	}
}

func TestTitleOrder(t *testing.T) {
	t.Parallel()
	checkpoint := &transcriptv1.Sourced{Value: "made by a checkpoint", Origin: "title checkpoint"}
	prompt := &transcriptv1.Sourced{Value: "asked first", Origin: "first prompt"}
	renamed := &transcriptv1.Sourced{Value: "renamed elsewhere", Origin: "rename line"}
	none := &transcriptv1.Sourced{Origin: "not recorded"}
	annotation := map[string]string{"annotations/" + one + ".pbtxt": "title : 'my name'"}
	cached := map[string]string{metadataFile: `{"` + one + `": {"Title": "cached title"}}`}
	preview := map[string]string{metadataFile: `{"` + one + `": {"Preview": "<USER_REQUEST>\npreviewed\n</USER_REQUEST>"}}`}
	for _, tc := range []struct {
		name          string
		files         map[string]string
		own           *transcriptv1.Sourced
		title, origin string
	}{
		{"a person's name beats all", both(annotation, cached), renamed, "my name", "annotation"},
		{"a rename line beats what the product made", cached, renamed, "renamed elsewhere", "rename line"},
		{"an index beats a checkpoint", cached, checkpoint, "cached title", metadataFile},
		{"a checkpoint is better than a preview", preview, checkpoint, "made by a checkpoint", "title checkpoint"},
		{"and so is a prompt", preview, prompt, "asked first", "first prompt"},
		{"a preview is better than nothing", preview, none, "previewed", "preview in " + metadataFile},
		{"nothing is nothing", nil, none, "", "not recorded"},
		{"even from no source at all", nil, nil, "", "not recorded"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := header(strings.ToUpper(one))
			if tc.files["annotations/"+one+".pbtxt"] != "" {
				h = header(one) // file names are as they are
			}
			h.Title = tc.own
			storeOf(t, tc.files).Describe(h)
			if diff := cmp.Diff(&transcriptv1.Sourced{Value: tc.title, Origin: tc.origin}, h.GetTitle(), protocmp.Transform()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func both(a, b map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range []map[string]string{a, b} {
		for name, content := range m {
			all[name] = content
		}
	}
	return all
}

func TestTimes(t *testing.T) {
	t.Parallel()
	x := storeOf(t, map[string]string{metadataFile: `{"conversations": {
		"` + one + `": {"summary": {"UpdatedAt": "2026-03-04T05:06:07.5Z", "WorkspaceURIs": null}, "is_internal": false},
		"` + two + `": {"summary": {"UpdatedAt": "0001-01-01T00:00:00Z"}}}}`})
	h := header(one)
	x.Describe(h)
	if got := time.Unix(0, h.GetUpdatedNs()).UTC(); !got.Equal(time.Date(2026, 3, 4, 5, 6, 7, 5e8, time.UTC)) || h.GetUpdatedOrigin() != metadataFile {
		t.Errorf("updated %v from %s", got, h.GetUpdatedOrigin())
	}
	if h.CreatedNs != nil || h.GetCreatedOrigin() != "not recorded" {
		t.Errorf("created %v from %s", h.CreatedNs, h.GetCreatedOrigin())
	}
	created := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()
	h = header(two)
	h.CreatedNs = &created
	x.Describe(h)
	if h.UpdatedNs != nil || h.GetUpdatedOrigin() != "not recorded" || h.GetCreatedNs() != created || h.GetCreatedOrigin() != "database" {
		t.Errorf("zero time: %v", h)
	}
}

// A missing time, and one that stands for none, are unknown and never 1970.
func TestCaseI04MissingTimesStayUnknown(t *testing.T) {
	t.Parallel()
	x := storeOf(t, nil)
	for _, ns := range []int64{0, -1, time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano(), 1 << 62} {
		h := header(one)
		h.CreatedNs = &ns
		x.Describe(h)
		if ns != 1<<62 && h.CreatedNs != nil {
			t.Errorf("%d became %v", ns, time.Unix(0, *h.CreatedNs).UTC())
		}
	}
	for _, text := range []string{"", "0001-01-01 00:00:00+00:00", "null", "1970-01-01 00:00:00+00:00", "9999-12-31T00:00:00Z"} {
		if ns := tableTime(text); ns != 0 {
			t.Errorf("%q is %d", text, ns)
		}
	}
	if tableTime("2026-01-02 03:04:05.678901234+00:00") != time.Date(2026, 1, 2, 3, 4, 5, 678901234, time.UTC).UnixNano() {
		t.Error("a real time is not read")
	}
}

func TestLoaderReadsAStoreOnce(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "s")
	writeFiles(t, root, map[string]string{metadataFile: `{"` + one + `": {"Title": "before"}}`})
	var l Loader
	first := l.Of(t.Context(), store.Root{Path: root})
	writeFiles(t, root, map[string]string{metadataFile: `{"` + one + `": {"Title": "after"}}`})
	if again := l.Of(t.Context(), store.Root{Path: root}); again != first || again.Title(one).GetValue() != "before" {
		t.Errorf("title %q", again.Title(one).GetValue())
	}
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	home := corpus.Home(t)
	x := Load(context.Background(), store.Root{Path: filepath.Join(home, ".gemini", "antigravity-cli"), Surface: "cli"})
	if notes := x.Notes(); len(notes) > 0 {
		t.Errorf("notes: %q", notes)
	}
	if title := x.Title("c09ae6a1-bd43-428b-b777-19a3759868b2"); title.GetValue() == "" || title.GetOrigin() != "annotation" {
		t.Errorf("title %v", title)
	}
	h := header("6b284218-b68c-4df8-b633-5aca70fd92a5")
	x.Describe(h)
	if h.GetProject().GetValue() == "" || h.GetProject().GetOrigin() != historyFile || !strings.HasPrefix(h.GetResumeCommand(), `cd /d "C:\`) {
		t.Errorf("project %v, %s", h.GetProject(), h.GetResumeCommand())
	}
	if p := x.projectByID("971d3888-3488-4399-ba3a-56780692b9eb"); p == nil || p.Name == "" || len(p.Workspaces) != 1 || !strings.HasPrefix(p.Workspaces[0], "c:/Users/") {
		t.Errorf("project file: %+v", p)
	}
}

package legacypb

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/dynamicpb"

	"agy-reader/host/corpus"
	"agy-reader/host/demo/build"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/sqlite"
	"agy-reader/sources/trajectory"
)

// files lists the real encrypted files of a folder, sorted by name.
func files(t testing.TB, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(corpus.Home(t), ".gemini", "antigravity", folder, "*.pb"))
	if err != nil || len(found) == 0 {
		t.Fatalf("%s: %v, %v", folder, found, err)
	}
	return found
}

// Every real file gives its steps, and nothing of it is unknown or damaged. Who published the background trajectories put
// the letter x in the place of what they held.
func TestCorpusFiles(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string][]int{
		"conversations": {14, 30, 33, 168, 8, 19, 4, 16},
		"implicit":      {0, 0, 0, 0, 0},
	} {
		var steps []int
		for _, path := range files(t, folder) {
			d, err := read(New(), path, sources.Want{Blocks: true, Native: true, Display: true, Records: true})
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			steps = append(steps, int(d.header.GetAnnouncedSteps()))
			for _, line := range d.shape() {
				if blank := strings.HasPrefix(line, "note damage incomplete: what the file holds in the place of a trajectory is none; its "); strings.HasPrefix(line, "note") && (!blank || folder != "implicit") {
					t.Errorf("%s: %s", filepath.Base(path), line)
				}
			}
			if folder == "implicit" && (len(d.header.GetUnknown()) != 1 || len(d.header.GetWorkspaceUris()) != 1) {
				t.Errorf("%s: %d bytes kept, workspaces %v", path, len(d.header.GetUnknown()), d.header.GetWorkspaceUris())
			}
			if id := strings.TrimSuffix(filepath.Base(path), suffix); folder == "conversations" && d.header.GetConversationId() != id {
				t.Errorf("%s is %s", id, d.header.GetConversationId())
			}
		}
		if !slices.Equal(steps, want) {
			t.Errorf("%s: steps %v, want %v", folder, steps, want)
		}
	}
}

// decrypted returns the layout of a real file.
func decrypted(t testing.TB, path string) *layout {
	t.Helper()
	c, err := New().load(context.Background(), sources.Ref{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	return newLayout(c.plain)
}

func all(l *layout, number protowire.Number) [][]byte {
	var list [][]byte
	items := l.Items(number)
	for raw, ok := items.Next(); ok; raw, ok = items.Next() {
		list = append(list, raw)
	}
	return list
}

// The JSON of every step is what the reference implementation reads out of the same bytes.
func TestCorpusStepsAreWhatProtobufSays(t *testing.T) {
	t.Parallel()
	schema, err := build.Schema()
	if err != nil {
		t.Fatal(err)
	}
	types := dynamicpb.NewTypes(schema)
	whole, err := types.FindMessageByName(trajectory.Message)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files(t, "conversations") {
		m := whole.New()
		if err := (proto.UnmarshalOptions{Resolver: types}).Unmarshal(decrypted(t, path).Trajectory, m.Interface()); err != nil {
			t.Fatal(err)
		}
		want := m.Get(m.Descriptor().Fields().ByName("steps")).List()
		d, err := read(New(), path, sources.Want{Native: true})
		if err != nil {
			t.Fatal(err)
		}
		index := 0
		for _, step := range own(d.events) {
			got := dynamicpb.NewMessage(m.Descriptor().Fields().ByName("steps").Message())
			if err := (protojson.UnmarshalOptions{Resolver: types}).Unmarshal(step.GetNativeJson(), got); err != nil {
				t.Fatalf("%s step %d: %v", filepath.Base(path), index, err)
			}
			if w := want.Get(index).Message(); !sameJSON(t, types, w, got) {
				t.Errorf("%s step %d differs", filepath.Base(path), index)
			}
			index++
		}
		if index != want.Len() {
			t.Errorf("%s: %d steps, want %d", filepath.Base(path), index, want.Len())
		}
	}
}

func sameJSON(t *testing.T, types *dynamicpb.Types, a, b protoreflect.Message) bool {
	t.Helper()
	x, err := protojson.MarshalOptions{Resolver: types}.Marshal(a.Interface())
	if err != nil {
		t.Fatal(err)
	}
	back := a.New()
	if err := (protojson.UnmarshalOptions{Resolver: types}).Unmarshal(x, back.Interface()); err != nil {
		t.Fatal(err)
	}
	return proto.Equal(back.Interface(), b.Interface())
}

// own are the conversation's own steps, without those nested in them.
func own(events []*transcriptv1.Event) []*transcriptv1.Step {
	var list []*transcriptv1.Step
	depth := 0
	for _, e := range events {
		switch {
		case e.GetBegin() != nil:
			depth++
		case e.GetEnd() != nil:
			depth--
		case e.GetStep() != nil && depth == 0:
			list = append(list, e.GetStep())
		}
	}
	return list
}

// asDatabase writes a real file's trajectory into a database, as the product itself migrates one.
func asDatabase(t testing.TB, path string) string {
	t.Helper()
	l := decrypted(t, path)
	c, err := build.NewConversation(strings.TrimSuffix(filepath.Base(path), suffix), testTrajectory, all(l, trajectory.StepsField)...)
	if err != nil {
		t.Fatal(err)
	}
	c.Generations, c.Executors = all(l, trajectory.GenerationsField), all(l, trajectory.ExecutorsField)
	c.References = all(l, trajectory.ReferencesField)
	if meta := all(l, trajectory.MetadataField); len(meta) > 0 {
		c.Metadata = meta[0]
	}
	out := filepath.Join(t.TempDir(), "same.db")
	if err := build.Database(out, c); err != nil {
		t.Fatal(err)
	}
	return out
}

// A file and a database with the same steps give the same events.
func TestCorpusFilesReadLikeDatabases(t *testing.T) {
	t.Parallel()
	want := sources.Want{Blocks: true, Native: true, Display: true, Records: true, Profile: build.Profile}
	for _, path := range files(t, "conversations") {
		ours, err := read(New(), path, want)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := read(sqlite.New(), asDatabase(t, path), want)
		if err != nil {
			t.Fatal(err)
		}
		if len(ours.events) != len(theirs.events) {
			t.Fatalf("%s: %d events, a database gives %d", filepath.Base(path), len(ours.events), len(theirs.events))
		}
		for i := range ours.events {
			if !proto.Equal(ours.events[i], theirs.events[i]) {
				t.Errorf("%s: event %d differs (-database +file):\n%.2000s", filepath.Base(path), i,
					cmp.Diff(theirs.events[i], ours.events[i], protocmp.Transform()))
			}
		}
		if diff := cmp.Diff(theirs.footer, ours.footer, protocmp.Transform()); diff != "" {
			t.Errorf("%s: footer (-database +file):\n%.2000s", filepath.Base(path), diff)
		}
		if !bytes.Contains(ours.header.GetMembersJson(), []byte(`"cascadeId"`)) || ours.header.GetTitle().GetValue() != theirs.header.GetTitle().GetValue() {
			t.Errorf("%s: headers: %v, %v", filepath.Base(path), ours.header, theirs.header)
		}
	}
}

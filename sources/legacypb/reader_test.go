package legacypb

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/host/demo/build"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/profile"
	"agy-reader/sources/trajectory"
	"agy-reader/sources/whole"
)

// The vector of format.md, section 4.
const vector = "000102030405060708090a0bad326b22cb893a66565a75d2bb6233a9a5999269f331352949dac2774791c771d23b19a4e259ac9345dac141f4772a2d" +
	"976eed5424f8cd06d06377d959231f7712556c9b6b37c7012f6eb81826f54ec4c9187ad031dcb0f06c6ba28a86a047d14a43ba10dafbc8"

func TestVector(t *testing.T) {
	t.Parallel()
	data, err := hex.DecodeString(vector)
	if err != nil {
		t.Fatal(err)
	}
	d := mustRead(t, data, sources.Want{Blocks: true, Records: true})
	if diff := cmp.Diff([]string{"step USER_INPUT", "step PLANNER_RESPONSE"}, d.shape()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if d.header.GetTrajectoryId() != "t-1" || d.header.GetConversationId() != "c-1" || d.header.GetTitle().GetValue() != "hello" {
		t.Errorf("header: %v", d.header)
	}
}

func TestEverythingOfAFile(t *testing.T) {
	t.Parallel()
	d := mustRead(t, sealed(t, message(t, prompt, answer)), sources.Want{Blocks: true, Records: true, Native: true, Digest: true})
	want := []string{"step USER_INPUT", "step PLANNER_RESPONSE", "record generatorMetadata", "record executorMetadatas"}
	if diff := cmp.Diff(want, d.shape()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	h := d.header
	if h.GetConversationId() != testID || h.GetTrajectoryId() != testTrajectory || h.GetAnnouncedSteps() != 2 ||
		h.GetTitle().GetValue() != "What is here?" || h.GetProject().GetValue() != "p" || h.GetCreatedNs() != 1767323045e9 {
		t.Errorf("header: %v", h)
	}
	p := h.GetProvenance()
	if p.GetSource() != "legacypb" || p.GetLocation() != testID+".pb" || p.GetUnverified() {
		t.Errorf("provenance: %v", p)
	}
	if len(d.footer.GetGenerations()) != 1 || d.footer.GetGenerations()[0].GetModel() != "Gemini X" ||
		len(d.footer.GetSourceDigest()) != 64 || len(d.footer.GetSkippedSections()) != 0 {
		t.Errorf("footer: %v", d.footer)
	}
	d = mustRead(t, sealed(t, message(t, prompt, answer)), sources.Want{Blocks: true, Gaps: true})
	if diff := cmp.Diff([]string{"generatorMetadata: 1 row", "executorMetadatas: 1 row, 2 bytes"}, d.footer.GetSkippedSections()); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]sources.Missing{{First: 2, Last: 1, End: true}}, d.gaps); diff != "" {
		t.Errorf("end of the steps (-want +got):\n%s", diff)
	}
}

func TestBackgroundTrajectory(t *testing.T) {
	t.Parallel()
	scope := build.MustEncode(t, scopeMessage, `{"workspaceUri":"file:///w","branchName":"main"}`)
	whole := message(t, prompt, answer)
	third := len(field(nil, trajectory.IDField, []byte(testTrajectory)))
	for name, raw := range map[string][]byte{
		"one piece":  field(field(nil, implicitTrajectory, whole), implicitScope, scope),
		"two pieces": field(field(field(nil, implicitTrajectory, whole[:third]), implicitScope, scope), implicitTrajectory, whole[third:]),
	} {
		d := mustRead(t, sealed(t, raw), sources.Want{Native: true})
		if d.header.GetConversationId() != testID || d.count("step") != 2 || !cmp.Equal(d.header.GetWorkspaceUris(), []string{"file:///w"}) ||
			!strings.Contains(string(d.header.GetMembersJson()), `,"trajectoryScope":{"workspaceUri":"file:///w","branchName":"main"}}`) {
			t.Errorf("%s: %v, %v", name, d.header, d.shape())
		}
	}
	d := mustRead(t, sealed(t, build.AppendUnknown(field(nil, implicitTrajectory, whole), 77, []byte("x"))), sources.Want{})
	if len(d.header.GetUnknown()) != 1 || d.count("note unknown_fields incomplete: The decoder profile does not know field 77 in the message around the trajectory.") != 1 {
		t.Errorf("unknown member: %v, %v", d.header.GetUnknown(), d.shape())
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	sound := sealed(t, message(t, prompt, answer))
	change := func(at int) []byte {
		data := bytes.Clone(sound)
		data[at] ^= 1
		return data
	}
	for _, test := range []struct {
		name string
		data []byte
		kind error
		text string
	}{
		{"empty", nil, sources.ErrEmpty, "no bytes"},
		{"all zero", make([]byte, 100_000), sources.ErrUnreadable, "nothing but zero bytes (100000)"},
		{"too short", sound[:27], sources.ErrUnreadable, "not readable with the known key"},
		{"cut", sound[:len(sound)-1], sources.ErrUnreadable, "not readable with the known key"},
		{"longer", append(bytes.Clone(sound), 0), sources.ErrUnreadable, "not readable with the known key"},
		{"nonce changed", change(0), sources.ErrUnreadable, "not readable with the known key"},
		{"text changed", change(40), sources.ErrUnreadable, "not readable with the known key"},
		{"tag changed", change(len(sound) - 1), sources.ErrUnreadable, "not readable with the known key"},
		{"text", []byte("this is no such file at all, it is text"), sources.ErrUnreadable, "not readable with the known key"},
		{"plain with something unknown", build.AppendUnknown(message(t, prompt), 77, []byte("x")), sources.ErrUnreadable, "not readable with the known key"},
		{"plain and cut", message(t, prompt)[:60], sources.ErrUnreadable, "not readable with the known key"},
		{"plain without a name", field(nil, trajectory.StepsField, build.Step(t, prompt)), sources.ErrUnreadable, "not readable with the known key"},
	} {
		_, err := read(New(), write(t, test.data), sources.Want{Blocks: true})
		if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v", test.name, err)
		}
		if _, err := New().Peek(context.Background(), sources.Ref{Path: write(t, test.data)}); !errors.Is(err, test.kind) {
			t.Errorf("%s: peek: %v", test.name, err)
		}
	}
	if _, err := read(&Source{maxFile: 100}, write(t, sound), sources.Want{}); !errors.Is(err, sources.ErrLimit) {
		t.Errorf("above the bound: %v", err)
	}
	if _, err := read(New(), "", sources.Want{}); !errors.Is(err, sources.ErrUnsupported) {
		t.Errorf("a conversation without a file: %v", err)
	}
	if _, err := read(New(), filepath.Join(t.TempDir(), "none.pb"), sources.Want{}); !errors.Is(err, sources.ErrNotFound) {
		t.Errorf("no file: %v", err)
	}
	if _, err := read(New(), t.TempDir(), sources.Want{}); !errors.Is(err, sources.ErrUnreadable) {
		t.Errorf("a folder: %v", err)
	}
}

// A file that was never encrypted is read when the profile knows all of it, and says so.
func TestPlainFile(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string][]byte{
		"conversation": message(t, prompt, answer),
		"background":   field(nil, implicitTrajectory, message(t, prompt, answer)),
	} {
		d := mustRead(t, raw, sources.Want{})
		want := []string{
			"note row: the file is not encrypted, so nothing vouches for its being what the product wrote",
			"step USER_INPUT", "step PLANNER_RESPONSE",
		}
		if diff := cmp.Diff(want, d.shape()); diff != "" {
			t.Errorf("%s: events (-want +got):\n%s", name, diff)
		}
	}
}

// An authentic file whose message ends too early, or holds what nobody knows, gives what there is and says so.
func TestDamagedMessage(t *testing.T) {
	t.Parallel()
	entire := message(t, prompt, answer)
	cut := len(field(nil, trajectory.IDField, []byte(testTrajectory))) + len(field(nil, trajectory.StepsField, build.Step(t, prompt))) + 5
	for _, test := range []struct {
		name string
		raw  []byte
		want []string
		kind error
	}{
		{
			"cut in a step", entire[:cut:cut],
			[]string{"note damage incomplete: what the file holds ends too early: malformed at byte 62; anything behind is lost", "step USER_INPUT"},
			sources.ErrPartial,
		},
		{
			"unknown member", build.AppendUnknown(bytes.Clone(entire), 77, []byte("x")),
			[]string{"note unknown_fields incomplete: The decoder profile does not know field 77 in the trajectory.", "step USER_INPUT", "step PLANNER_RESPONSE"},
			sources.ErrUnknown,
		},
		{
			"huge unknown member", build.AppendUnknown(bytes.Clone(entire), 77, make([]byte, whole.MaxRest)),
			[]string{"note damage incomplete: too big to be kept: member 77 (16777222 bytes)", "step USER_INPUT", "step PLANNER_RESPONSE"},
			sources.ErrPartial,
		},
		{
			"broken step", field(bytes.Clone(entire), trajectory.StepsField, []byte{0x0a}),
			[]string{
				"step USER_INPUT", "step PLANNER_RESPONSE", "step ",
				"note damage incomplete: Step 2 could not be decoded: not a gemini_coder.Step: malformed at byte 0.",
			},
			sources.ErrPartial,
		},
		{
			"another message", field(nil, 15, []byte("x")),
			[]string{"note damage incomplete: what the file holds in the place of a trajectory is none; its 3 bytes are kept"},
			sources.ErrPartial,
		},
		{"nothing in it", nil, nil, nil},
	} {
		path := write(t, sealed(t, test.raw))
		d, err := read(New(), path, sources.Want{Blocks: true})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.want, d.shape()); diff != "" {
			t.Errorf("%s: events (-want +got):\n%s", test.name, diff)
		}
		if _, err := read(New(), path, sources.Want{Blocks: true, Strict: true}); !errors.Is(err, test.kind) {
			t.Errorf("%s: strict: %v", test.name, err)
		}
	}
}

// The numbers of the wrapper are those of every profile that has it, and every such profile has the names used here.
func TestFieldNumbers(t *testing.T) {
	t.Parallel()
	for _, info := range profile.List() {
		p, err := profile.Load(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		for number, member := range map[protowire.Number]string{implicitTrajectory: "trajectory", implicitScope: "trajectoryScope"} {
			got, err := p.AppendJSON(nil, implicitMessage, field(nil, number, nil), nil)
			if err != nil || string(got) != `{"`+member+`":{}}` {
				t.Errorf("%s: field %d is %s, %v", info.Name, number, got, err)
			}
		}
		if missing := p.Resolve(&fields).Missing(); len(missing) > 0 {
			t.Errorf("%s lacks %v", info.Name, missing)
		}
	}
}

func TestPeekAndOutline(t *testing.T) {
	t.Parallel()
	path := write(t, sealed(t, message(t, prompt, answer)))
	got, err := New().Peek(context.Background(), sources.Ref{Path: path})
	if err != nil || got.Steps != 2 || got.Title.GetValue() != "What is here?" || got.CreatedNS == nil || *got.CreatedNS != 1767323045e9 {
		t.Errorf("%+v, %v", got, err)
	}
	r, err := New().openReader(context.Background(), sources.Ref{Path: path}, sources.Want{})
	if err != nil {
		t.Fatal(err)
	}
	marks, err := r.Outline(context.Background())
	if diff := cmp.Diff([]sources.Mark{{Kind: "USER_INPUT"}, {Index: 1, Kind: "PLANNER_RESPONSE"}}, marks); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if last, whole, err := r.Extent(context.Background()); last != 1 || !whole || err != nil {
		t.Errorf("extent %d, %v, %v", last, whole, err)
	}
	if f, err := r.Close(); f != nil || err != nil {
		t.Errorf("closed before the end: %v, %v", f, err)
	}
}

// Whatever an authentic file holds, reading it neither panics nor loses count.
func FuzzMessage(f *testing.F) {
	f.Add(message(f, prompt, answer))
	f.Add(field(nil, implicitTrajectory, message(f, prompt)))
	f.Add(field(field(nil, implicitTrajectory, message(f, prompt)), implicitTrajectory, message(f, answer)))
	f.Fuzz(func(t *testing.T, plain []byte) {
		announced := newLayout(bytes.Clone(plain)).Steps
		d, err := read(New(), write(t, sealed(t, plain)), sources.Want{Blocks: true, Native: true, Records: true})
		if err != nil {
			t.Fatal(err)
		}
		steps, depth := 0, 0
		for _, e := range d.events {
			switch {
			case e.GetBegin() != nil:
				depth++
			case e.GetEnd() != nil:
				depth--
			case e.GetStep() != nil && depth == 0:
				steps++
			}
		}
		if steps != announced || int(d.header.GetAnnouncedSteps()) != announced {
			t.Errorf("%d steps, announced %d, counted %d", steps, d.header.GetAnnouncedSteps(), announced)
		}
	})
}

// Bytes that nobody sealed are an error, or a plain trajectory that is known to its last field.
func FuzzOpen(f *testing.F) {
	f.Add(sealed(f, message(f, prompt, answer)))
	f.Add(message(f, prompt, answer))
	f.Add(make([]byte, 64))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := read(New(), write(t, data), sources.Want{Blocks: true})
		if err != nil {
			if !errors.Is(err, sources.ErrUnreadable) {
				t.Errorf("of no kind: %v", err)
			}
			return
		}
		if d.count("note row: the file is not encrypted") > 0 && d.count("note unknown_fields") > 0 {
			t.Errorf("a plain file with something unknown: %v", d.shape())
		}
	})
}

// Reading a file takes about its size, whatever it holds: the bytes are decrypted where they are and steps refer to them.
func TestMemoryIsTheFile(t *testing.T) {
	path, size := bigFile(t)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, err := New().openReader(context.Background(), sources.Ref{Path: path}, sources.Want{Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	for {
		b, err := r.Next(context.Background())
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = b.Decode(func(*transcriptv1.Event) error { return nil })
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Release()
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > size+size/4 {
		t.Errorf("%d bytes allocated for a file of %d", got, size)
	}
	if _, err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

func bigFile(t *testing.T) (path string, size uint64) {
	t.Helper()
	text := strings.Repeat("text of a step. ", 1<<16) // 1 MiB
	step := build.Step(t, `{"type":"CORTEX_STEP_TYPE_USER_INPUT","userInput":{"userResponse":"`+text+`"}}`)
	raw := field(nil, trajectory.IDField, []byte(testTrajectory))
	for range 64 {
		raw = field(raw, trajectory.StepsField, step)
	}
	return write(t, sealed(t, raw)), uint64(len(raw))
}

package daemon

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"agy-reader/host/demo/build"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/legacypb"
	"agy-reader/sources/profile"
	"agy-reader/sources/sqlite"
	"agy-reader/sources/trajectory"
)

const (
	prompt = `{"type":"CORTEX_STEP_TYPE_USER_INPUT","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-01-02T03:04:05Z"},"userInput":{"userResponse":"What is here?"}}`
	reply  = `{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-01-02T03:04:07Z"},"plannerResponse":{"response":"A file."}}`
	later  = `{"type":"CORTEX_STEP_TYPE_PLANNER_RESPONSE","status":"CORTEX_STEP_STATUS_DONE","metadata":{"createdAt":"2026-01-02T03:09:09Z"},"plannerResponse":{"response":"A file."}}`
)

// message is a trajectory in wire form.
func message(t testing.TB, steps ...string) []byte {
	t.Helper()
	raw := item(nil, trajectory.IDField, "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee")
	for _, step := range steps {
		raw = item(raw, trajectory.StepsField, string(build.Step(t, step)))
	}
	raw = item(raw, trajectory.GenerationsField, string(build.MustEncode(t, trajectory.GenerationMessage,
		`{"chatModel":{"model":"MODEL_PLACEHOLDER_M16","modelDisplayName":"Gemini X","usage":{"inputTokens":"5","responseId":"r"}}}`)))
	raw = appendNumber(raw, trajectory.TypeField, 4)
	raw = item(raw, trajectory.CascadeIDField, testID)
	return item(raw, trajectory.MetadataField, string(build.MustEncode(t, "exa.cortex_pb.CortexTrajectoryMetadata", `{"createdAt":"2026-01-02T03:04:05Z"}`)))
}

// database writes the conversation's file.
func database(t testing.TB, steps ...string) string {
	t.Helper()
	var payloads [][]byte
	for _, step := range steps {
		payloads = append(payloads, build.Step(t, step))
	}
	c, err := build.NewConversation(testID, "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee", payloads...)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), testID+".db")
	if err := build.Database(path, c); err != nil {
		t.Fatal(err)
	}
	return path
}

// at makes a Find of endpoints.
func at(urls ...string) Find {
	return func(context.Context, sources.Ref) ([]Endpoint, error) {
		var list []Endpoint
		for _, url := range urls {
			list = append(list, Endpoint{URL: url})
		}
		return list, nil
	}
}

func stores() []sources.Source { return []sources.Source{sqlite.New(), legacypb.New()} }

// read returns everything a source says, header first.
func read(t testing.TB, s sources.Source, ref sources.Ref, want sources.Want) (all []proto.Message, err error) {
	t.Helper()
	r, err := s.Open(t.Context(), ref, want)
	if err != nil {
		return nil, err
	}
	return drain(t, r)
}

func drain(t testing.TB, r sources.Reader) (all []proto.Message, err error) {
	t.Helper()
	defer func() {
		footer, closeErr := r.Close()
		if err = errors.Join(err, closeErr); footer != nil {
			all = append(all, footer)
		}
	}()
	all = append(all, r.Header())
	for {
		b, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err == nil {
			err = b.Decode(func(ev *transcriptv1.Event) error {
				// Not proto.Clone: it would share the strings, which die with the batch.
				raw, err := proto.Marshal(ev)
				kept := &transcriptv1.Event{}
				all = append(all, kept)
				return errors.Join(err, proto.Unmarshal(raw, kept))
			})
		}
		if err != nil {
			return all, err
		}
		b.Release()
	}
}

// noteTexts are the texts of the notes, with a mark before those that make a document incomplete.
func noteTexts(all []proto.Message) []string {
	var list []string
	for _, m := range all {
		if ev, ok := m.(*transcriptv1.Event); ok && ev.GetNote() != nil {
			text := ev.GetNote().GetText()
			if ev.GetNote().GetIncomplete() {
				text = "! " + text
			}
			list = append(list, text)
		}
	}
	return list
}

// asJSON is the message as a daemon answers that speaks JSON only.
func asJSON(t testing.TB, message []byte) string {
	t.Helper()
	p, _, _, err := profile.Choose(evidence)
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.AppendJSON(nil, trajectory.Message, message, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const atTheStart = "this is what a running daemon has in memory, and nothing proves that it is what the store holds"

// The document is the same in both encodings, and says where it is from.
func TestSourceBothForms(t *testing.T) {
	t.Parallel()
	wire := message(t, prompt, reply)
	answers := loaded()
	answers[methodGet] = wireIs(t, wireAnswer(wire, 2))
	binary := newFake(t, answers)
	answers = loaded()
	answers[methodGet] = trajectoryIs(asJSON(t, wire))
	text := newFake(t, answers)
	want := sources.Want{Blocks: true, Native: true, Records: true, Digest: true}
	ref := sources.Ref{Path: database(t, prompt, reply), ID: testID, Surface: "cli"}
	var both [2][]proto.Message
	for i, f := range []*fake{binary, text} {
		var err error
		if both[i], err = read(t, New(at(f.URL), stores()), ref, want); err != nil {
			t.Fatal(err)
		}
		p := both[i][0].(*transcriptv1.Header).GetProvenance()
		if p.GetSource() != "daemon" || p.GetLocation() != [...]string{"full protobuf answer", "full JSON answer"}[i] {
			t.Errorf("provenance %v", p)
		}
		p.Location = ""
		both[i][len(both[i])-1].(*transcriptv1.Footer).SourceDigest = ""
	}
	if diff := cmp.Diff(both[0], both[1], protocmp.Transform()); diff != "" {
		t.Errorf("protobuf and JSON (-protobuf +JSON):\n%s", diff)
	}
	want2 := []string{atTheStart, testID + ".db has steps of the same number, kinds and times; what they hold was not compared"}
	if diff := cmp.Diff(want2, noteTexts(both[0])); diff != "" {
		t.Error(diff)
	}
	summary, err := New(at(binary.URL), stores()).Peek(t.Context(), ref)
	if err != nil || summary.Steps != 2 || summary.Title.GetValue() != "What is here?" {
		t.Errorf("%+v, %v", summary, err)
	}
}

// What only the JSON form holds and no profile knows is with its step, or in the header, byte for byte.
func TestSourceKeepsUnknownJSON(t *testing.T) {
	t.Parallel()
	answers := loaded()
	answers[methodGet] = jsonOnly(text(http.StatusOK, `{"pendingAgentMessages":[{"x":1}],"status":"S","trajectory":{"cascadeId":"`+testID+`","newTop":{"n":9007199254740993},
		"steps":[`+prompt+`,{"type":"CORTEX_STEP_TYPE_NEW_KIND","status":"CORTEX_STEP_STATUS_DONE","plannerResponse":{"response":"ok","newInside":[1e400]}}]}}`))
	f := newFake(t, answers)
	all, err := read(t, New(at(f.URL), nil), sources.Ref{ID: testID}, sources.Want{Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range all[0].(*transcriptv1.Header).GetUnknown() {
		got = append(got, u.GetPath()+" "+string(u.GetValue()))
	}
	for _, m := range all {
		if ev, ok := m.(*transcriptv1.Event); ok {
			for _, u := range ev.GetStep().GetUnknown() {
				got = append(got, "step: "+u.GetPath()+" "+string(u.GetValue()))
			}
		}
	}
	want := []string{
		`GetCascadeTrajectory.pendingAgentMessages [{"x":1}]`, `newTop {"n":9007199254740993}`,
		`step: type "CORTEX_STEP_TYPE_NEW_KIND"`, `step: plannerResponse.newInside [1e400]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	want = []string{
		atTheStart, "the daemon answered more than the trajectory, which is kept: pendingAgentMessages",
		"! no decoder profile has a place for newTop (unknown member)",
		"the conversation's file is not at hand, so that nothing was compared",
		"! no decoder profile has a place for type, plannerResponse.newInside",
	}
	if diff := cmp.Diff(want, noteTexts(all)); diff != "" {
		t.Error(diff)
	}
	if _, err := read(t, New(at(f.URL), nil), sources.Ref{ID: testID}, sources.Want{Blocks: true, Strict: true}); !errors.Is(err, sources.ErrUnknown) {
		t.Errorf("strict: %v", err)
	}
}

// A daemon may answer an older trajectory: with other steps, with fewer, or with as many. What was asked for is shown, the
// difference is noted, and the document counts as incomplete.
func TestCaseK08DaemonDiffersFromDatabase(t *testing.T) {
	t.Parallel()
	const right = "; the file is right, and is read without `--from daemon`"
	for name, test := range map[string]struct {
		stored []string
		note   string
	}{
		"more steps":  {[]string{prompt, reply, reply}, "! " + testID + ".db has 3 steps, the daemon answered 2" + right},
		"fewer steps": {[]string{prompt}, "! " + testID + ".db has 1 steps, the daemon answered 2" + right},
		"equal count": {[]string{prompt, later}, "! from step 1 on the daemon has other steps than " + testID + ".db" + right},
		"other kind":  {[]string{prompt, prompt}, "! from step 1 on the daemon has other steps than " + testID + ".db" + right},
	} {
		answers := loaded()
		answers[methodGet] = wireIs(t, wireAnswer(message(t, prompt, reply), 2))
		s := New(at(newFake(t, answers).URL), stores())
		ref := sources.Ref{Path: database(t, test.stored...), ID: testID}
		all, err := read(t, s, ref, sources.Want{Blocks: true})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{atTheStart, test.note}, noteTexts(all)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if _, err := read(t, s, ref, sources.Want{Blocks: true, Strict: true}); !errors.Is(err, sources.ErrPartial) {
			t.Errorf("%s: strict: %v", name, err)
		}
	}
}

func TestSourceShort(t *testing.T) {
	t.Parallel()
	answers := loaded()
	answers[methodGet] = wireIs(t, wireAnswer(message(t, prompt), 5))
	all, err := read(t, New(at(newFake(t, answers).URL), nil), sources.Ref{ID: testID}, sources.Want{Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(noteTexts(all), "\n"); !strings.Contains(got, "! the daemon says there are 5 steps and gave 1: daemon error 404 on GetCascadeTrajectorySteps: no such method") {
		t.Error(got)
	}
}

// The endpoints are asked in their order until one answers; otherwise every reason is told.
func TestSourceEndpoints(t *testing.T) {
	t.Parallel()
	rejects := newFake(t, map[string]func(http.ResponseWriter, call){methodLoad: text(http.StatusForbidden, secret)})
	answers := loaded()
	answers[methodGet] = wireIs(t, wireAnswer(message(t, prompt), 1))
	works := newFake(t, answers)
	dead, ref := nobody(t), sources.Ref{ID: testID}
	if _, err := read(t, New(at(dead, rejects.URL, works.URL), nil), ref, sources.Want{}); err != nil {
		t.Error(err)
	}
	_, err := read(t, New(at(dead, rejects.URL), nil), ref, sources.Want{})
	if !errors.Is(err, ErrRefused) || !errors.Is(err, ErrAuth) || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
	if _, err := read(t, New(at(), nil), ref, sources.Want{}); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
	if _, err := read(t, New(nil, nil), ref, sources.Want{}); !errors.Is(err, sources.ErrUnsupported) {
		t.Error(err)
	}
	if _, err := read(t, New(at(dead), nil), sources.Ref{}, sources.Want{}); !errors.Is(err, sources.ErrUnsupported) {
		t.Error(err)
	}
	reason := errors.New("found nothing")
	find := func(context.Context, sources.Ref) ([]Endpoint, error) { return nil, reason }
	if _, err := read(t, New(find, nil), ref, sources.Want{}); !errors.Is(err, reason) {
		t.Error(err)
	}
}

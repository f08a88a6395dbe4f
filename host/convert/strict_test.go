package convert_test

import (
	"errors"
	"testing"

	"agy-reader/host/convert"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// TestStrictWhateverTheSource: what makes a document incomplete is refused by a strict job, in the conversation and in
// trajectories and subagents below, also where a source does not refuse it itself; marked otherwise.
func TestStrictWhateverTheSource(t *testing.T) {
	t.Parallel()
	unknown := []*transcriptv1.UnknownField{{Path: "x", Number: 9}}
	plain := []*transcriptv1.Event{stepEvent(0, user)}
	gap := &transcriptv1.Note{Kind: "gap", Incomplete: true}
	for _, tc := range []struct {
		name   string
		source *fakeSource
		kind   error
	}{
		{"a gap", &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user), note(gap)}}}, sources.ErrPartial},
		{"unknown fields", &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user, func(st *transcriptv1.Step) { st.Unknown = unknown })}}}, sources.ErrUnknown},
		{"a note about unknown fields", &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user), note(&transcriptv1.Note{Kind: "unknown_fields", Incomplete: true})}}}, sources.ErrUnknown},
		{"unknown members", &fakeSource{batches: [][]*transcriptv1.Event{plain}, header: &transcriptv1.Header{ConversationId: "conv", Unknown: unknown}}, sources.ErrUnknown},
		{"in a nested trajectory", &fakeSource{batches: [][]*transcriptv1.Event{{stepEvent(0, user), begin(&transcriptv1.Header{Unknown: unknown}), stepEvent(0, user), end()}}}, sources.ErrUnknown},
		{"a gap of the footer", &fakeSource{batches: [][]*transcriptv1.Event{plain}, footer: &transcriptv1.Footer{Gaps: []*transcriptv1.Note{gap}}}, sources.ErrPartial},
		{"an incomplete footer", &fakeSource{batches: [][]*transcriptv1.Event{plain}, footer: &transcriptv1.Footer{Incomplete: true}}, sources.ErrPartial},
		{"nothing", &fakeSource{batches: [][]*transcriptv1.Event{plain}}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			family := &fakeFamily{sources: map[string]*fakeSource{"a": tc.source}}
			for _, strict := range []bool{true, false} {
				job := convert.Job{Source: tc.source, Targets: targets(&fakeSink{name: "x", needs: all}), Strict: strict}
				above := convert.Job{Source: talk(3, "a"), Targets: targets(&fakeSink{name: "x", needs: all}), Strict: strict, Family: family, Subagents: convert.SubagentsInline}
				for _, job := range []convert.Job{job, above} {
					_, result, err := run(t, job)
					switch {
					case strict && tc.kind != nil && !errors.Is(err, tc.kind):
						t.Errorf("want %v, got %v", tc.kind, err)
					case (!strict || tc.kind == nil) && err != nil:
						t.Error(err)
					case !strict && result.Incomplete != (tc.kind != nil):
						t.Errorf("incomplete %v", result.Incomplete)
					}
				}
			}
		})
	}
}

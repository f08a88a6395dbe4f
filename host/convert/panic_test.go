package convert_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"agy-reader/host/artifact"
	"agy-reader/host/convert"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// panicking is a source whose batch number at panics when it is decoded, or read when reads is set.
type panicking struct {
	*fakeSource
	at    int
	reads bool
}

func (p *panicking) Open(ctx context.Context, ref sources.Ref, want sources.Want) (sources.Reader, error) {
	if p.at < 0 {
		panic("no room")
	}
	reader, err := p.fakeSource.Open(ctx, ref, want)
	return &panickingReader{Reader: reader, source: p}, err
}

type panickingReader struct {
	sources.Reader
	source *panicking
	n      int
}

func (r *panickingReader) Next(ctx context.Context) (sources.Batch, error) {
	r.n++
	if r.source.reads && r.n == r.source.at {
		panic("no such row")
	}
	batch, err := r.Reader.Next(ctx)
	if err == nil && r.n == r.source.at {
		return panickingBatch{batch}, nil
	}
	return batch, err
}

type panickingBatch struct{ sources.Batch }

func (panickingBatch) Decode(func(*transcriptv1.Event) error) error {
	var none []int
	_ = none[len(none)]
	return nil
}

// A decoder that panics costs the conversation, never the program: everything is closed and nothing is published.
func TestCaseE05PanicIsAnError(t *testing.T) {
	t.Parallel()
	events := split(session(), 5)
	for _, tc := range []struct {
		name   string
		source *panicking
		where  string
	}{
		{"open", &panicking{fakeSource: &fakeSource{batches: events}, at: -1}, "no room"},
		{"first read", &panicking{fakeSource: &fakeSource{batches: events}, at: 1, reads: true}, "no such row"},
		{"late read", &panicking{fakeSource: &fakeSource{batches: events}, at: 9, reads: true}, "no such row"},
		{"decode inline", &panicking{fakeSource: &fakeSource{batches: events[:1]}, at: 1}, "panicking"},
		{"decode first", &panicking{fakeSource: &fakeSource{batches: events}, at: 1}, "panic_test.go"},
		{"decode late", &panicking{fakeSource: &fakeSource{batches: events}, at: 9}, "index out of range"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			sink := &fakeSink{name: "sink", needs: all, ahead: true}
			_, result, err := run(t, convert.Job{Source: tc.source, Ref: sources.Ref{Path: "/x/file.db"}, Targets: targets(sink)})
			if !errors.Is(err, convert.ErrInternal) || result != nil || !strings.Contains(err.Error(), tc.where) || !strings.Contains(err.Error(), "file.db") {
				t.Errorf("got %v", err)
			}
			if opened, closed, aborted := sink.state(); opened != closed+aborted {
				t.Errorf("opened %d, closed %d, aborted %d", opened, closed, aborted)
			}
			if source := tc.source.fakeSource; source.opened.Load() != source.closed.Load() || source.live.Load() != 0 {
				t.Errorf("opened %d, closed %d, %d batches left", source.opened.Load(), source.closed.Load(), source.live.Load())
			}
		})
	}
}

func TestFinishComesBeforePublishing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out, err := artifact.Open(dir, artifact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	source := &fakeSource{batches: split(session(), 5)}
	job := convert.Job{Source: source, Targets: targets(&fakeSink{name: "a", needs: all}), Out: out}
	job.Finish = func(r *convert.Result) error {
		if len(r.Files) > 0 || r.Footer.GetStoredSteps() == 0 {
			t.Errorf("%d files, %d steps", len(r.Files), r.Footer.GetStoredSteps())
		}
		w, err := out.Create("more.txt", "text/plain", 0)
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, "more")
		return errors.Join(err, w.Close())
	}
	_, result, err := run(t, job)
	if err != nil || len(result.Files) != 2 || result.Files[1].Name != "more.txt" {
		t.Fatalf("%+v, %v", result, err)
	}
	refused := errors.New("refused")
	job = convert.Job{Source: source, Targets: targets(&fakeSink{name: "a", needs: all}), Finish: func(*convert.Result) error { return refused }}
	if _, _, err := run(t, job); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
}

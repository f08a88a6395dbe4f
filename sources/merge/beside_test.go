package merge_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/merge"
)

func attachment(name string, size int) *transcriptv1.Attachment {
	return &transcriptv1.Attachment{Kind: "artifact", Name: name, Blocks: []*transcriptv1.Block{{Kind: "text", Text: strings.Repeat("x", size)}}}
}

// folder has something beside every step, some children, and a rest.
func folder() *merge.Folder {
	return &merge.Folder{
		Kids: map[uint32][]string{1: {"child-1", "child-2"}, 2: {"child-3"}},
		Of: func(st *transcriptv1.Step) []*transcriptv1.Attachment {
			return []*transcriptv1.Attachment{attachment("beside "+st.GetAnchor(), 1)}
		},
		Whole: func(yield func(*transcriptv1.Attachment) error) error {
			return yield(attachment("rest", 1))
		},
	}
}

// What belongs to a step stands right behind it, also behind steps out of the logs; what belongs to none at the end.
func TestBesideTheSteps(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(3, "DELETE FROM steps WHERE idx = 1")
	s.log("transcript.jsonl", lines(0, 2)...)
	d, err := readFrom(context.Background(), source().WithFolder(folder(), nil), s.ref(), sources.Want{Blocks: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range d.events {
		switch {
		case e.GetStep() != nil:
			got = append(got, e.GetStep().GetAnchor()+" "+strings.Join(e.GetStep().GetChildConversationIds(), ","))
		case e.GetAttachment() != nil:
			got = append(got, e.GetAttachment().GetName())
		}
	}
	want := []string{
		"step-0 ", "beside step-0", "step-1 child-1,child-2", "beside step-1", "step-2 child-3", "beside step-2", "rest",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A folder that cannot be read is said, and costs nothing else.
func TestFolderThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(2)
	half := folder()
	half.Whole = func(yield func(*transcriptv1.Attachment) error) error {
		return errors.Join(yield(attachment("rest", 1)), errors.New("no more"))
	}
	for _, src := range []*merge.Source{source().WithFolder(nil, errors.New("no permission")), source().WithFolder(half, nil)} {
		d, err := readFrom(context.Background(), src, s.ref(), sources.Want{Blocks: true}, nil)
		if err != nil || len(d.outline()) != 2 {
			t.Fatalf("%v, %v", d.outline(), err)
		}
		if notes := d.notes(); len(notes) != 1 || !strings.HasPrefix(notes[0], "damage incomplete: files beside the steps cannot be read: no ") {
			t.Errorf("notes %q", notes)
		}
	}
}

// The rest of a conversation may be more than memory should hold at once: it comes in batches, and no sooner than asked for.
func TestRestComesInPieces(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(1)
	made := 0
	f := folder()
	f.Whole = func(yield func(*transcriptv1.Attachment) error) error {
		for i := range 100 {
			made++
			if err := yield(attachment(fmt.Sprint(i), 50_000)); err != nil {
				return err
			}
		}
		return nil
	}
	ctx := context.Background()
	r, err := source().WithFolder(f, nil).Open(ctx, s.ref(), sources.Want{Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	seen := 0
	for batches := 0; ; batches++ {
		b, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			if batches < 20 {
				t.Errorf("%d batches", batches)
			}
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		in := 0
		err = b.Decode(func(ev *transcriptv1.Event) error {
			if ev.GetAttachment() != nil {
				in++
			}
			return nil
		})
		if err != nil || in > 4 || made > seen+in+1 {
			t.Fatalf("%d attachments in a batch, %d made before, %v", in, made, err)
		}
		seen += in
		b.Release()
	}
	if seen != 101 {
		t.Errorf("%d attachments", seen)
	}
}

// Who stops early, whenever, leaves no goroutine and no open log behind.
func TestStoppingEarly(t *testing.T) {
	s := newStore(t)
	s.database(300, "DELETE FROM steps WHERE idx % 7 = 1")
	s.log("transcript.jsonl", append(lines(0, 299), lines(300, 320)...)...)
	before := runtime.NumGoroutine()
	for stop := range 60 {
		ctx, cancel := context.WithCancel(context.Background())
		r, err := source().WithFolder(folder(), nil).Open(ctx, s.ref(), sources.Want{Blocks: true})
		if err != nil {
			t.Fatal(err)
		}
		var batches []sources.Batch
		for range stop {
			b, err := r.Next(ctx)
			if err != nil {
				break
			}
			batches = append(batches, b)
		}
		if stop%2 == 1 {
			cancel()
			if _, err := r.Next(ctx); err == nil {
				t.Error("a cancelled reading goes on")
			}
		}
		if _, err := r.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		for _, b := range batches {
			b.Release()
		}
		cancel()
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

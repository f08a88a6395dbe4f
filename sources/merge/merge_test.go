package merge_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agy-reader/sources"
)

// Every combination of what is left of a conversation of six steps.
func TestWhatIsLeft(t *testing.T) {
	t.Parallel()
	const full, cut = "transcript_full.jsonl", "transcript.jsonl"
	for _, test := range []struct {
		name string
		make func(s *store)
		want []string
		// notes are what the document must say, incomplete whether it must count as such.
		notes      []string
		incomplete bool
	}{
		{
			"whole database, same logs", func(s *store) { s.database(3); s.log(cut, lines(0, 2)...) },
			[]string{"0 db 0", "1 db 1", "2 db 2"},
			nil, false,
		},
		{
			"whole database, empty logs", func(s *store) { s.database(3); s.log(cut); s.log(full) },
			[]string{"0 db 0", "1 db 1", "2 db 2"},
			nil, false,
		},
		{
			"hole", func(s *store) { s.database(6, "DELETE FROM steps WHERE idx IN (2, 3)"); s.log(cut, lines(0, 5)...) },
			[]string{"0 db 0", "1 db 1", "2 log 2 (transcript.jsonl)", "3 log 3 (transcript.jsonl)", "4 db 4", "5 db 5"},
			[]string{"filled: steps 2–3 are not in " + id + ".db; what follows is from transcript.jsonl"},
			false,
		},
		{
			"hole that logs fill in part",
			func(s *store) {
				s.database(6, "DELETE FROM steps WHERE idx BETWEEN 1 AND 4")
				s.log(cut, append(lines(0, 0), append(lines(2, 2), lines(4, 5)...)...)...)
			},
			[]string{"0 db 0", "gap 1–1", "2 log 2 (transcript.jsonl)", "gap 3–3", "4 log 4 (transcript.jsonl)", "5 db 5"},
			[]string{
				"gap incomplete: step 1 is not on disk",
				"filled: step 2 is not in " + id + ".db; what follows is from transcript.jsonl",
				"gap incomplete: step 3 is not on disk",
				"filled: step 4 is not in " + id + ".db; what follows is from transcript.jsonl",
			},
			true,
		},
		{
			"head", func(s *store) { s.database(4, "DELETE FROM steps WHERE idx < 2"); s.log(full, lines(0, 3)...) },
			[]string{"0 log 0 (transcript_full.jsonl)", "1 log 1 (transcript_full.jsonl)", "2 db 2", "3 db 3"},
			[]string{"filled: steps 0–1 are not in " + id + ".db; what follows is from transcript_full.jsonl"},
			false,
		},
		{
			"tail", func(s *store) { s.database(2); s.log(full, lines(0, 3)...) },
			[]string{"0 db 0", "1 db 1", "2 log 2 (transcript_full.jsonl)", "3 log 3 (transcript_full.jsonl)"},
			[]string{"filled: steps 2–3 are not in " + id + ".db; what follows is from transcript_full.jsonl"},
			false,
		},
		{
			"tail with a hole", func(s *store) { s.database(2); s.log(full, append(lines(0, 1), lines(4, 4)...)...) },
			[]string{"0 db 0", "1 db 1", "gap 2–3", "4 log 4 (transcript_full.jsonl)"},
			[]string{
				"gap incomplete: steps 2–3 are not on disk",
				"filled: step 4 is not in " + id + ".db; what follows is from transcript_full.jsonl",
			},
			true,
		},
		{
			"no steps in the database", func(s *store) { s.database(0); s.log(full, lines(0, 1)...) },
			[]string{"0 log 0 (transcript_full.jsonl)", "1 log 1 (transcript_full.jsonl)"},
			[]string{"filled: steps 0–1 are not in " + id + ".db; what follows is from transcript_full.jsonl"},
			false,
		},
		{
			"hole without logs", func(s *store) { s.database(4, "DELETE FROM steps WHERE idx = 1") },
			[]string{"0 db 0", "gap 1–1", "2 db 2", "3 db 3"},
			[]string{"gap incomplete: step 1 is not on disk"},
			true,
		},
		{
			"both logs, each with its own part",
			func(s *store) {
				s.database(6, "DELETE FROM steps WHERE idx > 1")
				s.log(cut, lines(0, 3)...)
				s.log(full, lines(3, 5)...)
			},
			[]string{
				"0 db 0", "1 db 1", "2 log 2 (transcript.jsonl)", "3 log 3 (transcript.jsonl)",
				"4 log 4 (transcript_full.jsonl)", "5 log 5 (transcript_full.jsonl)",
			},
			[]string{"filled: steps 2–5 are not in " + id + ".db; what follows is from transcript.jsonl and transcript_full.jsonl"},
			false,
		},
		{
			"encrypted copy of a fork beside the database", func(s *store) { s.database(2); s.legacy(4) },
			[]string{"0 db 0", "1 db 1"},
			nil, false,
		},
		{
			"zero-byte database beside an encrypted file", func(s *store) { s.write(s.file(".db"), ""); s.legacy(2) },
			[]string{"0 pb 0", "1 pb 1"},
			[]string{"fallback: " + id + ".db is empty (source cannot be read: holds no conversation (no tables)); what follows is from the next best source"},
			false,
		},
		{
			"encrypted file, logs that go on", func(s *store) { s.legacy(2); s.log(cut, lines(0, 2)...) },
			[]string{"0 pb 0", "1 pb 1", "2 log 2 (transcript.jsonl)"},
			[]string{"filled: step 2 is not in " + id + ".pb; what follows is from transcript.jsonl"},
			false,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			test.make(s)
			d := s.mustRead()
			if diff := cmp.Diff(test.want, d.outline()); diff != "" {
				t.Errorf("document (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.notes, d.notes()); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			if got := strings.Contains(strings.Join(d.notes(), "\n"), " incomplete: "); got != test.incomplete {
				t.Errorf("incomplete: %v", got)
			}
		})
	}
}

// What cannot be read is passed over for what can, and the document says so aloud. With nothing else the error is the file's
// own, and strict reading passes over nothing.
func TestFallBack(t *testing.T) {
	t.Parallel()
	garbage := strings.Repeat("this is no database ", 500)
	for _, test := range []struct {
		name string
		make func(s *store)
		// first is the first step, empty when there is an error; said is in a note, with it incomplete or not.
		first, said string
		incomplete  bool
		err         error
	}{
		{"garbage, logs", func(s *store) { s.write(s.file(".db"), garbage); s.log("transcript.jsonl", lines(0, 2)...) }, "0 log 0", id + ".db cannot be used", true, nil},
		{"garbage, encrypted file", func(s *store) { s.write(s.file(".db"), garbage); s.legacy(2) }, "0 pb 0", id + ".db cannot be used", true, nil},
		{"garbage alone", func(s *store) { s.write(s.file(".db"), garbage) }, "", "", false, sources.ErrUnreadable},
		{"garbage, empty logs", func(s *store) { s.write(s.file(".db"), garbage); s.log("transcript.jsonl") }, "", "", false, sources.ErrUnreadable},
		{"garbage twice, logs", func(s *store) {
			s.write(s.file(".db"), garbage)
			s.write(s.file(".pb"), garbage)
			s.log("transcript.jsonl", lines(0, 2)...)
		}, "0 log 0", id + ".pb cannot be used", true, nil},
		{"zeros of an encrypted file, logs", func(s *store) {
			s.write(s.file(".pb"), strings.Repeat("\x00", 5000))
			s.log("transcript.jsonl", lines(0, 2)...)
		}, "0 log 0", id + ".pb cannot be used", true, nil},
		{"zero bytes, logs", func(s *store) { s.write(s.file(".db"), ""); s.log("transcript.jsonl", lines(0, 2)...) }, "0 log 0", "no tables", true, nil},
		{"zero bytes alone", func(s *store) { s.write(s.file(".db"), "") }, "", "", false, sources.ErrEmpty},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			test.make(s)
			d, err := s.read(sources.Want{Blocks: true})
			if test.first == "" {
				if !errors.Is(err, test.err) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := d.outline()[0]; got != test.first {
				t.Errorf("the first step is %s", got)
			}
			notes := strings.Join(d.notes(), "\n")
			if !strings.Contains(notes, test.said) || strings.Contains(notes, " incomplete: ") != test.incomplete {
				t.Errorf("notes: %s", notes)
			}
			if _, err := s.read(sources.Want{Blocks: true, Strict: true}); !errors.Is(err, sources.ErrUnreadable) {
				t.Errorf("strict reading: %v", err)
			}
		})
	}
}

// Strict reading names what the database lacks, also where the logs have it.
func TestStrictFillsNothing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, want string
		make       func(s *store)
	}{
		{"hole", "steps 1 to 2 are missing", func(s *store) {
			s.database(4, "DELETE FROM steps WHERE idx IN (1, 2)")
			s.log("transcript.jsonl", lines(0, 3)...)
		}},
		{"tail", "it ends at step 1, the transcript logs at step 3", func(s *store) { s.database(2); s.log("transcript.jsonl", lines(0, 3)...) }},
		{"whole", "", func(s *store) { s.database(4); s.log("transcript.jsonl", lines(0, 3)...) }},
		{"lone index 4", "", func(s *store) { s.database(6, "DELETE FROM steps WHERE idx = 4") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			test.make(s)
			d, err := s.read(sources.Want{Blocks: true, Strict: true})
			switch {
			case test.want == "" && (err != nil || len(d.outline()) < 4):
				t.Errorf("%v", err)
			case test.want != "" && (!errors.Is(err, sources.ErrPartial) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v", err)
			}
		})
	}
}

// The footer says what came from where.
func TestParts(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(6, "DELETE FROM steps WHERE idx BETWEEN 1 AND 3")
	s.log("transcript.jsonl", append(lines(0, 1), lines(3, 6)...)...)
	f := s.mustRead().footer
	var parts []string
	for _, p := range f.GetParts() {
		parts = append(parts, strings.Join([]string{p.GetSource(), p.GetLocation(), string(rune('0' + p.GetSteps()))}, " "))
	}
	if diff := cmp.Diff([]string{"sqlite " + id + ".db 3", "mirror transcript.jsonl 3"}, parts); diff != "" {
		t.Error(diff)
	}
	if got := f.GetCompleteness(); got != "step 1, step 3, step 6 from the transcript logs" {
		t.Errorf("completeness %q", got)
	}
	if gaps := f.GetGaps(); len(gaps) != 1 || gaps[0].GetText() != "step 2 is not on disk" {
		t.Errorf("gaps %v", gaps)
	}
}

// Logs of a whole conversation are not opened: nothing but their end is read.
func TestLogsOfAWholeConversationAreLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(3)
	s.log("transcript.jsonl", append([]string{"broken", strings.Repeat("x", 200_000)}, lines(0, 2)...)...)
	if d := s.mustRead(); len(d.notes()) > 0 || len(d.outline()) != 3 {
		t.Errorf("notes %v, steps %v", d.notes(), d.outline())
	}
	// With a hole they are, and what is wrong with them is said.
	s = newStore(t)
	s.database(3, "DELETE FROM steps WHERE idx = 1")
	s.log("transcript.jsonl", append([]string{"broken"}, lines(0, 2)...)...)
	if notes := strings.Join(s.mustRead().notes(), "\n"); !strings.Contains(notes, "record 1 is unreadable") {
		t.Errorf("notes %s", notes)
	}
}

// A small conversation stays one batch, which the host converts without starting anything; one that nothing is known of
// beside its file is not even wrapped.
func TestWholeConversationIsOneBatch(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(3)
	s.log("transcript.jsonl", lines(0, 2)...)
	ctx := context.Background()
	for _, ref := range []sources.Ref{s.ref(), {Path: s.file(".db")}} {
		r, err := source().Open(ctx, ref, sources.Want{Blocks: true})
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		b.Release()
		if _, err := r.Next(ctx); !errors.Is(err, io.EOF) {
			t.Errorf("a second batch: %v", err)
		}
		if _, err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Nothing of the store is changed, whatever is read.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.database(4, "DELETE FROM steps WHERE idx = 1")
	s.log("transcript.jsonl", lines(0, 5)...)
	before := names(t, s.root)
	s.mustRead()
	if diff := cmp.Diff(before, names(t, s.root)); diff != "" {
		t.Error(diff)
	}
}

func names(t *testing.T, root string) []string {
	t.Helper()
	var list []string
	var walk func(dir string)
	walk = func(dir string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, dir+"/"+e.Name()+" "+info.ModTime().String())
			if e.IsDir() {
				walk(dir + "/" + e.Name())
			}
		}
	}
	walk(root)
	return list
}

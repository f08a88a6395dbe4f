package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/trajectory"
)

const (
	// batchBytes and batchLines are how much one batch holds. A longer line travels alone.
	batchBytes = 128 << 10
	batchLines = 256
	// maxGaps bounds the list of gaps in the footer; every gap is a note in its place all the same.
	maxGaps = 1000
	// hiddenIndex is the one index that is absent from healthy logs: some versions do not write the step that makes a title.
	hiddenIndex = 4
)

// reader is one open conversation, sources.Reader.
type reader struct {
	log      *Log
	header   *transcriptv1.Header
	settings Settings
	want     sources.Want

	notes []*transcriptv1.Note
	// next is the place in marks that comes next, expected the index that should.
	next     int
	expected uint32
	gaps     []*transcriptv1.Note
	// branches are what was abandoned, oldest first, each with ascending indexes.
	branches [][]mark
	branch   int
	digest   hash.Hash
	ended    bool
	lease    *lease
}

// lease keeps the logs open: batches outlive their reader, and the last one closes.
type lease struct {
	log  *Log
	held atomic.Int32
}

func (l *lease) take() *lease {
	l.held.Add(1)
	return l
}

func (l *lease) drop() {
	if l.held.Add(-1) == 0 {
		l.log.Close()
	}
}

func (s *Source) openReader(ctx context.Context, ref sources.Ref, want sources.Want) (*reader, error) {
	log, err := openOrEmpty(ctx, ref)
	if err != nil {
		return nil, err
	}
	r := &reader{log: log, want: want, lease: (&lease{log: log}).take()}
	p, reason, err := chooseProfile(want)
	if err != nil {
		log.Close()
		return nil, err
	}
	r.settings = Settings{Profile: p, Origin: len(log.contributing()) > 1, Session: &interpret.Session{ConversationID: ref.ID, Want: want}}
	if err := r.describe(ref, reason); err != nil {
		log.Close()
		return nil, err
	}
	if want.Digest {
		r.digest = sha256.New()
	}
	r.notes = append([]*transcriptv1.Note{r.partial()}, slices.DeleteFunc(slices.Clone(log.notes), log.placed)...)
	r.branches = runs(log.abandoned)
	if n := len(log.abandoned); n > 0 {
		r.notes = append(r.notes, &transcriptv1.Note{
			Kind: noteBranch, Severity: transcriptv1.Severity_SEVERITY_INFO,
			Text: fmt.Sprintf("the logs hold %s that later ones took the place of, shown behind the last step", sources.Amount(n, "record")),
		})
	}
	return r, nil
}

// Header implements sources.Reader.
func (r *reader) Header() *transcriptv1.Header { return r.header }

// Next implements sources.Reader.
func (r *reader) Next(ctx context.Context) (sources.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b := &pieces{strict: r.want.Strict, lease: r.lease}
	for _, n := range r.notes {
		b.list = append(b.list, piece{event: trajectory.NoteEvent(n)})
	}
	r.notes = nil
	if r.next == len(r.log.marks) {
		return r.tail(b)
	}
	size, count := 0, 0
	for r.next < len(r.log.marks) && count < batchLines {
		m := &r.log.marks[r.next]
		if size += int(m.length); count > 0 && size > batchBytes {
			break
		}
		if m.index > r.expected {
			b.note(r.gap(r.expected, m.index-1))
		}
		b.line(r.log, *m, r.settings)
		for _, n := range r.log.notesBehind(m.index) {
			b.note(n)
		}
		if err := r.hash(m); err != nil {
			return nil, err
		}
		count++
		r.next++
		r.expected = m.index + 1
	}
	return b.ready(), nil
}

// tail hands out branches behind the last step.
func (r *reader) tail(b *pieces) (sources.Batch, error) {
	if r.branch < len(r.branches) {
		lines := r.branches[r.branch]
		r.branch++
		b.branch(r, lines, r.branch)
	}
	if len(b.list) == 0 {
		r.ended = true
		return nil, io.EOF
	}
	return b.ready(), nil
}

// gap says which steps are not there; nil for the one that healthy logs lack.
func (r *reader) gap(first, last uint32) *transcriptv1.Note {
	if first == hiddenIndex && last == hiddenIndex {
		return nil
	}
	n := &transcriptv1.Note{
		Kind: noteGap, Severity: transcriptv1.Severity_SEVERITY_WARNING, Incomplete: true,
		FirstIndex: &first, LastIndex: &last, Text: fmt.Sprintf("steps %d–%d are not on disk", first, last),
	}
	if first == last {
		n.Text = fmt.Sprintf("step %d is not on disk", first)
	}
	if len(r.gaps) < maxGaps {
		r.gaps = append(r.gaps, n)
	}
	return n
}

// hash adds a line to the digest of the source.
func (r *reader) hash(m *mark) error {
	if r.digest == nil {
		return nil
	}
	f := r.log.files[m.file]
	if _, err := io.Copy(r.digest, io.NewSectionReader(f, m.off, int64(m.length))); err != nil {
		return r.log.readError(f, err)
	}
	r.digest.Write([]byte{'\n'})
	return nil
}

// Close implements sources.Reader.
func (r *reader) Close() (*transcriptv1.Footer, error) {
	r.lease.drop()
	if !r.ended {
		return nil, nil
	}
	f := &transcriptv1.Footer{Gaps: r.gaps, Completeness: "from transcript logs alone"}
	if r.digest != nil {
		f.SourceDigest = hex.EncodeToString(r.digest.Sum(nil))
	}
	return f, nil
}

// notesBehind returns the notes that stand behind a step.
func (l *Log) notesBehind(index uint32) []*transcriptv1.Note {
	if l.behind == nil {
		l.behind = map[string][]*transcriptv1.Note{}
		for _, n := range l.notes {
			if a := n.GetAnchor(); a != "" {
				l.behind[a] = append(l.behind[a], n)
			}
		}
	}
	return l.behind[anchor(index)]
}

func compareAnchor(index uint32, a string) int {
	want := strings.TrimPrefix(a, "step-")
	have := strings.TrimPrefix(anchor(index), "step-")
	if len(have) != len(want) {
		return len(have) - len(want)
	}
	return strings.Compare(have, want)
}

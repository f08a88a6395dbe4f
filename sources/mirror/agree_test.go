package mirror_test

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"agy-reader/host/corpus"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/mirror"
	"agy-reader/sources/sqlite"
)

// copied returns copies of the events of a batch, up to an error.
func copied(b sources.Batch) ([]*transcriptv1.Event, error) {
	defer b.Release()
	var list []*transcriptv1.Event
	err := b.Decode(func(ev *transcriptv1.Event) error {
		raw, err := proto.Marshal(ev)
		if err != nil {
			return err
		}
		own := &transcriptv1.Event{}
		if err := proto.Unmarshal(raw, own); err != nil {
			return err
		}
		list = append(list, own)
		return nil
	})
	return list, err
}

func decode(t *testing.T, b sources.Batch) []*transcriptv1.Event {
	t.Helper()
	list, err := copied(b)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// fromDatabase returns the steps of a database by index.
func fromDatabase(t *testing.T, path string) map[uint32]*transcriptv1.Step {
	t.Helper()
	r, err := sqlite.New().Open(t.Context(), sources.Ref{Path: path}, sources.Want{Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	steps := make(map[uint32]*transcriptv1.Step)
	for {
		b, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return steps
		}
		if err != nil {
			t.Fatal(err)
		}
		depth := 0
		for _, ev := range decode(t, b) {
			switch body := ev.GetBody().(type) {
			case *transcriptv1.Event_Begin:
				depth++
			case *transcriptv1.Event_End:
				depth--
			case *transcriptv1.Event_Step:
				if depth == 0 {
					steps[body.Step.GetIndex()] = body.Step
				}
			}
		}
	}
}

// difference is one thing two forms of a step do not agree on.
type difference struct {
	what     string
	db, line string
	// lost: the log lacks the step before.
	lost    bool
	dbStep  *transcriptv1.Step
	logStep *transcriptv1.Step
}

func (d difference) String() string {
	return fmt.Sprintf("%s step %d (%s): database %.600q, log %.600q", d.what, d.dbStep.GetIndex(), d.dbStep.GetKind(), d.db, d.line)
}

func second(ns *int64) string {
	if ns == nil {
		return ""
	}
	return fmt.Sprint(*ns / 1e9)
}

// has reports whether a step has the block.
func has(s *transcriptv1.Step, want string) bool {
	return slices.ContainsFunc(s.GetBlocks(), func(b *transcriptv1.Block) bool { return block(b) == want })
}

func block(b *transcriptv1.Block) string {
	if c := b.GetToolCall().GetCall(); c != nil {
		return b.GetKind() + "|" + c.GetName() + "|" + canonical(c.GetArgumentsJson())
	}
	return b.GetKind() + "|" + b.GetLabel() + "|" + b.GetText()
}

// differences compares two forms of a step.
func differences(db, line *transcriptv1.Step) []difference {
	var list []difference
	add := func(what, x, y string) {
		if x != y {
			list = append(list, difference{what: what, db: x, line: y, dbStep: db, logStep: line})
		}
	}
	add("kind", db.GetKind(), line.GetKind())
	add("role", db.GetRole().String(), line.GetRole().String())
	add("status", db.GetStatus(), line.GetStatus())
	add("created", second(db.CreatedNs), second(line.CreatedNs))
	add("completed", second(db.CompletedNs), second(line.CompletedNs))
	add("call", db.GetCall().GetName(), line.GetCall().GetName())
	add("arguments", db.GetCall().GetArgumentsJson(), line.GetCall().GetArgumentsJson())
	add("task", db.GetTaskId(), line.GetTaskId())
	add("children", strings.Join(db.GetChildConversationIds(), " "), strings.Join(line.GetChildConversationIds(), " "))
	add("summary", db.GetSummary(), line.GetSummary())
	own := make(map[string]int)
	for _, b := range line.GetBlocks() {
		own[block(b)]++
	}
	for _, b := range db.GetBlocks() {
		if own[block(b)] > 0 {
			own[block(b)]--
			continue
		}
		add("block only in database", block(b), "")
	}
	for _, b := range line.GetBlocks() {
		if own[block(b)] > 0 {
			own[block(b)]--
			add("block only in log", "", block(b))
		}
	}
	return list
}

// TestAgreesWithDatabases compares every step that a database and its logs share.
func TestAgreesWithDatabases(t *testing.T) {
	t.Parallel()
	home := corpus.Home(t)
	shared, explained, per := 0, 0, make(map[string]int)
	for _, path := range corpus.Databases(t, home) {
		id := strings.TrimSuffix(filepath.Base(path), ".db")
		root := filepath.Dir(filepath.Dir(path))
		l, err := mirror.Open(t.Context(), sources.Ref{ID: id, Root: root, Brain: filepath.Join(root, "brain", id)})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		steps := fromDatabase(t, path)
		present := make(map[uint32]bool)
		for _, m := range l.Marks() {
			present[m.Index] = true
		}
		b := l.Batch(l.Marks(), mirror.Settings{Profile: newest(t), Session: &interpret.Session{ConversationID: id, Want: sources.Want{Blocks: true}}})
		for _, ev := range decode(t, b) {
			line := ev.GetStep()
			db := steps[line.GetIndex()]
			if line == nil {
				continue
			}
			if db == nil {
				t.Errorf("%s: step %d is only in the log", id[:8], line.GetIndex())
				continue
			}
			shared++
			for _, d := range differences(db, line) {
				d.lost = line.GetIndex() > 0 && !present[line.GetIndex()-1]
				name := ""
				for _, r := range rules {
					if r.explains(d) {
						name = r.name
						break
					}
				}
				if name == "" {
					t.Errorf("%s: %v", id[:8], d)
					per["unexplained "+d.what+" "+d.dbStep.GetKind()]++
					continue
				}
				per[name]++
				explained++
			}
		}
		l.Close()
	}
	if shared != 607 {
		t.Errorf("%d shared steps, want 607", shared)
	}
	for _, r := range rules {
		if per[r.name] == 0 {
			t.Errorf("rule %q explains nothing", r.name)
		}
	}
	t.Logf("%d shared steps, %d differences explained: %v", shared, explained, per)
}

package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"fmt"
	"hash"
	"math"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
	"agy-reader/sources/interpret"
	"agy-reader/sources/trajectory"
)

// stepsTable lists the columns in the order steps.row takes them.
var stepsTable = table{name: "steps", key: "idx", columns: stored(
	"step_type", "status", "has_subtrajectory", "step_format",
	"metadata", "error_details", "permissions", "task_details", "render_info", "step_payload",
)}

// maxGaps bounds the list of gaps in the footer; every gap is a note in its place all the same.
const maxGaps = 1000

// smallColumns of a step are read when its payload cannot be.
var smallColumns = []string{"idx", "step_type", "status", "has_subtrajectory", "step_format"}

// steps copies rows of the table steps into batches and checks them.
type steps struct {
	r    *reader
	cur  *trajectory.Batch
	send func(sources.Batch) error
	// expected is the index the next row should have; a damaged stretch before it is described by cause.
	expected int64
	cause    string
	count    int64
	partial  bool
	digest   hash.Hash
	gaps     []*transcriptv1.Note
	// recent are copies of the metadata of the last rows, the newest at at-1; see covered.
	recent [recentSteps][]byte
	at     int
	// hiddenRender counts rows whose render_info is not part of the payload.
	hiddenRender int64
	// cleared counts rows whose text the product deleted.
	cleared int64
	// ended: the gap that was sent last has no end.
	ended bool
}

// read scans the whole table.
func (s *steps) read(ctx context.Context, d *database, have map[string]bool) error {
	if !s.r.schema.ordered[stepsTable.name] {
		return d.readSorted(ctx, stepsTable, have, s.row)
	}
	small := map[string]bool{}
	for _, c := range smallColumns {
		small[c] = have[c]
	}
	if err := d.salvage(ctx, stepsTable, have, small, s.row, s.lost); err != nil {
		return err
	}
	if s.cause != "" { // damage behind the last row that could be read
		if s.count == 0 {
			return fmt.Errorf("%w: no step can be read: %s", sources.ErrUnreadable, s.cause)
		}
		return s.gap(s.expected, maxKey)
	}
	return nil
}

// lost remembers a damaged stretch; the row behind it tells how long it was.
func (s *steps) lost(d damage) error {
	if d.partial {
		s.partial = true
		s.addNote(rowNote(d.first, transcriptv1.Severity_SEVERITY_ERROR, true, "its stored content lies on damaged pages"))
		return nil
	}
	s.cause = fmt.Sprintf("pages of the database are damaged (%v)", d.cause)
	return nil
}

// row is a rowFunc.
func (s *steps) row(index int64, v []driver.Value) error {
	payload := asBytes(v[9])
	if index < 0 || index > math.MaxUint32 {
		return s.misplaced(index, len(payload))
	}
	if index < s.expected {
		return s.misplaced(index, len(payload))
	}
	if index > s.expected {
		if err := s.gap(s.expected, index-1); err != nil {
			return err
		}
	}
	s.cause = ""
	s.expected = index + 1
	s.count++
	if s.digest != nil {
		s.hash(index, v)
	}
	return s.copy(index, payload, v)
}

// copy keeps the row: its payload, and those columns that say more than the payload does.
func (s *steps) copy(index int64, payload []byte, v []driver.Value) error {
	e := readEnvelope(payload)
	if e.status == trajectory.ClearedStatus || !e.hasStatus && number(v[1]) == trajectory.ClearedStatus {
		s.cleared++
	}
	metadata, failure, task := asBytes(v[4]), asBytes(v[5]), asBytes(v[7])
	if e.hasMetadata {
		metadata = nil
	}
	if e.hasFailure {
		failure = nil
	}
	if e.hasTask {
		task = nil
	}
	if len(s.r.models.skipped) > 0 && e.hasMetadata && e.stepType == plannerType {
		s.recent[s.at%recentSteps] = append(s.recent[s.at%recentSteps][:0], e.metadata...)
		s.at++
	}
	size := len(payload) + len(metadata) + len(failure) + len(task)
	if err := s.room(size); err != nil {
		return err
	}
	s.cur.Step(interpret.Input{
		Index: uint32(index), StepType: number(v[0]), Status: number(v[1]),
		Payload: s.cur.Keep(payload), Metadata: s.cur.Keep(metadata), Error: s.cur.Keep(failure), TaskDetails: s.cur.Keep(task),
	})
	return s.check(index, payload, &e, v)
}

// misplaced reports a row that has no place in the order of steps.
func (s *steps) misplaced(index int64, size int) error {
	place := fmt.Sprint(index)
	if index == math.MinInt64 {
		place = "that is not a number"
	}
	s.addNote(&transcriptv1.Note{
		Kind: trajectory.NoteDamage, Severity: transcriptv1.Severity_SEVERITY_ERROR, Incomplete: true,
		Text: fmt.Sprintf("a step of %d bytes has no place in the order and is left out: its index is %s", size, place),
	})
	return nil
}

func (s *steps) addNote(n *transcriptv1.Note) { s.cur.Note(n) }

// room makes room for one row of n bytes.
func (s *steps) room(n int) error {
	if !s.cur.Full(n) {
		s.cur.Reserve(n)
		return nil
	}
	if err := s.flush(); err != nil {
		return err
	}
	s.cur.Reserve(n)
	return nil
}

// flush hands the current batch on, if it holds anything.
func (s *steps) flush() error {
	if s.cur.Len() == 0 {
		return nil
	}
	b := s.cur
	s.cur = trajectory.NewCopies(&s.r.reading)
	return s.send(b)
}

func newSteps(r *reader, send func(sources.Batch) error) *steps {
	s := &steps{r: r, cur: trajectory.NewCopies(&r.reading), send: send}
	if r.want.Digest {
		s.digest = sha256.New()
	}
	return s
}

// asBytes views a text or blob value; anything else is nil.
func asBytes(v driver.Value) []byte {
	switch v := v.(type) {
	case []byte:
		return v
	case string:
		return []byte(v)
	}
	return nil
}

// number reads an integer or boolean value; anything else is -1.
func number(v driver.Value) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case bool:
		if v {
			return 1
		}
		return 0
	}
	return -1
}

package verify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"agy-reader/host/store"
	"agy-reader/host/sync/reuse"
	"agy-reader/sources"
	"agy-reader/sources/profile"
)

// Snapshot is what a session held at one moment, as digests of decoded content. Everything but Unchanged may be
// called from several goroutines.
type Snapshot struct {
	verifier *Verifier
	session  store.Session
	source   sources.Source
	storage  string
	shape    *shape
	// members are the trajectory's own, without its lists, as decoded.
	members []byte
	// lists hold the digests of elements, by name of the list.
	lists map[string][]unit
	// rows are the indexes of a list whose rows are not numbered one by one.
	rows   map[string][]int
	digest string
	// files is what the file system showed before the reading, and settled whether that proves anything.
	files   reuse.State
	settled bool
}

// unit is one step or record: digests of its canonical stored form and of its display form.
type unit struct{ native, display [sha256.Size]byte }

// place is a unit and where it belongs.
type place struct {
	list  string
	index int
	unit
}

// Take reads the session strictly. An error is ErrSource, or ErrStale when the session was busy.
func (v *Verifier) Take(ctx context.Context, session store.Session) (*Snapshot, error) {
	source, storage, err := v.source(session)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{verifier: v, session: session, source: source, storage: storage}
	s.look()
	header, units, err := read(ctx, source, session, true, measure)
	if err == nil {
		if header.GetProvenance().GetUnverified() {
			err = fmt.Errorf("%w: %s", sources.ErrUnknown, header.GetProvenance().GetProfileReason())
		} else {
			err = s.fill(header.GetProvenance().GetProfile(), header.GetMembersJson(), units)
		}
	}
	if err != nil {
		return nil, sourceError(ctx, err)
	}
	return s, nil
}

// look notes what the file system shows, and whether a later change must show there: not when the last change is so young
// that another one could carry the same time.
func (s *Snapshot) look() {
	const tick = 50 * time.Millisecond
	now := time.Now()
	s.files, s.settled = reuse.Look(s.session.Path, "")
	for _, f := range []reuse.File{s.files.Source, s.files.Log, s.files.Journal} {
		if f.Size > 0 && now.Sub(time.Unix(0, max(f.Modified, f.Changed))) < tick {
			s.settled = false
		}
	}
}

// Steps is how many steps the session held.
func (s *Snapshot) Steps() int { return len(s.lists[listSteps]) }

// Profile is the name of the decoder profile.
func (s *Snapshot) Profile() string { return s.shape.profile.Info().Name }

// SourceDigest covers everything that is compared.
func (s *Snapshot) SourceDigest() string { return s.digest }

var canonicalizers = sync.Pool{New: func() any { return new(measurer) }}

// measurer makes digests with memory of its own.
type measurer struct {
	c   canonicalizer
	buf []byte
}

// sum is the digest of a JSON value's canonical form. Records may hold messages the profile keeps closed.
func (m *measurer) sum(json []byte, closed bool) (sum [sha256.Size]byte, err error) {
	m.c.closed = closed
	if m.buf, err = m.c.append(m.buf[:0], json); err != nil {
		return sum, err
	}
	return sha256.Sum256(m.buf), nil
}

// measure makes the digests of one stored element.
func measure(st *stored) (place, error) {
	m := canonicalizers.Get().(*measurer)
	defer canonicalizers.Put(m)
	p := place{list: st.list, index: st.index}
	var err error
	if p.native, err = m.sum(st.native, st.list != listSteps); err == nil {
		p.display = p.native
		if !bytes.Equal(st.native, st.display) {
			p.display, err = m.sum(st.display, st.list != listSteps)
		}
	}
	if err != nil {
		err = fmt.Errorf("%w: %s %d: %w", sources.ErrUnknown, st.list, st.index, err)
	}
	return p, err
}

// fill takes what was read.
func (s *Snapshot) fill(profileName string, members []byte, units []place) error {
	p, err := profile.Load(profileName)
	if err != nil {
		return err
	}
	if s.shape, err = shapeOf(p); err != nil {
		return err
	}
	s.members, s.lists, s.rows = bytes.Clone(members), map[string][]unit{}, map[string][]int{}
	for _, u := range units {
		if s.shape.element[u.list] == "" {
			return fmt.Errorf("%w: records of %s", sources.ErrUnknown, u.list)
		}
		have := len(s.lists[u.list])
		if u.index != have && u.list == listSteps {
			return fmt.Errorf("%w: step %d stands where %d belongs", sources.ErrPartial, u.index, have)
		}
		s.number(u.list, u.index, have)
		s.lists[u.list] = append(s.lists[u.list], u.unit)
	}
	c := canonicalizer{closed: true}
	own, err := c.append(nil, s.members)
	if err != nil {
		return fmt.Errorf("%w: the trajectory's own members: %w", sources.ErrUnknown, err)
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "agy-reader source %d\n%d\n", FormatVersion, len(own))
	sum.Write(own)
	for _, name := range listNames {
		fmt.Fprintf(sum, "\n%s %d\n", name, len(s.lists[name]))
		for _, u := range s.lists[name] {
			sum.Write(u.native[:])
		}
	}
	s.digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	return nil
}

// number remembers the number of a record where it is not its place: the answers know places only.
func (s *Snapshot) number(list string, index, place int) {
	if rows := s.rows[list]; rows == nil && index != place {
		for i := range place {
			s.rows[list] = append(s.rows[list], i)
		}
	}
	if index != place || s.rows[list] != nil {
		s.rows[list] = append(s.rows[list], index)
	}
}

// placeOf is the place of a stored element in its list, -1 when the snapshot had none.
func (s *Snapshot) placeOf(list string, index int) int {
	if rows := s.rows[list]; rows != nil {
		at, found := slices.BinarySearch(rows, index)
		if !found {
			return -1
		}
		return at
	}
	if index < len(s.lists[list]) {
		return index
	}
	return -1
}

// Unchanged looks at the source again, right before the sidecar is written. An error is ErrChanged, or one of Take.
//
// Files that look as before, in a way that every change must show, are enough; otherwise the session is read again, and a
// WAL checkpoint or a write that changed nothing is no change.
func (s *Snapshot) Unchanged(ctx context.Context) error {
	now, settled := reuse.Look(s.session.Path, "")
	switch {
	case now.Sibling && !s.files.Sibling:
		return fmt.Errorf("%w: a database appeared beside it", ErrChanged)
	case settled && s.settled && now == s.files:
		return nil
	}
	again, err := s.verifier.Take(ctx, s.session)
	if err != nil {
		return err
	}
	if again.digest != s.digest || again.shape != s.shape {
		return ErrChanged
	}
	s.files, s.settled = again.files, again.settled
	return nil
}

// CascadeID is the id that the conversation itself holds, which may differ from its file's name; empty when it holds none.
func (s *Snapshot) CascadeID() string {
	var own struct {
		CascadeID string `json:"cascadeId"`
	}
	if json.Unmarshal(s.members, &own) != nil {
		return ""
	}
	return own.CascadeID
}

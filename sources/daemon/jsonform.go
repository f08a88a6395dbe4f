package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protowire"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources"
)

// Limits of one conversation, beside the size of its answers. Their items may be as small as two bytes each, and take more
// memory when they are apart.
const (
	// maxPages and maxPaging are how many pages of steps there may be, and how long they may take together.
	maxPages  = 10_000
	maxPaging = 10 * time.Minute
	// maxSteps is how many steps there may be, maxMembers how many members the answer may have beside the trajectory.
	maxSteps   = 1 << 20
	maxMembers = 1 << 10
)

// get calls GetCascadeTrajectory and completes a short answer.
func (c *Client) get(ctx context.Context, in request) (Answer, error) {
	left := c.max
	body, err := c.post(ctx, methodGet, in, &left)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{ID: in.CascadeID, Total: -1}
	if err := a.read(body); err != nil {
		return Answer{}, fmt.Errorf("call %s: %w", methodGet, err)
	}
	if a.Steps < a.Total {
		if err := c.complete(ctx, in, &a, &left); err != nil {
			return Answer{}, err
		}
	}
	return a, nil
}

// read takes an answer of GetCascadeTrajectory apart.
func (a *Answer) read(body []byte) error {
	members, err := membersOf(body)
	if err != nil {
		return err
	}
	for _, m := range members {
		switch m.Name {
		case "trajectory":
			if a.Trajectory != nil {
				return fmt.Errorf("%w: `trajectory` occurs twice", ErrMalformed)
			}
			a.Trajectory = m.Value
		case "numTotalSteps":
			total, err := strconv.ParseInt(strings.Trim(string(m.Value), `"`), 10, 64)
			if err != nil || total < 0 {
				return fmt.Errorf("%w: `numTotalSteps` is no number of steps", ErrMalformed)
			}
			a.Total = total
			fallthrough
		default:
			a.Beside = append(a.Beside, m)
		}
	}
	if a.Trajectory == nil || string(a.Trajectory) == "null" {
		a.Trajectory = json.RawMessage("{}")
	}
	list, err := stepsOf(a.Trajectory)
	a.Steps = int64(len(list.items))
	return err
}

// complete fetches all steps page by page, from the first on, because nothing says that the ones that came are the first.
// What can be had is kept; Short says why it is not all.
func (c *Client) complete(ctx context.Context, in request, a *Answer, left *int64) error {
	var steps [][]byte
	begin := time.Now()
	for pages := 0; int64(len(steps)) < a.Total; pages++ {
		in.StepOffset = int64(len(steps))
		page, err := c.page(ctx, in, left)
		var status *StatusError
		switch {
		case errors.As(err, &status):
			a.Short = err
		case err != nil:
			return err
		case len(page) == 0 || pages == maxPages || time.Since(begin) > maxPaging:
			a.Short = shortError(int64(len(steps)), a.Total)
		case len(steps)+len(page) > maxSteps:
			return tooMany(methodSteps, "steps", maxSteps)
		}
		if a.Short != nil {
			break
		}
		steps = append(steps, page...)
	}
	if int64(len(steps)) <= a.Steps {
		return nil
	}
	list, err := stepsOf(a.Trajectory)
	if err != nil {
		return err
	}
	a.Trajectory, a.Steps = list.replace(a.Trajectory, steps), int64(len(steps))
	return nil
}

// shortError says that the daemon stopped before the number of steps it had named.
func shortError(came, total int64) error {
	return fmt.Errorf("call %s: %w: %d steps of %d came", methodSteps, ErrMalformed, came, total)
}

// tooMany is what an answer has too much of.
func tooMany(method, what string, most int) error {
	return fmt.Errorf("call %s: %w: the answer has more than %d %s", method, sources.ErrLimit, most, what)
}

// unknown are the members beside the trajectory that are more than a count, in their JSON form.
func (a *Answer) unknown() []*transcriptv1.UnknownField {
	var list []*transcriptv1.UnknownField
	for _, m := range a.Beside {
		if m.Name != "status" && m.Name != "numTotalSteps" && m.Name != "numTotalGeneratorMetadata" {
			list = append(list, jsonField(methodGet+"."+m.Name, m.Value))
		}
	}
	return list
}

// jsonField keeps a JSON value for which no field number is known: its number is 0, its value the JSON text.
func jsonField(path string, value []byte) *transcriptv1.UnknownField {
	return &transcriptv1.UnknownField{Path: path, WireType: uint32(protowire.BytesType), Value: value}
}

// page fetches some steps, each byte for byte.
func (c *Client) page(ctx context.Context, in request, left *int64) ([][]byte, error) {
	body, err := c.post(ctx, methodSteps, in, left)
	if err != nil {
		return nil, err
	}
	list, err := stepsOf(body)
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", methodSteps, err)
	}
	return list.items, nil
}

// membersOf cuts a JSON object into its members, byte for byte. They refer to raw.
func membersOf(raw []byte) ([]Member, error) {
	dec, err := openObject(raw)
	if err != nil {
		return nil, err
	}
	var all []Member
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, malformed(err)
		}
		m := Member{Name: name.String()}
		value, err := dec.ReadValue()
		if err != nil {
			return nil, malformed(err)
		}
		m.Value = json.RawMessage(slices.Clip(value))
		if all = append(all, m); len(all) > maxMembers {
			return nil, fmt.Errorf("%w: it has more than %d members", sources.ErrLimit, maxMembers)
		}
	}
	return all, closeObject(dec)
}

// list is the array of steps within an object. start and end are where its value lies, 0 when there is none; close is where
// the object's closing brace is.
type list struct {
	items             [][]byte
	start, end, close int
	// array: the value is one, and not null. members: the object has any.
	array, members bool
}

// stepsOf finds the steps of a trajectory, or of a page.
func stepsOf(raw []byte) (list, error) {
	var l list
	dec, err := openObject(raw)
	if err != nil {
		return l, err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return l, malformed(err)
		}
		l.members = true
		if name.String() != "steps" {
			if err := dec.SkipValue(); err != nil {
				return l, malformed(err)
			}
			continue
		}
		if l.end > 0 {
			return l, fmt.Errorf("%w: `steps` occurs twice", ErrMalformed)
		}
		if err := l.read(dec); err != nil {
			return l, err
		}
	}
	err = closeObject(dec)
	l.close = bytes.LastIndexByte(raw, '}')
	return l, err
}

// read reads the array.
func (l *list) read(dec *jsontext.Decoder) error {
	first, err := dec.ReadToken()
	if err != nil {
		return malformed(err)
	}
	l.end = int(dec.InputOffset())
	switch first.Kind() {
	case 'n':
		l.start = l.end - len("null")
		return nil
	case '[':
		l.array, l.start = true, l.end-1
	default:
		return fmt.Errorf("%w: `steps` is no array", ErrMalformed)
	}
	for dec.PeekKind() != ']' {
		item, err := dec.ReadValue()
		if err != nil {
			return malformed(err)
		}
		if item.Kind() != '{' {
			return fmt.Errorf("%w: step %d is no object", ErrMalformed, len(l.items))
		}
		if l.items = append(l.items, item); len(l.items) > maxSteps {
			return fmt.Errorf("%w: it has more than %d steps", sources.ErrLimit, maxSteps)
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return malformed(err)
	}
	l.end = int(dec.InputOffset())
	return nil
}

// replace returns raw with other steps; everything else keeps its bytes.
func (l *list) replace(raw []byte, steps [][]byte) []byte {
	array := append(append([]byte{'['}, bytes.Join(steps, []byte{','})...), ']')
	before, after := raw[:l.start], raw[l.end:]
	if l.end == 0 {
		before, after = raw[:l.close], raw[l.close:]
		name := `"steps":`
		if l.members {
			name = "," + name
		}
		array = append([]byte(name), array...)
	}
	return bytes.Join([][]byte{before, array, after}, nil)
}

// openObject begins to read an object. Text that is not UTF-8 is let through, since its bytes are kept.
func openObject(raw []byte) (*jsontext.Decoder, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	first, err := dec.ReadToken()
	if err != nil {
		return nil, malformed(err)
	}
	if first.Kind() != '{' {
		return nil, fmt.Errorf("%w: not an object", ErrMalformed)
	}
	return dec, nil
}

// closeObject ends it, and demands that nothing follows.
func closeObject(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != nil {
		return malformed(err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: something follows the object", ErrMalformed)
	}
	return nil
}

// malformed says where JSON ends to be JSON, and nothing of what is there.
func malformed(err error) error {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%w: not JSON at byte %d", ErrMalformed, syntax.ByteOffset)
	}
	return fmt.Errorf("%w: it ends too early", ErrMalformed)
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"agy-reader/host/agytest/answers"
	"agy-reader/host/agytest/control"
)

// answer makes the body of a good answer.
func (d *daemon) answer(in *request, b behaviour) ([]byte, error) {
	switch in.method {
	case "LoadTrajectory":
		return empty(in), d.loadTrajectory(in, b)
	case "GetCascadeTrajectory":
		return d.trajectory(in, b)
	case "GetCascadeTrajectorySteps":
		return d.steps(in, b)
	case "GetAllCascadeTrajectories":
		return d.all(in)
	case "GetConversationMetadata":
		_, err := answers.Load(d.config.Root, in.id)
		return empty(in), err
	}
	return empty(in), nil
}

func empty(in *request) []byte {
	if in.proto {
		return nil
	}
	return []byte("{}")
}

func (d *daemon) loadTrajectory(in *request, b behaviour) error {
	if kept := b.frozen[in.id]; kept != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.loaded[kept.CascadeID()] = in.id
		return nil
	}
	if _, err := d.load(in.id); err != nil || !d.config.Hold {
		return err
	}
	return d.hold(in.id)
}

// session returns a session in memory as the daemon is to answer it.
func (d *daemon) session(in *request, b behaviour) (*answers.Session, error) {
	file, is := d.file(in.id)
	if !is {
		return nil, fmt.Errorf("%q is not loaded: %w", in.id, answers.ErrNotFound)
	}
	s := b.frozen[file]
	if s == nil {
		var err error
		if s, err = d.load(file); err != nil {
			return nil, err
		}
	}
	if b.Stale {
		s = s.Older()
	}
	switch b.Wrong {
	case control.WrongText:
		s = s.Other()
	case control.WrongEnum:
		s = s.OtherStatus()
	}
	if !in.full() {
		s = s.Display()
	}
	return s, nil
}

// trajectory is GetCascadeTrajectory.
func (d *daemon) trajectory(in *request, b behaviour) ([]byte, error) {
	s, err := d.session(in, b)
	if err != nil {
		return nil, err
	}
	steps, calls := s.Steps().Len(), s.ModelCalls()
	if b.Truncated > 0 {
		s = s.Without(b.Truncated)
	}
	var answer []byte
	if in.proto {
		raw, err := s.Wire(s.Trajectory)
		if err != nil {
			return nil, err
		}
		answer = protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), raw)
		for i, value := range []int{1, steps, calls} { // status IDLE and the counts
			if value > 0 {
				answer = protowire.AppendVarint(protowire.AppendTag(answer, protowire.Number(2+i), protowire.VarintType), uint64(value))
			}
		}
	} else {
		text, err := s.JSON(s.Trajectory)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		fmt.Fprintf(&out, `{"trajectory":%s,"status":"CASCADE_RUN_STATUS_IDLE"`, text)
		for i, value := range []int{steps, calls} {
			if value > 0 {
				fmt.Fprintf(&out, ",%q:%d", []string{"numTotalSteps", "numTotalGeneratorMetadata"}[i], value)
			}
		}
		out.WriteByte('}')
		answer = out.Bytes()
	}
	if b.Write != "" {
		if err := d.write(s.File, b.Write); err != nil {
			return nil, err
		}
	}
	return b.spoil(in, answer), nil
}

// steps is GetCascadeTrajectorySteps.
func (d *daemon) steps(in *request, b behaviour) ([]byte, error) {
	s, err := d.session(in, b)
	if err != nil {
		return nil, err
	}
	list := s.Steps()
	last := max(0, list.Len()-b.Lost)
	if b.PageSize > 0 {
		last = min(last, in.offset+b.PageSize)
	}
	var answer []byte
	var texts [][]byte
	for i := in.offset; i < last; i++ {
		step := list.Get(i).Message()
		if in.proto {
			raw, err := s.Wire(step)
			if err != nil {
				return nil, err
			}
			answer = protowire.AppendBytes(protowire.AppendTag(answer, 1, protowire.BytesType), raw)
			continue
		}
		text, err := s.JSON(step)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	if !in.proto {
		answer = []byte("{}")
		if len(texts) > 0 {
			answer = append(append([]byte(`{"steps":[`), bytes.Join(texts, []byte(","))...), "]}"...)
		}
	}
	return b.spoil(in, answer), nil
}

// all is GetAllCascadeTrajectories: about a hundred of them, as the product does. It answers JSON only.
func (d *daemon) all(in *request) ([]byte, error) {
	const most = 100
	if in.proto {
		return nil, &fault{http.StatusNotImplemented, "unimplemented", "this stand-in lists conversations in JSON only"}
	}
	names, err := answers.List(d.config.Root)
	if err != nil {
		return nil, err
	}
	summaries := map[string]map[string]any{}
	for _, name := range names[:min(len(names), most)] {
		s, err := answers.Load(d.config.Root, name)
		if err != nil {
			continue // the product leaves out what it cannot read
		}
		summaries[s.CascadeID()] = map[string]any{
			"stepCount": s.Steps().Len(), "trajectoryId": s.TrajectoryID(), "status": "CASCADE_RUN_STATUS_IDLE",
		}
	}
	return json.Marshal(map[string]any{"trajectorySummaries": summaries})
}

// spoil changes an answer that is made.
func (b *behaviour) spoil(in *request, answer []byte) []byte {
	switch {
	case b.Wrong == control.WrongJSON:
		answer = answer[:len(answer)/2]
	case b.Wrong == control.WrongMember && in.proto:
		answer = protowire.AppendString(protowire.AppendTag(answer, 99, protowire.BytesType), "new")
	case b.Wrong == control.WrongMember:
		answer = append([]byte(`{"brandNewMember":`+strconv.Quote("new")+`,`), answer[1:]...)
	case b.Wrong == control.WrongInside && !in.proto:
		answer = firstStep.ReplaceAll(answer, []byte(`$1"brandNewMember":[9007199254740993],`))
	case b.Wrong == control.WrongEnum && !in.proto:
		answer = bytes.Replace(answer, []byte(`"status":99`), []byte(`"status":"CORTEX_STEP_STATUS_BRAND_NEW"`), 1)
		answer = bytes.Replace(answer, []byte(`"status": 99`), []byte(`"status":"CORTEX_STEP_STATUS_BRAND_NEW"`), 1)
	}
	for in.proto && len(answer) < b.Pad { // of a single field the last one counts
		number := protowire.Number(2)
		if in.method == "GetCascadeTrajectorySteps" {
			break
		}
		answer = protowire.AppendVarint(protowire.AppendTag(answer, number, protowire.VarintType), 1)
	}
	if !in.proto && len(answer) < b.Pad {
		answer = append(answer, bytes.Repeat([]byte(" "), b.Pad-len(answer))...)
	}
	return answer
}

// firstStep is where the first step of an answer in JSON begins.
var firstStep = regexp.MustCompile(`("steps": ?\[\s*\{)`)

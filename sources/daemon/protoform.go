package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sources/trajectory"
)

// errNoProto: the daemon does not speak protobuf here.
var errNoProto = errors.New("the daemon answers JSON only")

// Numbers of the members of requests and answers (format/trajectory.proto, section 11).
const (
	requestCascadeID protowire.Number = 1
	getVerbosity     protowire.Number = 3
	stepsOffset      protowire.Number = 2
	stepsVerbosity   protowire.Number = 4
	getTrajectory    protowire.Number = 1
	getTotalSteps    protowire.Number = 3
	getGenerations   protowire.Number = 4
	pageSteps        protowire.Number = 1
	fullVerbosity                     = 3
)

// getProto is Full in wire form; errNoProto when the daemon answers something else.
func (c *Client) getProto(ctx context.Context, id string) (Full, error) {
	in := protowire.AppendString(protowire.AppendTag(nil, requestCascadeID, protowire.BytesType), id)
	in = appendNumber(in, getVerbosity, fullVerbosity)
	left := c.max
	body, err := c.postProto(ctx, methodGet, in, &left)
	if err != nil {
		return Full{}, err
	}
	full := Full{Proto: []byte{}, Total: -1}
	pieces := 0
	err = eachField(body, func(f fieldOf) {
		switch {
		case f.number == getTrajectory && f.kind == protowire.BytesType:
			if pieces++; pieces == 1 {
				full.Proto = f.value[:len(f.value):len(f.value)]
			} else {
				full.Proto = append(full.Proto, f.value...) // protobuf adds pieces of one message up
			}
		case f.number == getTotalSteps && f.kind == protowire.VarintType:
			total, _ := protowire.ConsumeVarint(f.value)
			full.Total = int64(min(total, 1<<32))
		case f.number > getGenerations && len(full.beside) <= maxMembers:
			full.beside = append(full.beside, &transcriptv1.UnknownField{
				Path: methodGet, Number: uint32(f.number), WireType: uint32(f.kind), Value: bytes.Clone(f.value),
			})
		}
	})
	if err == nil {
		full.Steps, err = countSteps(full.Proto)
	}
	switch {
	case err != nil:
		return Full{}, fmt.Errorf("call %s: %w", methodGet, err)
	case full.Steps > maxSteps:
		return Full{}, tooMany(methodGet, "steps", maxSteps)
	case len(full.beside) > maxMembers:
		return Full{}, tooMany(methodGet, "members", maxMembers)
	}
	if full.Steps < full.Total {
		return full, c.completeProto(ctx, id, &full, &left)
	}
	return full, nil
}

// completeProto fetches all steps page by page. What can be had is kept; Short says why it is not all.
func (c *Client) completeProto(ctx context.Context, id string, full *Full, left *int64) error {
	var steps []byte
	count, begin := int64(0), time.Now()
	for pages := 0; count < full.Total && full.Short == nil; pages++ {
		in := protowire.AppendString(protowire.AppendTag(nil, requestCascadeID, protowire.BytesType), id)
		if count > 0 {
			in = appendNumber(in, stepsOffset, uint64(count))
		}
		body, err := c.postProto(ctx, methodSteps, appendNumber(in, stepsVerbosity, fullVerbosity), left)
		before := count
		if err == nil {
			err = eachField(body, func(f fieldOf) {
				if f.number == pageSteps && f.kind == protowire.BytesType {
					steps = protowire.AppendTag(steps, trajectory.StepsField, protowire.BytesType)
					steps = protowire.AppendBytes(steps, f.value)
					count++
				}
			})
		}
		var status *StatusError
		switch {
		case errors.As(err, &status) || errors.Is(err, errNoProto):
			full.Short = err
		case err != nil:
			return err
		case count > maxSteps:
			return tooMany(methodSteps, "steps", maxSteps)
		case count == before || pages == maxPages || time.Since(begin) > maxPaging:
			full.Short = shortError(count, full.Total)
		}
	}
	if count <= full.Steps {
		return nil
	}
	full.Proto, full.Steps = replaceSteps(full.Proto, steps), count
	return nil
}

// postProto calls a method in protobuf.
func (c *Client) postProto(ctx context.Context, method string, in []byte, left *int64) ([]byte, error) {
	body, answered, err := c.call(ctx, method, typeProto, in, left)
	var status *StatusError
	if errors.As(err, &status) {
		switch status.Code {
		case http.StatusBadRequest, http.StatusNotAcceptable, http.StatusUnsupportedMediaType, http.StatusNotImplemented:
			return nil, fmt.Errorf("%w: %w", errNoProto, err)
		}
	}
	if err == nil && answered != typeProto {
		return nil, errNoProto
	}
	return body, err
}

func appendNumber(dst []byte, number protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(dst, number, protowire.VarintType), v)
}

func countSteps(message []byte) (n int64, err error) {
	err = eachField(message, func(f fieldOf) {
		if f.number == trajectory.StepsField && f.kind == protowire.BytesType {
			n++
		}
	})
	return n, err
}

// replaceSteps puts other steps in the place of the first one; everything else keeps its bytes and its order.
func replaceSteps(message, steps []byte) []byte {
	out := make([]byte, 0, len(message)+len(steps))
	placed := false
	_ = eachField(message, func(f fieldOf) { // it was walked before
		if f.number != trajectory.StepsField || f.kind != protowire.BytesType {
			out = append(out, f.whole...)
			return
		}
		if !placed {
			out, placed = append(out, steps...), true
		}
	})
	if !placed {
		out = append(out, steps...)
	}
	return out
}

// fieldOf is one field: whole with its tag, value what follows the tag, without its length where it has one.
type fieldOf struct {
	number       protowire.Number
	kind         protowire.Type
	whole, value []byte
}

// eachField walks the top level of a message.
func eachField(data []byte, fn func(fieldOf)) error {
	for at := 0; at < len(data); {
		number, kind, n := protowire.ConsumeTag(data[at:])
		if n < 0 {
			return fmt.Errorf("%w: not protobuf at byte %d", ErrMalformed, at)
		}
		size := protowire.ConsumeFieldValue(number, kind, data[at+n:])
		if size < 0 {
			return fmt.Errorf("%w: not protobuf at byte %d", ErrMalformed, at)
		}
		value := data[at+n : at+n+size]
		if kind == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(value)
		}
		fn(fieldOf{number, kind, data[at : at+n+size], value})
		at += n + size
	}
	return nil
}

package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"

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
	pageSteps        protowire.Number = 1
	fullVerbosity                     = 3
)

// getProto is Full in wire form; errNoProto when the daemon answers something else.
func (c *Client) getProto(ctx context.Context, id string) ([]byte, error) {
	in := protowire.AppendString(protowire.AppendTag(nil, requestCascadeID, protowire.BytesType), id)
	in = appendNumber(in, getVerbosity, fullVerbosity)
	left := c.max
	body, err := c.postProto(ctx, methodGet, in, &left)
	if err != nil {
		return nil, err
	}
	var message []byte
	total, pieces := uint64(0), 0
	err = eachField(body, func(number protowire.Number, kind protowire.Type, whole, value []byte) {
		switch {
		case number == getTrajectory && kind == protowire.BytesType:
			if pieces++; pieces == 1 {
				message = value[:len(value):len(value)]
			} else {
				message = append(message, value...) // protobuf adds pieces of one message up
			}
		case number == getTotalSteps && kind == protowire.VarintType:
			total, _ = protowire.ConsumeVarint(value)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", methodGet, err)
	}
	if message == nil {
		message = []byte{}
	}
	return c.completeProto(ctx, id, message, total, &left)
}

// completeProto fetches all steps page by page when the message has fewer than there are.
func (c *Client) completeProto(ctx context.Context, id string, message []byte, total uint64, left *int64) ([]byte, error) {
	have, err := countSteps(message)
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", methodGet, err)
	}
	if have >= total {
		return message, nil
	}
	var steps []byte
	count := uint64(0)
	for pages := 0; count < total && pages < maxPages; pages++ {
		in := protowire.AppendString(protowire.AppendTag(nil, requestCascadeID, protowire.BytesType), id)
		if count > 0 {
			in = appendNumber(in, stepsOffset, count)
		}
		body, err := c.postProto(ctx, methodSteps, appendNumber(in, stepsVerbosity, fullVerbosity), left)
		var status *StatusError
		if errors.As(err, &status) || errors.Is(err, errNoProto) {
			break
		}
		if err != nil {
			return nil, err
		}
		before := count
		err = eachField(body, func(number protowire.Number, kind protowire.Type, _, value []byte) {
			if number == pageSteps && kind == protowire.BytesType {
				steps = protowire.AppendTag(steps, trajectory.StepsField, protowire.BytesType)
				steps = protowire.AppendBytes(steps, value)
				count++
			}
		})
		if err != nil {
			return nil, fmt.Errorf("call %s: %w", methodSteps, err)
		}
		if count == before {
			break
		}
	}
	if count <= have {
		return message, nil
	}
	return replaceSteps(message, steps)
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

func countSteps(message []byte) (n uint64, err error) {
	err = eachField(message, func(number protowire.Number, kind protowire.Type, _, _ []byte) {
		if number == trajectory.StepsField && kind == protowire.BytesType {
			n++
		}
	})
	return n, err
}

// replaceSteps puts other steps in the place of the first one; everything else keeps its bytes and its order.
func replaceSteps(message, steps []byte) ([]byte, error) {
	out := make([]byte, 0, len(message)+len(steps))
	placed := false
	err := eachField(message, func(number protowire.Number, kind protowire.Type, whole, _ []byte) {
		if number != trajectory.StepsField || kind != protowire.BytesType {
			out = append(out, whole...)
			return
		}
		if !placed {
			out, placed = append(out, steps...), true
		}
	})
	if !placed {
		out = append(out, steps...)
	}
	return out, err
}

// eachField walks the top level of a message. whole is the field with its tag, value what follows the tag, without its
// length where it has one.
func eachField(data []byte, fn func(number protowire.Number, kind protowire.Type, whole, value []byte)) error {
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
		fn(number, kind, data[at:at+n+size], value)
		at += n + size
	}
	return nil
}

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// request is a call taken apart.
type request struct {
	method string
	proto  bool

	id        string
	offset    int
	verbosity int
}

// full reports whether wrappers are asked for as they are stored.
func (r *request) full() bool { return r.verbosity == 3 }

// numbers of members in the wire form (format's trajectory.proto, section 11).
type numbers struct{ id, offset, old, verbosity protowire.Number }

var methods = map[string]numbers{
	"Heartbeat":                 {},
	"LoadTrajectory":            {id: 1},
	"GetCascadeTrajectory":      {id: 1, old: 2, verbosity: 3},
	"GetCascadeTrajectorySteps": {id: 1, offset: 2, old: 3, verbosity: 4},
	"GetAllCascadeTrajectories": {},
	"GetConversationMetadata":   {id: 1},
}

var verbosities = map[string]int{
	"CLIENT_TRAJECTORY_VERBOSITY_UNSPECIFIED": 0, "CLIENT_TRAJECTORY_VERBOSITY_DEBUG": 1,
	"CLIENT_TRAJECTORY_VERBOSITY_PROD_UI": 2, "CLIENT_TRAJECTORY_VERBOSITY_FULL": 3,
}

func invalid(message string) error {
	return &fault{http.StatusBadRequest, "invalid_argument", message}
}

// readRequest takes a body apart.
func readRequest(method string, proto bool, body []byte) (*request, error) {
	n, is := methods[method]
	if !is {
		return nil, &fault{http.StatusNotImplemented, "unimplemented", "no such method: " + method}
	}
	r := &request{method: method, proto: proto}
	if proto {
		return r, r.fromWire(n, body)
	}
	return r, r.fromJSON(body)
}

func (r *request) fromJSON(body []byte) error {
	var in struct {
		CascadeID      string `json:"cascadeId"`
		ConversationID string `json:"conversationId"`
		StepOffset     int    `json:"stepOffset"`
		// Verbosity is the older name of TrajectoryVerbosity. "excludeSubtrajectories" is of newer clients.
		Verbosity           string `json:"verbosity"`
		TrajectoryVerbosity string `json:"trajectoryVerbosity"`
		Exclude             bool   `json:"excludeSubtrajectories"`
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return invalid("the request is not understood: " + err.Error())
	}
	r.id, r.offset = in.CascadeID+in.ConversationID, in.StepOffset
	for _, name := range []string{in.Verbosity, in.TrajectoryVerbosity} {
		if name == "" {
			continue
		}
		number, is := verbosities[name]
		if !is {
			return invalid("unknown verbosity " + strconv.Quote(name))
		}
		r.verbosity = number
	}
	return nil
}

func (r *request) fromWire(n numbers, body []byte) error {
	for len(body) > 0 {
		number, kind, size := protowire.ConsumeTag(body)
		if size < 0 {
			return invalid("the request is not protobuf")
		}
		body = body[size:]
		if size = protowire.ConsumeFieldValue(number, kind, body); size < 0 {
			return invalid("the request is not protobuf")
		}
		switch {
		case number == n.id && kind == protowire.BytesType:
			id, _ := protowire.ConsumeString(body)
			r.id = id
		case kind == protowire.VarintType && (number == n.offset || number == n.old || number == n.verbosity):
			value, _ := protowire.ConsumeVarint(body)
			if number == n.offset {
				r.offset = int(min(value, 1<<31))
			} else {
				r.verbosity = int(min(value, 99))
			}
		}
		body = body[size:]
	}
	return nil
}

// send writes a good answer.
func send(w http.ResponseWriter, r *http.Request, contentType string, answer []byte, pack bool) {
	w.Header().Set("Content-Type", contentType)
	if !pack || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer) // a client that left needs no answer
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	packed := gzip.NewWriter(w)
	_, _ = packed.Write(answer)
	_ = packed.Close()
}

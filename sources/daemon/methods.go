package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Names of the methods a reader may call. None of them changes anything but what the daemon has in memory.
const (
	methodLoad  = "LoadTrajectory"
	methodGet   = "GetCascadeTrajectory"
	methodSteps = "GetCascadeTrajectorySteps"
	methodAll   = "GetAllCascadeTrajectories"
)

// verbosityFull asks for wrappers as they are stored.
const verbosityFull = "CLIENT_TRAJECTORY_VERBOSITY_FULL"

// request is the JSON form of every request.
type request struct {
	CascadeID  string `json:"cascadeId,omitempty"`
	StepOffset int64  `json:"stepOffset,omitempty"`
	Verbosity  string `json:"trajectoryVerbosity,omitempty"`
}

// post calls a method in JSON.
func (c *Client) post(ctx context.Context, method string, in request, left *int64) ([]byte, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", method, err)
	}
	data, _, err := c.call(ctx, method, typeJSON, body, left)
	return data, err
}

// Load asks the daemon to load a conversation from its store: LoadTrajectory. It only knows names below conversations/.
func (c *Client) Load(ctx context.Context, id string) error {
	left := c.max
	_, err := c.post(ctx, methodLoad, request{CascadeID: id}, &left)
	return err
}

// Ordinary returns the conversation as consumers know it: GetCascadeTrajectory without more. Steps that the first answer
// leaves out are fetched too.
func (c *Client) Ordinary(ctx context.Context, id string) (Answer, error) {
	return c.get(ctx, request{CascadeID: id})
}

// Full returns the conversation as it is stored: GetCascadeTrajectory with trajectoryVerbosity FULL, as protobuf where the
// daemon speaks it, else as JSON. Steps that the first answer leaves out are fetched too.
func (c *Client) Full(ctx context.Context, id string) (Full, error) {
	full, err := c.getProto(ctx, id)
	if !errors.Is(err, errNoProto) {
		return full, err
	}
	a, err := c.get(ctx, request{CascadeID: id, Verbosity: verbosityFull})
	if err != nil {
		return Full{}, err
	}
	return Full{JSON: a.Trajectory, Steps: a.Steps, Total: a.Total, Short: a.Short, beside: a.unknown()}, nil
}

// Probe reports whether the daemon answers and accepts the token: GetAllCascadeTrajectories, within ProbeTimeout.
func (c *Client) Probe(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, ProbeTimeout)
	defer cancel()
	left := c.max
	_, err := c.post(limited, methodAll, request{}, &left)
	if limited.Err() != nil && ctx.Err() == nil && err != nil {
		return fmt.Errorf("call %s: %w: no answer within %v", methodAll, ErrUnavailable, ProbeTimeout)
	}
	return err
}

// Fetch loads a conversation and calls Client.Ordinary: by the name of its file, and when that fails by the
// cascade id inside it, where the two differ (cascadeID may be empty). When loading fails nothing else is asked, nor when
// the token is rejected or nobody answers. An error holds those of both attempts.
func Fetch(ctx context.Context, c *Client, fileID, cascadeID string) (Answer, error) {
	return fetch(ctx, c, fileID, cascadeID, c.Ordinary)
}

// FetchFull is Fetch for Client.Full.
func FetchFull(ctx context.Context, c *Client, fileID, cascadeID string) (Full, error) {
	return fetch(ctx, c, fileID, cascadeID, c.Full)
}

func fetch[T any](ctx context.Context, c *Client, fileID, cascadeID string, get func(context.Context, string) (T, error)) (T, error) {
	var none T
	if err := c.Load(ctx, fileID); err != nil {
		return none, fmt.Errorf("load %s: %w", fileID, err)
	}
	a, err := get(ctx, fileID)
	again := err != nil && !errors.Is(err, ErrAuth) && !errors.Is(err, ErrUnavailable) && ctx.Err() == nil
	if !again || cascadeID == "" || cascadeID == fileID {
		return a, err
	}
	a, second := get(ctx, cascadeID)
	if second != nil {
		return none, fmt.Errorf("ask for %s: %w; ask for %s: %w", fileID, err, cascadeID, second)
	}
	return a, nil
}

package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	"agy-reader/sinks"
)

// DefaultIdle is how long a host waits for a sign of life.
const DefaultIdle = 60 * time.Second

// ClientOptions adjust a SinkClient.
type ClientOptions struct {
	// Log gets what a plugin says that is not fatal; nil drops it.
	Log *slog.Logger
	// Idle is how long the host waits while nothing arrives and nothing is taken; 0 means DefaultIdle.
	Idle time.Duration
	// Explain turns a broken connection into what is known about it, for example that the process ended by a signal; nil
	// leaves it as it is. It may wait a moment.
	Explain func(error) error
}

func (o ClientOptions) withDefaults() ClientOptions {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	return o
}

// SinkClient is a sink served elsewhere. It is safe for concurrent use; every conversation has its own stream.
type SinkClient struct {
	rpc     pluginv1.SinkServiceClient
	info    sinks.Info
	version string
	opts    ClientOptions
}

var _ sinks.Sink = (*SinkClient)(nil)

// Connect asks the other side what it is and returns it as a sink. name says who is meant when that fails. conn must have
// been dialled with DialOptions and belongs to the caller; it must outlive every session.
func Connect(ctx context.Context, conn grpc.ClientConnInterface, name string, opts ClientOptions) (*SinkClient, error) {
	opts = opts.withDefaults()
	c := &SinkClient{rpc: pluginv1.NewSinkServiceClient(conn), info: sinks.Info{Name: name}, opts: opts}
	d, err := pluginv1.NewPluginServiceClient(conn).Describe(ctx, &pluginv1.DescribeRequest{})
	if err != nil {
		return nil, c.broken(context.Cause(ctx), "it did not describe itself", err)
	}
	info, unknown, err := readDescription(d)
	if err != nil {
		return nil, c.fault(CodeProtocol, "it describes itself wrongly", err)
	}
	c.info, c.version = info, Printable(d.GetVersion())
	for _, name := range unknown {
		opts.Log.Warn("plugin has a capability this program does not know", "plugin", info.Name, "capability", name)
	}
	return c, nil
}

// Describe returns what the plugin said of itself, checked.
func (c *SinkClient) Describe() sinks.Info { return c.info }

// Version is the plugin's own version, for people. It may be empty.
func (c *SinkClient) Version() string { return c.version }

// Open starts a conversation and waits until the plugin is ready for it. ctx governs the whole session. Everything is
// written to out from the goroutine that calls the session's methods. Errors are PluginErrors, errors of out, or ctx's.
func (c *SinkClient) Open(ctx context.Context, req *sinks.Request, out sinks.Artifacts) (sinks.Session, error) {
	s, err := c.newSession(ctx, req, out)
	if err != nil {
		return nil, err
	}
	if err := s.open(req); err != nil {
		s.Abort()
		return nil, err
	}
	return s, nil
}

func (c *SinkClient) fault(code, message string, cause error) *PluginError {
	return &PluginError{
		Plugin:     c.info.Name,
		Version:    c.version,
		Diagnostic: Diagnostic{Severity: "error", Code: code, Message: message},
		Kind:       kindOf(code),
		Cause:      cause,
	}
}

// violation is a fault for a message out of order.
func (c *SinkClient) violation(format string, args ...any) error {
	f := c.fault(CodeProtocol, "it broke the protocol: "+fmt.Sprintf(format, args...), nil)
	f.Hint = "report this to the author of the plugin"
	return f
}

// broken turns the end of a call into an error: what a cancelled caller did is no fault of the plugin.
func (c *SinkClient) broken(cancelled error, what string, err error) error {
	if cancelled != nil {
		return fmt.Errorf("plugin %s: %w", c.info.Name, cancelled)
	}
	switch status.Code(err) {
	case codes.ResourceExhausted:
		return c.violation("a message above %d bytes (%s)", MaxMessage, Printable(status.Convert(err).Message()))
	case codes.Unimplemented:
		f := c.fault(CodeProtocol, what, errors.New("it does not serve agyreader.plugin.v1"))
		f.Hint = "use a plugin made for this program"
		return f
	case codes.Unavailable, codes.Canceled, codes.Unknown:
		if c.opts.Explain != nil {
			err = c.opts.Explain(err)
		}
		f := c.fault(CodeCrashed, what, err)
		f.Hint = "try again; when it happens again, report it to the author of the plugin"
		return f
	case codes.DeadlineExceeded:
		return c.timeout(what)
	default:
		s := status.Convert(err)
		return c.fault(CodeProtocol, what, fmt.Errorf("%s: %s", s.Code(), Printable(s.Message())))
	}
}

func (c *SinkClient) timeout(what string) error {
	f := c.fault(CodeTimeout, what, nil)
	f.Kind = sinks.ErrTimeout
	f.Hint = "try again, or without the plugin"
	return f
}

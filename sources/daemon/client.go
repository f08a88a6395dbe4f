package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Limits of a Client, unless options say otherwise.
const (
	// Timeout is how long one call may take, its body included.
	Timeout = 30 * time.Second
	// ProbeTimeout is how long Probe may take.
	ProbeTimeout = 2 * time.Second
	// MaxAnswer is how many bytes one conversation's answers may have, unpacked; more is sources.ErrLimit.
	MaxAnswer = 512 << 20
)

// Client calls one daemon. It has reading methods only, follows no redirect, uses no proxy, and is safe for concurrent use.
// Its errors never hold the token.
type Client struct {
	endpoint Endpoint
	base     string
	// unusable says why nothing can be called; nil when it can.
	unusable error
	http     *http.Client
	timeout  time.Duration
	max      int64
}

// Option changes a Client.
type Option func(*Client)

// WithTimeout bounds one call.
func WithTimeout(d time.Duration) Option { return func(c *Client) { c.timeout = d } }

// WithMaxAnswer bounds the size of a conversation's answers in bytes.
func WithMaxAnswer(bytes int64) Option { return func(c *Client) { c.max = bytes } }

// NewClient returns a client. It calls nothing; an endpoint that may not be called makes every call fail with ErrEndpoint.
// Close it when it is not needed any more.
func NewClient(e Endpoint, options ...Option) *Client {
	c := &Client{endpoint: e, timeout: Timeout, max: MaxAnswer}
	for _, o := range options {
		o(c)
	}
	c.base, c.unusable = e.base()
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	if !e.Pinned {
		dialer.Control = func(_, address string, _ syscall.RawConn) error { return loopbackOnly(address) }
	}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext: dialStill(dialer, e.Still), MaxIdleConnsPerHost: 2, IdleConnTimeout: 90 * time.Second,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, MaxResponseHeaderBytes: 1 << 20,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// dialStill connects and then asks whether the one who listens is still the one that was found.
func dialStill(dialer *net.Dialer, still func() error) func(ctx context.Context, network, address string) (net.Conn, error) {
	if still == nil {
		return dialer.DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if err := still(); err != nil {
			return nil, errors.Join(fmt.Errorf("%w: %w", errOther, err), conn.Close())
		}
		return conn, nil
	}
}

// errOther says that somebody else listens by now. For callers nobody does.
var errOther = errors.New("it is not the daemon that was found")

// Close lets go of idle connections. Calls under way go on.
func (c *Client) Close() { c.http.CloseIdleConnections() }

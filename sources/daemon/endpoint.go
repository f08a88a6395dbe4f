package daemon

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// Endpoint is where a daemon listens, and what it asks for. URL and token come from one look at one process.
type Endpoint struct {
	// URL is like "http://127.0.0.1:51847": the port logged "for HTTP". Only a loopback host is called, unless Pinned.
	URL string
	// Token is sent with every request; the zero Token sends no header.
	Token Token
	// Pinned: the user gave the URL (ANTIGRAVITY_DAEMON_URL).
	Pinned bool
	// PID is the process that listens, 0 when not known.
	PID int
	// Origin says in words how it was found, for example "process 4711" or "cli.log".
	Origin string
	// Still reports whether whoever listens is the one that was found. It is asked after each connection is made, before
	// anything is sent: a port may have changed hands since. nil when that is not known.
	Still func() error
}

// base checks the URL and returns it without a final slash.
func (e Endpoint) base() (string, error) {
	u, err := url.Parse(strings.TrimSpace(e.URL))
	switch {
	case err != nil:
		// Not the error itself: it quotes the URL, which may hold a password.
		return "", fmt.Errorf("%w: the daemon's URL cannot be read", ErrEndpoint)
	case u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("%w: the daemon's URL must be like http://127.0.0.1:PORT", ErrEndpoint)
	case u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("%w: the daemon's URL must have neither a query nor a fragment", ErrEndpoint)
	case !e.Pinned && !loopback(u.Hostname()):
		return "", fmt.Errorf("%w: %s is not a loopback address", ErrEndpoint, u.Hostname())
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// loopback reports whether a host name means this machine.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// loopbackOnly refuses to dial anything else, whatever a name resolves to.
func loopbackOnly(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !loopback(host) {
		return fmt.Errorf("%w: %s is not a loopback address", ErrEndpoint, address)
	}
	return nil
}

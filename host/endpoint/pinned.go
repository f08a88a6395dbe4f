package endpoint

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"agy-reader/sources/daemon"
)

// Variables of the user (behaviour.md a.3), and those that agy exports to the tools it runs.
const (
	urlVariable     = "ANTIGRAVITY_DAEMON_URL"
	tokenVariable   = "ANTIGRAVITY_CSRF_TOKEN"
	addressVariable = "ANTIGRAVITY_LS_ADDRESS"
	versionVariable = "ANTIGRAVITY_LS_VERSION"
)

// pin is the address the user set.
type pin struct {
	text string
	// address is what to dial.
	address string
	// port is set when it means a port of this machine by the rule of behaviour.md c.4; only then a token that was found
	// may belong to it.
	port int
	// loopback: it is surely on this machine.
	loopback bool
}

// readPin reads the address. The error never quotes it: it may hold a password.
func readPin(text string) (pin, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return pin{}, fmt.Errorf("%w: %s must be like http://127.0.0.1:PORT", daemon.ErrEndpoint, urlVariable)
	}
	portText := u.Port()
	if portText == "" {
		portText = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	host := strings.ToLower(u.Hostname())
	p := pin{text: text, address: net.JoinHostPort(host, portText)}
	ip := net.ParseIP(host)
	p.loopback = host == "localhost" || ip != nil && ip.IsLoopback()
	plainURL := u.Scheme == "http" && (u.Path == "" || u.Path == "/") && u.User == nil && u.RawQuery == "" && u.Fragment == "" && !u.ForceQuery
	if plainURL && (host == "localhost" || host == "127.0.0.1") {
		p.port, _ = number(u.Port())
	}
	return p, nil
}

// exportedPort returns the port in an address that agy exports to its tools.
func exportedPort(address string) (int, bool) {
	host, port, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/"))
	if err != nil || host != "localhost" && host != "127.0.0.1" {
		return 0, false
	}
	return number(port)
}

package endpoint

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"agy-reader/host/endpoint/proc"
	"agy-reader/host/store"
	"agy-reader/sources/daemon"
)

// MaxOthers is how many endpoints Others returns at most.
const MaxOthers = 8

// How long connecting may take: on this machine (behaviour.md c.2), and to an address elsewhere that the user set.
const (
	dialTimeout    = 150 * time.Millisecond
	farDialTimeout = 2 * time.Second
)

// Finder finds daemons. It remembers the tokens it saw for as long as the process that each belongs to runs. It is safe
// for concurrent use; make one for the whole program.
type Finder struct {
	env store.Environment
	// goos says where logs are looked for; processes are looked at on "linux" alone.
	goos string
	proc proc.FS

	mu   sync.Mutex
	kept map[listener]daemon.Token
}

// New returns a Finder that takes variables and the home directory from env.
func New(env store.Environment) *Finder {
	return &Finder{env: env, goos: runtime.GOOS, proc: proc.System(), kept: map[listener]daemon.Token{}}
}

// candidate is an endpoint that was found, before it is connected to.
type candidate struct {
	daemon.Endpoint
	port int
	// still is asked after connecting whether the endpoint is what it was.
	still func() error
}

// endpoint is the candidate for its callers, who are told in time when its port changes hands.
func (c candidate) endpoint() daemon.Endpoint {
	e := c.Endpoint
	e.Still = c.still
	return e
}

// Find returns the daemon that serves a store: the address the user set, else the newest process with a token, else the
// newest without, else what the logs say. It connects for a moment to see that somebody listens. Each call looks once and
// takes address and token from that look. A caller keeps the endpoint and asks again when a call fails, or when there was no
// token: one may be known now.
//
// Errors: *NotFoundError; *PinnedError, with the endpoint, when nobody listens at the address that was set;
// daemon.ErrEndpoint when that is no address; the context's error.
func (f *Finder) Find(ctx context.Context, root store.Root) (daemon.Endpoint, error) {
	if text := f.variable(urlVariable); text != "" {
		return f.pinned(ctx, root, text)
	}
	var cause error
	for _, look := range f.looks(root) {
		found, err := look(ctx, root)
		for _, c := range found {
			if err = f.connect(ctx, c); err == nil {
				return c.endpoint(), nil
			}
			if ctx.Err() != nil {
				return daemon.Endpoint{}, ctx.Err()
			}
		}
		if err != nil {
			cause = err // what the logs say is the better reason: it names a file
		}
	}
	if err := ctx.Err(); err != nil {
		return daemon.Endpoint{}, err
	}
	return daemon.Endpoint{}, &NotFoundError{Root: root.Path, Cause: cause}
}

// Others returns other daemons that may serve the store, at most MaxOthers, in the order in which Find prefers them: those that
// pass the same checks, answer, and have another address than those in not. There are none when the user set an address.
func (f *Finder) Others(ctx context.Context, root store.Root, not ...daemon.Endpoint) ([]daemon.Endpoint, error) {
	if f.variable(urlVariable) != "" {
		return nil, nil
	}
	// Where processes can be looked at, a log alone proves less than the processes do.
	found, _ := f.looks(root)[0](ctx, root)
	var others []daemon.Endpoint
	for _, c := range found {
		if len(others) == MaxOthers {
			break
		}
		known := func(e daemon.Endpoint) bool { return e.URL == c.URL }
		if slices.ContainsFunc(not, known) || slices.ContainsFunc(others, known) {
			continue
		}
		if f.connect(ctx, c) == nil {
			others = append(others, c.endpoint())
		}
	}
	return others, ctx.Err()
}

// look is one way to find endpoints, the best first. An error says why there are none, or not all.
type look func(context.Context, store.Root) ([]candidate, error)

func (f *Finder) looks(root store.Root) []look {
	switch {
	case root.Surface == "ide" || root.Surface == "ide2":
		return []look{f.byIDELogs}
	case f.goos == "linux":
		return []look{f.byProcesses, f.byCLILog}
	default:
		return []look{f.byCLILog}
	}
}

// pinned takes the address the user set. It has the user's token, else that of the very process that listens there.
func (f *Finder) pinned(ctx context.Context, root store.Root, text string) (daemon.Endpoint, error) {
	p, err := readPin(text)
	if err != nil {
		return daemon.Endpoint{}, err
	}
	e := daemon.Endpoint{URL: text, Pinned: true, Origin: urlVariable, Token: daemon.NewToken(f.variable(tokenVariable))}
	timeout := farDialTimeout
	if p.loopback {
		timeout = dialTimeout
	}
	if err := dial(ctx, p.address, timeout); err != nil {
		if ctx.Err() != nil {
			return daemon.Endpoint{}, ctx.Err()
		}
		return e, &PinnedError{URL: WithoutPassword(text), Cause: err}
	}
	if e.Token.Known() || p.port == 0 {
		return e, nil
	}
	found, _ := f.looks(root)[0](ctx, root)
	for _, c := range found {
		if c.URL == localURL(p.port) && c.Token.Known() && f.connect(ctx, c) == nil {
			// The name localhost may lead to another listener than the one the token belongs to.
			e.URL, e.Token, e.PID, e.Origin, e.Still = c.URL, c.Token, c.PID, urlVariable+", "+c.Origin, c.still
			break
		}
	}
	return e, ctx.Err()
}

// connect sees whether somebody listens, and then whether it is still the same.
func (f *Finder) connect(ctx context.Context, c candidate) error {
	address := strings.TrimPrefix(c.URL, "http://")
	if err := dial(ctx, address, dialTimeout); err != nil {
		return fmt.Errorf("discovered daemon port %d is unreachable: %w", c.port, reason(err))
	}
	if c.still == nil {
		return nil
	}
	return c.still()
}

func dial(ctx context.Context, address string, timeout time.Duration) error {
	dialer := net.Dialer{Timeout: timeout}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}

// own gives candidates the token the user set, and puts first those it is surely for, then those it may be for. Inside a
// tool that agy runs the variable holds the token of that agy, which is for its port alone.
func (f *Finder) own(found []candidate) []candidate {
	token := daemon.NewToken(f.variable(tokenVariable))
	if !token.Known() {
		return found
	}
	only, exported := exportedPort(f.variable(addressVariable))
	rank := func(c candidate) int {
		switch {
		case exported && c.port == only || c.Token == token:
			return 0
		case !c.Token.Known():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return rank(a) - rank(b) })
	for i, c := range found {
		if !exported || c.port == only {
			found[i].Token = token
		}
	}
	return found
}

func (f *Finder) variable(name string) string { return strings.TrimSpace(f.env.Getenv(name)) }

func localURL(port int) string { return "http://127.0.0.1:" + strconv.Itoa(port) }

// WithoutPassword is an address as it may be shown: without what may be secret in it, a password or a query.
func WithoutPassword(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "what is no address"
	}
	u.RawQuery = ""
	return u.Redacted()
}

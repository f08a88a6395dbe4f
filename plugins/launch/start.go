package launch

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-plugin"

	"agy-reader/plugins/rpc"
)

// DefaultStartTimeout is how long a plugin may take to be ready for its first conversation.
const DefaultStartTimeout = 10 * time.Second

// Command is what to run.
type Command struct {
	// Path is a file; it is not looked for in PATH.
	Path string
	// Args are its arguments.
	Args []string
}

// Options adjust how a plugin is run.
type Options struct {
	// Log gets what the plugin writes to standard error; nil drops it.
	Log *slog.Logger
	// StartTimeout limits Start; 0 means DefaultStartTimeout.
	StartTimeout time.Duration
	// Idle limits how long a conversation waits for a sign of life; 0 means rpc.DefaultIdle.
	Idle time.Duration
}

// Start runs a plugin and asks what it is. The Process must be closed. ctx limits Start alone. The error matches
// sinks.ErrPlugin or sinks.ErrTimeout and says what to do, or is ctx's; nothing is left running then.
func Start(ctx context.Context, command Command, opts Options) (*Process, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.StartTimeout == 0 {
		opts.StartTimeout = DefaultStartTimeout
	}
	p := &Process{name: filepath.Base(command.Path)}
	file, err := findProgram(command.Path)
	if err != nil {
		return nil, p.fault("it cannot be started", err, "")
	}
	if p.dir, err = socketDir(); err != nil {
		return nil, p.fault("it cannot be started", err, "check the folder for temporary files")
	}
	// The command and everything go-plugin keeps about it serve for one start only.
	cmd := exec.Command(file, command.Args...) //nolint:noctx // Close ends it, with its whole group
	cmd.Dir = p.dir
	p.child = newChild(cmd, opts.Log.With("plugin", p.name))
	p.client = p.newClient(opts)
	if err := p.connect(ctx, opts); err != nil {
		// What does not get this far has earned no grace.
		_ = p.child.Kill(ctx)
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

// connect does what can hang in a goroutine that ends with the program.
func (p *Process) connect(ctx context.Context, opts Options) error {
	limited, cancel := context.WithTimeout(ctx, opts.StartTimeout)
	defer cancel()
	stop := context.AfterFunc(limited, func() { _ = p.child.Kill(limited) })
	defer stop()
	protocol, err := p.client.Client()
	if err != nil {
		return p.explainStart(ctx, limited, err, opts.StartTimeout)
	}
	conn := protocol.(*plugin.GRPCClient).Conn
	p.sink, err = rpc.Connect(limited, conn, p.name, rpc.ClientOptions{Log: opts.Log, Idle: opts.Idle, Explain: p.explainBroken})
	if err != nil {
		return p.explainConnect(ctx, limited, err, opts.StartTimeout)
	}
	return nil
}

func (p *Process) newClient(opts Options) *plugin.Client {
	log := quietLogger(p.child.log)
	stray := func(stream string) *strayWriter { return &strayWriter{log: p.child.log, stream: stream} }
	return plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  plugin.HandshakeConfig{MagicCookieKey: rpc.CookieKey, MagicCookieValue: rpc.CookieValue},
		VersionedPlugins: map[int]plugin.PluginSet{rpc.WireMajor: {}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		SkipHostEnv:      true,
		// The context of Start is the limit; this one only must not be shorter.
		StartTimeout:     opts.StartTimeout + time.Second,
		Logger:           log,
		SyncStdout:       stray("stdout"),
		SyncStderr:       stray("stderr"),
		GRPCDialOptions:  rpc.DialOptions(),
		UnixSocketConfig: &plugin.UnixSocketConfig{TempDir: p.dir},
		RunnerFunc:       p.runner,
	})
}

const socketDirVariable = "PLUGIN_UNIX_SOCKET_DIR"

// forget removes the folder of the socket.
func (p *Process) forget() {
	if p.dir != "" {
		_ = os.RemoveAll(p.dir)
	}
}

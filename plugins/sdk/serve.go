package sdk

import (
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"agy-reader/plugins/rpc"
)

const (
	// grace is how long running conversations get to be aborted once the process is to end.
	grace = time.Second
	// unclaimed is how long a plugin waits for the first connection of its host.
	unclaimed = 15 * time.Second
)

// Option adjusts what ServeSink says about the plugin.
type Option func(*rpc.Manifest)

// Version sets the version of the plugin. Without it the version of the main module is used, if the build recorded one.
func Version(v string) Option { return func(m *rpc.Manifest) { m.Version = v } }

// License sets the licence of the plugin as an SPDX expression.
func License(expression string) Option { return func(m *rpc.Manifest) { m.License = expression } }

// ServeSink is the whole main function of a plugin. It never returns: the process ends when the host asks for it, when
// the host is gone, or on SIGTERM.
func ServeSink(sink Sink, options ...Option) {
	os.Exit(run(sink, manifest(options), os.Args, os.Stdout, os.Stderr))
}

func run(sink Sink, m rpc.Manifest, args []string, stdout, stderr io.Writer) int {
	switch cookie, set := os.LookupEnv(rpc.CookieKey); {
	case len(args) > 0 && slices.Contains(args[1:], "--describe"):
		if err := printManifest(stdout, sink.Describe(), m); err != nil {
			return 1
		}
		return 0
	case cookie != rpc.CookieValue:
		explain(stderr, sink.Describe(), m, args, set)
		return 2
	default:
		serve(sink, m)
		return 0
	}
}

func serve(sink Sink, m rpc.Manifest) {
	log := newLogger(os.Stderr)
	slog.SetDefault(log)
	server := rpc.NewSinkServer(sink, m, log)
	host := newHostWatch(unclaimed, func() {
		server.Wait(grace)
		os.Exit(0)
	})
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	go func() {
		<-stop
		host.stopServing()
	}()
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  plugin.HandshakeConfig{MagicCookieKey: rpc.CookieKey, MagicCookieValue: rpc.CookieValue},
		VersionedPlugins: map[int]plugin.PluginSet{rpc.WireMajor: {rpc.Backend: &backend{server: server}}},
		Logger: hclog.New(&hclog.LoggerOptions{
			Name: "go-plugin", Level: hclog.Warn, Output: os.Stderr, JSONFormat: true,
		}),
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			opts = append(opts, rpc.ServerOptions()...)
			return host.serve(grpc.NewServer(append(opts, grpc.StreamInterceptor(host.intercept))...))
		},
	})
	server.Wait(grace)
}

// backend puts the services on go-plugin's server.
type backend struct {
	plugin.NetRPCUnsupportedPlugin
	server *rpc.SinkServer
}

//go:build unix

package launch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"agy-reader/plugins/internal/trial"
	"agy-reader/plugins/rpc"
	"agy-reader/plugins/sdk"
	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	transcriptv1 "agy-reader/proto/agyreader/transcript/v1"
	"agy-reader/sinks"
)

// account is what a plugin under test tells the test about its surroundings.
type account struct {
	PID, Group int
	Dir        string
	SocketDir  string
	Env        []string
	StdinEnds  bool
}

// report writes the account to the file named by the first argument, if there is one.
func report(args []string) {
	if len(args) == 0 {
		return
	}
	dir, _ := os.Getwd()
	n, err := os.Stdin.Read(make([]byte, 1))
	a := account{
		PID: os.Getpid(), Group: groupOf(), Dir: dir, SocketDir: os.Getenv("PLUGIN_UNIX_SOCKET_DIR"), Env: os.Environ(),
		StdinEnds: n == 0 && err == io.EOF,
	}
	text, _ := json.Marshal(a)
	// The test must never see half of it.
	if err := errors.Join(os.WriteFile(args[0]+".part", text, 0o600), os.Rename(args[0]+".part", args[0])); err != nil {
		panic(err)
	}
}

// misbehave is what the bad plugins do. Those that serve do it with the kit as far as they can.
func misbehave(mode string) {
	blocks := sinks.Info{Needs: sinks.Needs{Blocks: true}}
	onEvent := func(do func()) {
		sdk.ServeSink(&trial.Script{Info: blocks, OnEvent: func(*transcriptv1.Event) error { do(); return nil }})
	}
	switch mode {
	case "prints":
		fmt.Fprintln(os.Stdout, "starting up\x1b[0m …")
		sdk.ServeSink(trial.All())
	case "prints a megabyte":
		fmt.Fprintln(os.Stdout, strings.Repeat("x", 1<<20))
		sdk.ServeSink(trial.All())
	case "hangs":
		time.Sleep(time.Hour)
	case "closes stdout":
		_ = os.Stdout.Close()
		time.Sleep(time.Hour)
	case "exits":
		fmt.Fprintln(os.Stderr, "no configuration\x07 found")
		os.Exit(3)
	case "exits silently":
		os.Exit(0)
	case "panics at start":
		panic("nothing works")
	case "wrong cookie":
		plugin.Serve(&plugin.ServeConfig{HandshakeConfig: plugin.HandshakeConfig{MagicCookieKey: "OTHER", MagicCookieValue: "x"}})
	case "no describe":
		serveRaw(&raw{hang: true})
	case "no certificate":
		_ = os.Unsetenv("PLUGIN_CLIENT_CERT")
		serveRaw(&raw{})
	case "never opens":
		sdk.ServeSink(&trial.Script{OnOpen: func(context.Context, sinks.Artifacts) error { select {} }})
	case "panics":
		onEvent(func() { panic("mid-stream") })
	case "crashes":
		onEvent(func() {
			go func() { panic("in a goroutine of its own") }()
			select {}
		})
	case "exits mid-stream":
		onEvent(func() { os.Exit(7) })
	case "killed":
		onEvent(func() { killSelf(); select {} })
	case "terminated":
		sdk.ServeSink(&trial.Script{OnAbort: func() {
			if err := os.WriteFile(os.Args[3]+".aborted", nil, 0o600); err != nil {
				panic(err)
			}
		}})
	case "floods":
		sdk.ServeSink(noisy())
	case "chunk before begin":
		serveRaw(&raw{messages: []*pluginv1.ConvertResponse{chunk(3)}})
	case "two dones":
		serveRaw(&raw{messages: []*pluginv1.ConvertResponse{nil, done(4), done(4)}})
	case "lies":
		serveRaw(&raw{messages: []*pluginv1.ConvertResponse{nil, done(5)}})
	case "5 MiB":
		serveRaw(&raw{messages: []*pluginv1.ConvertResponse{chunk(5 << 20)}})
	case "stubborn":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		if err := exec.Command("sleep", "300").Start(); err != nil {
			panic(err)
		}
		serveRaw(&raw{})
		select {}
	case "leaves a daemon":
		// It is in another group, so nobody can end it, and it holds the standard output and error of its parent.
		child := exec.Command("sleep", "300")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := child.Start(); err != nil {
			panic(err)
		}
		if err := os.WriteFile(os.Args[3]+".daemon", []byte(strconv.Itoa(child.Process.Pid)), 0o600); err != nil {
			panic(err)
		}
		sdk.ServeSink(trial.All())
	case "leaves a child":
		// It holds the standard output and error of its parent.
		child := exec.Command("sleep", "300")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		sdk.ServeSink(trial.All())
	default:
		// Anything else is a handshake to print.
		fmt.Fprintln(os.Stdout, mode)
		time.Sleep(time.Hour)
	}
}

// noisy is a good sink that floods everything it should leave alone.
func noisy() sinks.Sink {
	rawOut, rawErr := os.Stdout, os.Stderr
	line := bytes.Repeat([]byte("noise "), 20_000)
	return &trial.Script{Info: sinks.Info{Needs: sinks.Needs{Blocks: true}}, OnEvent: func(*transcriptv1.Event) error {
		for range 100 {
			_, _ = rawErr.Write(line)
			_, _ = rawErr.WriteString("{\"@message\":5,\"@level\":[]}\nnull\n{\"@message\":\"m\",\"@level\":\"debug\",\"@timestamp\":7}\n")
			_, _ = rawOut.Write(line)
			fmt.Fprintln(os.Stdout, "printed", string(line[:100]))
			fmt.Fprintln(os.Stderr, "printed to stderr")
		}
		return nil
	}}
}

func chunk(n int) *pluginv1.ConvertResponse {
	return &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_ArtifactChunk{ArtifactChunk: &pluginv1.ArtifactChunk{Data: make([]byte, n)}}}
}

func done(events uint64) *pluginv1.ConvertResponse {
	return &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Done{Done: &pluginv1.Done{Events: events}}}
}

// raw serves messages as they are; a nil stands for reading to the end of the events.
type raw struct {
	plugin.NetRPCUnsupportedPlugin
	pluginv1.UnimplementedPluginServiceServer
	pluginv1.UnimplementedSinkServiceServer
	hang     bool
	messages []*pluginv1.ConvertResponse
}

func serveRaw(r *raw) {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  plugin.HandshakeConfig{MagicCookieKey: rpc.CookieKey, MagicCookieValue: rpc.CookieValue},
		VersionedPlugins: map[int]plugin.PluginSet{rpc.WireMajor: {rpc.Backend: r}},
		GRPCServer:       plugin.DefaultGRPCServer,
	})
}

func (r *raw) GRPCServer(_ *plugin.GRPCBroker, s *grpc.Server) error {
	pluginv1.RegisterPluginServiceServer(s, r)
	pluginv1.RegisterSinkServiceServer(s, r)
	return nil
}

func (r *raw) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, nil
}

func (r *raw) Describe(ctx context.Context, _ *pluginv1.DescribeRequest) (*pluginv1.DescribeResponse, error) {
	if r.hang {
		<-ctx.Done()
	}
	return rpc.Description((&trial.Script{}).Describe(), rpc.Manifest{Version: "0"}), nil
}

func (r *raw) Convert(stream pluginv1.SinkService_ConvertServer) error {
	ready := &pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Ready{Ready: &pluginv1.Ready{}}}
	for _, m := range append([]*pluginv1.ConvertResponse{ready}, r.messages...) {
		if m != nil {
			if err := stream.Send(m); err != nil {
				return err
			}
			continue
		}
		for {
			if _, err := stream.Recv(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
		}
	}
	for {
		if _, err := stream.Recv(); err != nil {
			return nil
		}
	}
}

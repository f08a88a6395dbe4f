package launch

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-plugin"

	"agy-reader/plugins/rpc"
	"agy-reader/sinks"
)

const (
	authorHint = "report this to the author of the plugin"
	kindHint   = "check that the file is a plugin for agy-reader: run it by hand and read what it says"
)

// explainStart turns a start that went wrong into its cause, from what the program printed and how it ended. The texts of
// go-plugin name none of that.
func (p *Process) explainStart(ctx, limited context.Context, err error, limit time.Duration) error {
	if ctx.Err() != nil {
		return fmt.Errorf("start plugin %s: %w", p.name, context.Cause(ctx))
	}
	if p.child.spawned != nil {
		return p.fault("it cannot be started", spawnError(p.child.cmd.Path, p.child.spawned), "")
	}
	timedOut := limited.Err() != nil
	how, ended := p.child.ended(time.Second / 2)
	line, spoke := p.child.handshake()
	switch {
	case spoke:
		return p.explainHandshake(line, err)
	case timedOut:
		f := p.fault(fmt.Sprintf("it did not answer within %s", limit), p.lastWords(), kindHint)
		f.Kind = sinks.ErrTimeout
		return f
	case ended:
		return p.fault(fmt.Sprintf("it ended before it answered (%s)", how), p.lastWords(), kindHint)
	default:
		return p.fault("it closed its standard output before it answered", p.lastWords(), kindHint)
	}
}

// explainHandshake says what is wrong with the first line a plugin printed. Its form is
// CORE|WIRE|NETWORK|ADDRESS|PROTOCOL|CERTIFICATE.
func (p *Process) explainHandshake(line string, err error) error {
	parts := strings.Split(strings.TrimSpace(line), "|")
	core, coreErr := strconv.Atoi(parts[0])
	if len(parts) < 4 || coreErr != nil {
		return p.fault(fmt.Sprintf("it printed %s where its handshake belongs", quoted(line)), p.lastWords(),
			"a plugin must not print to standard output; "+kindHint)
	}
	if core != plugin.CoreProtocolVersion {
		return p.fault(fmt.Sprintf("it is built with an incompatible go-plugin (core protocol %d, expected %d)", core, plugin.CoreProtocolVersion),
			nil, "get a newer release of the plugin")
	}
	if wire, wireErr := strconv.Atoi(parts[1]); wireErr == nil && wire != rpc.WireMajor {
		return p.fault(fmt.Sprintf("it speaks version %d of the plugin protocol, this program speaks %d", wire, rpc.WireMajor),
			nil, "get a release of the plugin, or of agy-reader, that fits the other")
	}
	if len(parts) < 5 || parts[4] != string(plugin.ProtocolGRPC) {
		return p.fault("it does not serve gRPC", nil, kindHint)
	}
	if how, ended := p.child.ended(0); ended && !p.child.wasKilled() {
		return p.fault(fmt.Sprintf("it ended right after its handshake (%s)", how), p.lastWords(), authorHint)
	}
	return p.fault(fmt.Sprintf("its handshake %s cannot be used", quoted(line)), errors.New(rpc.Printable(err.Error())), authorHint)
}

// explainConnect is for a program that answered with a handshake and then did not serve.
func (p *Process) explainConnect(ctx, limited context.Context, err error, limit time.Duration) error {
	if ctx.Err() != nil {
		return fmt.Errorf("start plugin %s: %w", p.name, context.Cause(ctx))
	}
	if limited.Err() != nil {
		f := p.fault(fmt.Sprintf("it did not describe itself within %s", limit), p.lastWords(), authorHint)
		f.Kind = sinks.ErrTimeout
		return f
	}
	line, _ := p.child.handshake()
	if parts := strings.Split(strings.TrimSpace(line), "|"); len(parts) < 6 || parts[5] == "" {
		return p.fault("it offers no certificate, so the connection cannot be protected", nil,
			"the plugin must support mutual TLS (AutoMTLS of go-plugin); "+authorHint)
	}
	if text := err.Error(); strings.Contains(text, "tls:") || strings.Contains(text, "x509:") {
		return p.fault("the protected connection to it (mutual TLS) could not be made", errors.New(rpc.Printable(text)), authorHint)
	}
	return err
}

// lastWords is what the program wrote to standard error, nil when it wrote nothing.
func (p *Process) lastWords() error {
	text := strings.TrimPrefix(p.child.err.excerpt(), "\n")
	if text == "" {
		return nil
	}
	return errors.New(text)
}

func quoted(line string) string {
	const shown = 200
	if len(line) > shown {
		return strconv.Quote(line[:shown]) + " …"
	}
	return strconv.Quote(line)
}

package rpc

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	"agy-reader/sinks"
)

// state is where a conversation stands, as the host sees it.
type state int

const (
	// opening: Open was sent, Ready has not come.
	opening state = iota
	// running: between Ready and Done.
	running
	// done: Done came and was true; the stream must end.
	done
	// over: the stream has ended as it should.
	over
)

// downstream handles the messages of the plugin, strictly in the order the contract gives.
type downstream struct {
	client *SinkClient
	out    sinks.Artifacts
	state  state
	// sent is set when End is queued: how many events the host counts.
	sent  *uint64
	open  map[uint32]*part
	seen  map[uint32]struct{}
	names map[string]struct{}
	ended uint32
	bytes uint64
}

func newDownstream(c *SinkClient, out sinks.Artifacts) downstream {
	return downstream{client: c, out: out, open: map[uint32]*part{}, seen: map[uint32]struct{}{}, names: map[string]struct{}{}}
}

// part is an artifact part the plugin is writing.
type part struct {
	name  string
	w     io.WriteCloser
	bytes uint64
}

func (d *downstream) handle(m *pluginv1.ConvertResponse) error {
	if d.state == done {
		return d.client.violation("%s after done", messageName(m))
	}
	if diag := m.GetDiagnostic(); diag != nil {
		return d.diagnostic(diag)
	}
	if ready := m.GetReady(); ready != nil != (d.state == opening) {
		if ready != nil {
			return d.client.violation("ready a second time")
		}
		return d.client.violation("%s before ready", messageName(m))
	}
	switch body := m.GetBody().(type) {
	case *pluginv1.ConvertResponse_Ready:
		d.state = running
		return nil
	case *pluginv1.ConvertResponse_ArtifactBegin:
		return d.begin(body.ArtifactBegin)
	case *pluginv1.ConvertResponse_ArtifactChunk:
		return d.chunk(body.ArtifactChunk)
	case *pluginv1.ConvertResponse_ArtifactEnd:
		return d.endPart(body.ArtifactEnd)
	case *pluginv1.ConvertResponse_Done:
		return d.complete(body.Done)
	default:
		return d.client.violation("a message of a kind the protocol does not have")
	}
}

func (d *downstream) begin(b *pluginv1.ArtifactBegin) error {
	if _, ok := d.seen[b.GetId()]; ok {
		return d.client.violation("artifact begin with number %d a second time", b.GetId())
	}
	if len(d.seen) >= MaxParts || len(d.open) >= MaxOpenParts {
		return d.client.violation("more than %d artifact parts, or %d at the same time", MaxParts, MaxOpenParts)
	}
	d.names[b.GetName()] = struct{}{}
	if len(d.names) > 1 && !d.client.info.Needs.ManyFiles {
		return d.client.violation("a second artifact %q without the capability many-files", Printable(b.GetName()))
	}
	w, err := d.out.Create(b.GetName(), b.GetMediaType(), b.GetPart())
	if err != nil {
		return fmt.Errorf("plugin %s: create artifact %q: %w", d.client.info.Name, Printable(b.GetName()), err)
	}
	d.seen[b.GetId()] = struct{}{}
	d.open[b.GetId()] = &part{name: b.GetName(), w: w}
	return nil
}

func (d *downstream) chunk(c *pluginv1.ArtifactChunk) error {
	p := d.open[c.GetId()]
	if p == nil {
		return d.client.violation("artifact chunk for number %d, which is not open", c.GetId())
	}
	if len(c.GetData()) > MaxChunk {
		return d.client.violation("artifact chunk of %d bytes, above %d", len(c.GetData()), MaxChunk)
	}
	if _, err := p.w.Write(c.GetData()); err != nil {
		return fmt.Errorf("plugin %s: write artifact %q: %w", d.client.info.Name, Printable(p.name), err)
	}
	p.bytes += uint64(len(c.GetData()))
	d.bytes += uint64(len(c.GetData()))
	return nil
}

func (d *downstream) endPart(e *pluginv1.ArtifactEnd) error {
	p := d.open[e.GetId()]
	if p == nil {
		return d.client.violation("artifact end for number %d, which is not open", e.GetId())
	}
	if e.GetBytes() != p.bytes {
		return d.client.violation("artifact end counts %d bytes, %d came", e.GetBytes(), p.bytes)
	}
	delete(d.open, e.GetId())
	d.ended++
	if err := p.w.Close(); err != nil {
		return fmt.Errorf("plugin %s: close artifact %q: %w", d.client.info.Name, Printable(p.name), err)
	}
	return nil
}

func (d *downstream) complete(m *pluginv1.Done) error {
	switch {
	case d.sent == nil:
		return d.client.violation("done before the end of the events")
	case len(d.open) > 0:
		return d.client.violation("done with %d artifact parts still open", len(d.open))
	case m.GetEvents() != *d.sent:
		return d.client.violation("done counts %d events, %d were sent", m.GetEvents(), *d.sent)
	case m.GetArtifacts() != d.ended:
		return d.client.violation("done counts %d artifact parts, %d came", m.GetArtifacts(), d.ended)
	case m.GetBytes() != d.bytes:
		return d.client.violation("done counts %d bytes, %d came", m.GetBytes(), d.bytes)
	}
	d.state = done
	return nil
}

// end is called when the plugin ended the stream without an error.
func (d *downstream) end() error {
	if d.state != done {
		return d.client.violation("the stream ended without done")
	}
	d.state = over
	return nil
}

func (d *downstream) diagnostic(m *pluginv1.Diagnostic) error {
	said := Diagnostic{
		Severity: m.GetSeverity(),
		Code:     Printable(m.GetCode()),
		Message:  Printable(m.GetMessage()),
		Hint:     Printable(m.GetHint()),
		Anchor:   Printable(m.GetAnchor()),
	}
	if !m.GetFatal() {
		d.client.opts.Log.Log(context.Background(), level(said.Severity), said.Message,
			"plugin", d.client.info.Name, "code", said.Code, "hint", said.Hint, "anchor", said.Anchor)
		return nil
	}
	f := d.client.fault(said.Code, "", nil)
	f.Diagnostic = said
	if said.Code == CodePluginBug && said.Hint == "" {
		f.Hint = "report this to the author of the plugin"
	}
	return f
}

func level(severity string) slog.Level {
	switch severity {
	case "error":
		return slog.LevelError
	case "warning":
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

// messageName is how a message is called in errors.
func messageName(m *pluginv1.ConvertResponse) string {
	switch m.GetBody().(type) {
	case *pluginv1.ConvertResponse_Ready:
		return "ready"
	case *pluginv1.ConvertResponse_ArtifactBegin:
		return "artifact begin"
	case *pluginv1.ConvertResponse_ArtifactChunk:
		return "artifact chunk"
	case *pluginv1.ConvertResponse_ArtifactEnd:
		return "artifact end"
	case *pluginv1.ConvertResponse_Diagnostic:
		return "diagnostic"
	case *pluginv1.ConvertResponse_Done:
		return "done"
	default:
		return "a message of an unknown kind"
	}
}

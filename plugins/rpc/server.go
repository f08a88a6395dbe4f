package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pluginv1 "agy-reader/proto/agyreader/plugin/v1"
	"agy-reader/sinks"
)

// SinkServer serves one sink to a host.
type SinkServer struct {
	pluginv1.UnimplementedPluginServiceServer
	pluginv1.UnimplementedSinkServiceServer
	sink     sinks.Sink
	manifest Manifest
	log      *slog.Logger
	active   sync.WaitGroup
}

// NewSinkServer makes a server for sink. log gets the stacks of recovered panics; nil drops them.
func NewSinkServer(sink sinks.Sink, m Manifest, log *slog.Logger) *SinkServer {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &SinkServer{sink: sink, manifest: m, log: log}
}

// Register adds the services to a gRPC server, which must have been made with ServerOptions.
func (s *SinkServer) Register(r grpc.ServiceRegistrar) {
	pluginv1.RegisterPluginServiceServer(r, s)
	pluginv1.RegisterSinkServiceServer(r, s)
}

// Describe answers what the sink is.
func (s *SinkServer) Describe(context.Context, *pluginv1.DescribeRequest) (*pluginv1.DescribeResponse, error) {
	var d *pluginv1.DescribeResponse
	err := s.guard("describe", func() error {
		d = Description(s.sink.Describe(), s.manifest)
		return nil
	})
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return d, nil
}

// Convert serves one conversation. The sink's methods are called from this goroutine alone, except Renderer.Render; another
// one receives.
func (s *SinkServer) Convert(stream pluginv1.SinkService_ConvertServer) error {
	s.active.Add(1)
	defer s.active.Done()
	c := &conversation{
		server:   s,
		stream:   stream,
		received: make(chan *incoming, maxAhead),
		batches:  make(chan *incoming, maxAhead),
		over:     make(chan struct{}),
		out:      newSender(stream),
	}
	go c.receive()
	err := c.run()
	c.out.close()
	if err == nil {
		return nil
	}
	c.abort()
	if stream.Context().Err() != nil {
		return status.FromContextError(stream.Context().Err()).Err()
	}
	if _, ok := errors.AsType[*protocolError](err); ok {
		return status.Error(codes.InvalidArgument, err.Error())
	}
	return stream.Send(&pluginv1.ConvertResponse{Body: &pluginv1.ConvertResponse_Diagnostic{Diagnostic: diagnosticOf(err)}})
}

// Wait returns when no conversation is running any more, or after limit. It is called after the gRPC server was stopped.
func (s *SinkServer) Wait(limit time.Duration) {
	idle := make(chan struct{})
	go func() {
		s.active.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-time.After(limit):
	}
}

// guard calls into the sink and turns a panic into an error.
func (s *SinkServer) guard(what string, call func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.log.Error("the sink panicked", "in", what, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			err = &panicError{what: what, value: r}
		}
	}()
	return call()
}

// panicError is a panic of the sink.
type panicError struct {
	what  string
	value any
}

func (p *panicError) Error() string { return fmt.Sprintf("panic in %s: %v", p.what, p.value) }

// protocolError is a message of the host out of order.
type protocolError struct{ what string }

func (b *protocolError) Error() string { return "the host broke the protocol: " + b.what }

// diagnosticOf is the fatal diagnostic for an error of the sink.
func diagnosticOf(err error) *pluginv1.Diagnostic {
	d := &pluginv1.Diagnostic{Severity: "error", Code: CodeSinkFailed, Message: Printable(err.Error()), Fatal: true}
	if _, ok := errors.AsType[*panicError](err); ok {
		d.Code = CodePluginBug
	}
	switch {
	case errors.Is(err, sinks.ErrOptions):
		d.Code = CodeOptions
	case errors.Is(err, sinks.ErrOutput):
		d.Code = CodeOutput
	case errors.Is(err, errors.ErrUnsupported):
		d.Code = CodeUnsupported
	}
	return d
}

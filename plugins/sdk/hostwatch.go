package sdk

import (
	"sync"
	"time"

	"google.golang.org/grpc"

	"agy-reader/plugins/rpc"
)

// hostWatch ends the process when its host is gone. go-plugin keeps one stream open from host to plugin for as long as
// the host lives; its end is the sign. A host that dies before it connects is noticed by time.
type hostWatch struct {
	exit  func()
	first *time.Timer

	mu     sync.Mutex
	server *grpc.Server
}

// newHostWatch calls exit when no host has connected after unclaimed, and a grace after its connection ended.
func newHostWatch(unclaimed time.Duration, exit func()) *hostWatch {
	return &hostWatch{exit: exit, first: time.AfterFunc(unclaimed, exit)}
}

func (h *hostWatch) serve(s *grpc.Server) *grpc.Server {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.server = s
	return s
}

// stopServing cancels every conversation and makes the server end.
func (h *hostWatch) stopServing() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server != nil {
		h.server.Stop()
	}
}

func (h *hostWatch) intercept(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	if info.FullMethod != rpc.HostStream {
		return handler(srv, stream)
	}
	h.first.Stop()
	err := handler(srv, stream)
	// An ordinary shutdown ends the process by itself meanwhile.
	time.AfterFunc(grace, h.exit)
	return err
}

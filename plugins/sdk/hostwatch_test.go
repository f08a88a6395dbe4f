package sdk

import (
	"testing"
	"time"

	"google.golang.org/grpc"

	"agy-reader/plugins/rpc"
)

func TestHostWatch(t *testing.T) {
	t.Parallel()
	stream := func(method string) func(h *hostWatch) {
		return func(h *hostWatch) {
			handler := func(any, grpc.ServerStream) error { return nil }
			if err := h.intercept(nil, nil, &grpc.StreamServerInfo{FullMethod: method}, handler); err != nil {
				t.Error(err)
			}
		}
	}
	tests := []struct {
		name      string
		unclaimed time.Duration
		happens   func(h *hostWatch)
		exits     bool
	}{
		{"no host ever", time.Millisecond, func(*hostWatch) {}, true},
		{"host went away", time.Hour, stream(rpc.HostStream), true},
		{"a conversation ended", time.Hour, stream("/agyreader.plugin.v1.SinkService/Convert"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			exited := make(chan struct{})
			h := newHostWatch(tt.unclaimed, func() { close(exited) })
			tt.happens(h)
			limit := 20 * time.Second
			if !tt.exits {
				limit = grace + grace/2
			}
			select {
			case <-exited:
				if !tt.exits {
					t.Error("it exits")
				}
			case <-time.After(limit):
				if tt.exits {
					t.Error("it does not exit")
				}
			}
			h.first.Stop()
		})
	}
}

package trial

import (
	"context"
	"net"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"agy-reader/plugins/rpc"
)

// Dial serves what register adds over a connection in memory, with the limits of the wire contract on both sides.
func Dial(tb testing.TB, register func(grpc.ServiceRegistrar)) *grpc.ClientConn {
	tb.Helper()
	return DialAny(tb, register, rpc.ServerOptions(), rpc.DialOptions())
}

// DialAny is Dial with any options on either side.
func DialAny(tb testing.TB, register func(grpc.ServiceRegistrar), serving []grpc.ServerOption, dialling []grpc.DialOption) *grpc.ClientConn {
	tb.Helper()
	listener := bufconn.Listen(256 << 10)
	server := grpc.NewServer(serving...)
	register(server)
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener)
	}()
	options := append(dialling,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	conn, err := grpc.NewClient("passthrough:memory", options...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = conn.Close()
		server.Stop()
		<-served
	})
	return conn
}

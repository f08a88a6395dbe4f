package sdk

import (
	"context"
	"errors"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

var _ plugin.GRPCPlugin = (*backend)(nil)

// GRPCServer registers the services.
func (b *backend) GRPCServer(_ *plugin.GRPCBroker, s *grpc.Server) error {
	b.server.Register(s)
	return nil
}

// GRPCClient is for hosts; the kit is none.
func (b *backend) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("the kit serves plugins and starts none")
}

//go:build !linux

package upstream

import (
	"context"
	"net"
)

func promptly(dial func(ctx context.Context, network, address string) (net.Conn, error)) func(ctx context.Context, network, address string) (net.Conn, error) {
	return dial
}

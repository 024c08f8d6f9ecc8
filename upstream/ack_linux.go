package upstream

import (
	"context"
	"net"
	"syscall"
)

// promptly returns connections that acknowledge what they receive at once. A server that writes
// the head and the body of an answer apart and does not disable Nagle's algorithm, as OSRM, waits
// with the body for that: by default Linux takes 40 ms for it once a connection is used again.
func promptly(dial func(ctx context.Context, network, address string) (net.Conn, error)) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		tcp, ok := c.(*net.TCPConn)
		if !ok {
			return c, nil
		}
		raw, err := tcp.SyscallConn()
		if err != nil {
			return c, nil //nolint:nilerr // it works, only slower
		}
		return &promptConn{TCPConn: tcp, raw: raw}, nil
	}
}

// promptConn is a connection of promptly.
type promptConn struct {
	*net.TCPConn
	raw syscall.RawConn
}

// Write sends a request. What is sent takes the connection out of acknowledging at once, so that
// it is set each time.
func (c *promptConn) Write(b []byte) (int, error) {
	n, err := c.TCPConn.Write(b)
	_ = c.raw.Control(func(fd uintptr) { // without it the answer comes later, and that is all
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 1)
	})
	return n, err
}

// SyscallConn returns what is kept.
func (c *promptConn) SyscallConn() (syscall.RawConn, error) { return c.raw, nil }

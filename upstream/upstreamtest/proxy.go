// Package upstreamtest has a proxy that spoils connections, for tests of what becomes of
// calls to servers that fail.
package upstreamtest

import (
	"context"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// Fault is the way in which a proxy spoils a connection.
type Fault int32

// The faults.
const (
	None     Fault = iota
	Silent         // takes a request and never answers
	Resets         // breaks the connection off once a request has come
	Half           // breaks off after the first 300 bytes of an answer
	Garbage        // answers what is no HTTP
	Stalling       // sends the first 300 bytes of an answer and no more
)

// Proxy is a TCP proxy before a server. A fault concerns the connections that are open as
// well as those to come; Shut and Open are of the port itself.
type Proxy struct {
	URL string // of the proxy, which answers as the server does

	to       string
	fault    atomic.Int32
	accepted atomic.Int64

	mu    sync.Mutex
	at    net.Listener
	conns map[net.Conn]bool
}

// Start starts a proxy before the server at an address (127.0.0.1:8002), until the test ends.
func Start(t testing.TB, to string) *Proxy {
	t.Helper()
	p := &Proxy{to: to, conns: map[net.Conn]bool{}}
	p.listen(t, "127.0.0.1:0")
	p.URL = "http://" + p.at.Addr().String()
	t.Cleanup(p.Shut)
	return p
}

// Set has the proxy do something to all connections. Connections that idle are closed, so
// that the next call meets the fault.
func (p *Proxy) Set(f Fault) {
	p.fault.Store(int32(f))
	p.closeAll()
}

// Connections returns how many connections came so far.
func (p *Proxy) Connections() int64 { return p.accepted.Load() }

// Shut closes the port and all connections, as when the server's process is killed.
func (p *Proxy) Shut() {
	p.mu.Lock()
	_ = p.at.Close() // it may be shut already
	p.mu.Unlock()
	p.closeAll()
}

// Open opens the port again.
func (p *Proxy) Open(t testing.TB) {
	t.Helper()
	p.listen(t, p.URL[len("http://"):])
}

func (p *Proxy) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
}

func (p *Proxy) listen(t testing.TB, address string) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	p.at = l
	p.mu.Unlock()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.accepted.Add(1)
			go p.serve(c)
		}
	}()
}

// track notes a connection, to be closed by closeAll.
func (p *Proxy) track(c net.Conn, open bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if open {
		p.conns[c] = true
		return
	}
	delete(p.conns, c)
	_ = c.Close()
}

func (p *Proxy) serve(c net.Conn) {
	p.track(c, true)
	defer p.track(c, false)
	first := make([]byte, 4096)
	n, err := c.Read(first)
	if err != nil {
		return
	}
	fault := Fault(p.fault.Load())
	switch fault {
	case Silent:
		_, _ = io.Copy(io.Discard, c) // until the caller leaves
		return
	case Resets:
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset instead of an end
		}
		return
	case Garbage:
		_, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.2\r\n")
		return
	}
	server, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.to)
	if err != nil {
		return
	}
	p.track(server, true)
	defer p.track(server, false)
	if _, err := server.Write(first[:n]); err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(server, c)
		_ = server.Close()
	}()
	switch fault {
	case Half:
		_, _ = io.CopyN(c, server, 300)
	case Stalling:
		_, _ = io.CopyN(c, server, 300)
		_, _ = io.Copy(io.Discard, server)
	default:
		_, _ = io.Copy(c, server)
	}
}

package e2e

import (
	"io"
	"net"
	"sync"
	"testing"
)

// wire carries connections to a server until it is cut.
type wire struct {
	address string // listens here
	target  string

	mu    sync.Mutex
	state wireState
	open  map[net.Conn]struct{} // both ends
}

// wireState is what becomes of new connections.
type wireState int

const (
	carrying wireState = iota
	refusing           // they are hung up on
	silent             // they are taken, and nobody ever answers
)

// wireTo lays a wire to an address.
func wireTo(t *testing.T, target string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{address: l.Addr().String(), target: target, open: map[net.Conn]struct{}{}}
	var ended sync.WaitGroup
	ended.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			ended.Go(func() { w.carry(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		w.turn(refusing)
		ended.Wait()
	})
	return w
}

// turn changes what becomes of new connections; those there are break.
func (w *wire) turn(to wireState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state = to
	for c := range w.open {
		_ = c.Close()
	}
	clear(w.open)
}

// hold notes a connection that ends when the wire turns, and tells how the
// wire is.
func (w *wire) hold(c net.Conn) wireState {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state != refusing {
		w.open[c] = struct{}{}
	}
	return w.state
}

func (w *wire) drop(c net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = c.Close()
	delete(w.open, c)
}

func (w *wire) carry(c net.Conn) {
	defer w.drop(c)
	switch w.hold(c) {
	case refusing:
		return
	case silent:
		_, _ = io.Copy(io.Discard, c)
		return
	case carrying:
	}
	far, err := net.Dial("tcp", w.target)
	if err != nil {
		return
	}
	defer w.drop(far)
	if w.hold(far) != carrying {
		return
	}
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(c, far)
		_ = c.Close()
	})
	_, _ = io.Copy(far, c)
	_ = far.Close()
	back.Wait()
}

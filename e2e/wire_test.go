package e2e

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// wire carries connections to a server until it is cut.
type wire struct {
	address string // listens here
	target  string

	mu    sync.Mutex
	state wireState
	open  map[net.Conn]struct{} // both ends
	lost  atomic.Int64          // answers to a COMMIT
}

// wireState says how new connections are treated.
type wireState int

const (
	carrying wireState = iota
	refusing           // they are hung up on
	silent             // they are taken, and nobody ever answers
	losing             // they are carried until a COMMIT, whose answer is lost
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

// hold records a connection that ends when the wire changes its state, and returns the state.
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
	case carrying, losing:
	}
	far, err := net.Dial("tcp", w.target)
	if err != nil {
		return
	}
	defer w.drop(far)
	state := w.hold(far)
	if state != carrying && state != losing {
		return
	}
	var committed atomic.Bool
	var back sync.WaitGroup
	back.Go(func() {
		pipe(c, far, func([]byte) bool {
			if committed.Load() {
				w.lost.Add(1)
			}
			return !committed.Load()
		})
		_ = c.Close()
	})
	pipe(far, c, func(sent []byte) bool {
		if state == losing && bytes.Contains(sent, []byte("commit\x00")) {
			committed.Store(true)
		}
		return true
	})
	_ = far.Close()
	back.Wait()
}

// pipe copies until an end, or until pass says no of what was read.
func pipe(to io.Writer, from io.Reader, pass func([]byte) bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if !pass(buffer[:n]) {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

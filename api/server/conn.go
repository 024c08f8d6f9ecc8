package server

import (
	"context"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/waygate/waygate/parallel"
)

// sweepEvery is how late a deadline of a connection may be kept, and how long a
// request is answered before it is looked whether its client is still there, or
// up to twice as long.
const sweepEvery = 100 * time.Millisecond

// conns are the connections of a server. Go's server sets eight deadlines a
// request, each a timer of the runtime, and starts a goroutine that reads from the
// connection while its request is answered, to notice a client who leaves: one
// that another thread is woken up for, and that has to be broken off at the end.
// Nearly no request takes as long as either is there for. So deadlines are only
// written down, and whoever is heard is heard once that has lasted: one sweep over
// all connections sees to both.
type conns struct {
	net.Listener

	mu    sync.Mutex
	open  map[*conn]struct{}
	first chan struct{} // there is one again
}

func newConns(l net.Listener) *conns {
	return &conns{Listener: l, open: map[*conn]struct{}{}, first: make(chan struct{}, 1)}
}

// Accept waits for the next connection.
func (l *conns) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	tcp, ok := accepted.(*net.TCPConn)
	if err != nil || !ok {
		return accepted, err
	}
	calls, err := newDirect(tcp)
	if err != nil {
		return accepted, nil // it is closed already, which its server finds out
	}
	c := &conn{TCPConn: tcp, calls: calls, of: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[c] = struct{}{}; len(l.open) == 1 {
		select {
		case l.first <- struct{}{}:
		default:
		}
	}
	return c, nil
}

// withConn returns the context of what is answered on a connection, which ends where
// its client leaves.
func (l *conns) withConn(ctx context.Context, accepted net.Conn) context.Context {
	if c, ok := accepted.(*conn); ok {
		ctx, c.leave = context.WithCancel(ctx)
	}
	return ctx
}

// sweep looks after the connections until ctx ends.
func (l *conns) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	var all []*conn
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			all = all[:0]
			l.mu.Lock()
			for c := range l.open {
				all = append(all, c)
			}
			l.mu.Unlock()
			for _, c := range all {
				c.look(now)
			}
			clear(all)
		}
		if len(all) > 0 {
			continue
		}
		tick.Stop() // nobody is connected
		select {
		case <-ctx.Done():
			return
		case <-l.first:
		}
		tick.Reset(sweepEvery)
	}
}

// conn is a connection whose deadlines are kept by a sweep, to within sweepEvery.
//
// It relies on one property of the server: the goroutine that may read beside that of the
// request reads a single byte into a place of its own. A server that does otherwise would be
// served as any connection is.
type conn struct {
	*net.TCPConn
	calls *direct // reads and writes it
	of    *conns
	leave context.CancelFunc // of the context of all that is answered on it
	last  *byte              // of the buffer that requests are read into
	held  bool               // what was written last is kept back for what comes after it

	mu          sync.Mutex
	read, write deadline
	asked       int           // sweeps since a request wants to notice the client leaving, and one; 0 for nobody
	heard       chan struct{} // closed when the goroutine that watches has ended; nil for none
	early       [1]byte       // what it heard before it was time
	n           int
	err         error
}

// deadline is when reading or writing ends.
type deadline struct {
	at   time.Time
	kept bool // noted in the connection
}

// set writes a deadline down, and takes back one that was kept.
func (d *deadline) set(at time.Time, keep func(time.Time) error) error {
	d.at = at
	if !d.kept {
		return nil
	}
	d.kept = false
	return keep(time.Time{})
}

// look keeps a deadline that is over.
func (d *deadline) look(now time.Time, keep func(time.Time) error) {
	if !d.kept && !d.at.IsZero() && d.at.Before(now) {
		d.kept = true
		_ = keep(d.at) // fails where the connection is closed
	}
}

// SetReadDeadline serves net.Conn. Whoever sets one is to read himself, or wants
// nobody to listen any more.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !t.IsZero() {
		c.asked = 0
	}
	return c.read.set(t, c.TCPConn.SetReadDeadline)
}

// SetWriteDeadline serves net.Conn. None is left where an answer is whole: what ended
// with a full buffer is sent, though the next request may have come already.
func (c *conn) SetWriteDeadline(t time.Time) error {
	if t.IsZero() && c.held {
		c.held = false
		_ = c.SetNoDelay(true) // sends it
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write.set(t, c.TCPConn.SetWriteDeadline)
}

// SetDeadline serves net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// Read serves net.Conn. To the goroutine that only listens for the client it gives
// nothing at once, which ends that one, and has the sweep watch in its place.
func (c *conn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if c.last == nil {
		c.last = &p[len(p)-1]
	}
	if cap(p) == 1 && &p[0] != c.last {
		c.mu.Lock()
		defer c.mu.Unlock()
		// Somebody is heard already for one of several requests that came at once, and
		// with a deadline the request is over before this goroutine came to run.
		if c.heard == nil && c.read.at.IsZero() {
			c.asked = 1
		}
		return 0, nil
	}
	if n, err := c.heed(); n > 0 || err != nil {
		return copy(p, c.early[:n]), err
	}
	return c.calls.Read(p)
}

// serverBuffer is how much Go's server gathers before it writes.
const serverBuffer = 4 << 10

// Write serves net.Conn. A full buffer is the beginning of an answer of which the rest
// comes at once: both are sent together, which wakes the client up once.
func (c *conn) Write(p []byte) (int, error) {
	c.held = len(p) == serverBuffer
	return c.calls.send(p, c.held)
}

// afterListener has the goroutine that listens for a client, which ends at once, do
// so before its request is answered: another thread, woken up because there is
// more to do, would come to take it over.
func afterListener(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		runtime.Gosched()
		h.ServeHTTP(w, r)
	})
}

// look keeps deadlines that are over, and listens for a client whose request has
// been answered for a while.
func (c *conn) look(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.write.look(now, c.TCPConn.SetWriteDeadline)
	if c.heard != nil {
		return
	}
	c.read.look(now, c.TCPConn.SetReadDeadline)
	switch c.asked {
	case 0:
	case 1:
		c.asked = 2
	default:
		c.asked = 0
		heard := make(chan struct{})
		c.heard = heard
		parallel.Go(func() { c.listen(heard) }, func(*parallel.Panic) { _ = c.Close() })
	}
}

// listen reads a byte while a request is answered. A failure is that the client
// has left, unless the request is over.
func (c *conn) listen(heard chan struct{}) {
	defer close(heard)
	n, err := c.calls.Read(c.early[:])
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n = n; c.heard != heard {
		return
	}
	if c.err = err; err != nil {
		c.leave()
	}
}

// heed has nobody listen any more, and gives what was heard.
func (c *conn) heed() (n int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = 0
	heard := c.heard
	if heard == nil {
		return 0, nil
	}
	c.heard = nil
	if err := c.TCPConn.SetReadDeadline(time.Unix(1, 0)); err != nil {
		return 0, err
	}
	c.mu.Unlock()
	<-heard
	c.mu.Lock()
	n, err = c.n, c.err
	c.n, c.err, c.read.kept = 0, nil, false
	if e := c.TCPConn.SetReadDeadline(time.Time{}); err == nil {
		err = e
	}
	return n, err // io.EOF as it is: who reads compares it
}

// Close serves net.Conn.
func (c *conn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	if c.leave != nil {
		c.leave()
	}
	return c.TCPConn.Close()
}

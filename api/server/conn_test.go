package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/waittest"
)

// connected serves a handler, and gives a connection to it and the server's
// connections.
func connected(t *testing.T, s *Server) (*net.TCPConn, *conns) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.Drain, s.Log = 5*time.Second, slog.New(slog.DiscardHandler)
	all := newConns(l)
	ended := make(chan error, 1)
	go func() { ended <- s.serve(ctx, all) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(waittest.Patience)); err != nil {
		t.Fatal(err)
	}
	return c.(*net.TCPConn), all
}

func long(h http.HandlerFunc) *Server {
	return &Server{Handler: h, ReadTimeout: waittest.Patience, WriteTimeout: waittest.Patience, IdleTimeout: waittest.Patience}
}

func says(t *testing.T, r *bufio.Reader, want string) {
	t.Helper()
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(resp.Body)
	if err != nil || string(got) != want {
		t.Fatalf("%.80q, %v; want %.80q", got, err, want)
	}
}

// state returns the state of a server's only connection.
func (l *conns) state() (asked int, listening bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.asked, c.heard != nil
	}
	return 0, false
}

// TestClientWhoLeavesIsHeard checks the properties of Go's server that conn relies on: a
// reader beside a request gets nothing at once, and there is a reader once the request has
// lasted; a client who leaves then is noticed.
func TestClientWhoLeavesIsHeard(t *testing.T) {
	begun, left := make(chan struct{}), make(chan struct{})
	c, all := connected(t, long(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		close(left)
	}))
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-begun
	waittest.Until(t, "listening", func() bool { _, listening := all.state(); return listening })
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-left:
	case <-time.After(waittest.Patience):
		t.Fatal("the request goes on")
	}
}

// There is no reader beside a request that is over soon, and one that reads for a while
// leaves the next request whole, also where that came before its time.
func TestRequestsAfterListening(t *testing.T) {
	goOn := make(chan struct{})
	c, all := connected(t, long(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-goOn
		}
		_, _ = io.WriteString(w, r.URL.Path)
	}))
	r := bufio.NewReader(c)
	send := func(paths ...string) {
		t.Helper()
		for _, path := range paths {
			if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path); err != nil {
				t.Fatal(err)
			}
		}
	}
	listening := func() bool { _, is := all.state(); return is }
	for range 3 {
		send("/a")
		says(t, r, "/a")
		send("/slow")
		waittest.Until(t, "listening", listening)
		goOn <- struct{}{}
		says(t, r, "/slow")
		waittest.Until(t, "an end of listening", func() bool { return !listening() })
		send("/slow")
		waittest.Until(t, "listening", listening)
		send("/b", "/c") // early
		time.Sleep(2 * sweepEvery)
		goOn <- struct{}{}
		says(t, r, "/slow")
		says(t, r, "/b")
		says(t, r, "/c")
		if _, err := io.WriteString(c, strings.Repeat("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n", 3)+"GET /d HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil { // at once
			t.Fatal(err)
		}
		for range 3 {
			waittest.Until(t, "listening", listening)
			goOn <- struct{}{}
			says(t, r, "/slow")
		}
		says(t, r, "/d")
		waittest.Until(t, "an end of listening", func() bool { return !listening() })
	}
}

// A client who sends the beginning of a body with the request before and then no more
// has sent too little, which is not the end of a body.
func TestBodyEndsWhileListening(t *testing.T) {
	bodies := make(chan error, 2)
	goOn := make(chan struct{})
	c, all := connected(t, long(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			<-goOn
		}
		_, err := io.ReadAll(r.Body)
		bodies <- err
	}))
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nxx"); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "listening", func() bool { _, listening := all.state(); return listening })
	if err := c.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	goOn <- struct{}{}
	if err := <-bodies; err != nil {
		t.Error(err)
	}
	if err := <-bodies; !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
}

// Every length of a header and of a chunk comes through: the buffer's last byte is
// read alone too.
func TestEveryLengthIsRead(t *testing.T) {
	c, _ := connected(t, long(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		_, _ = fmt.Fprint(w, len(r.Header.Get("X")), len(body), err)
	}))
	r := bufio.NewReader(c)
	for n := 4000; n < 4110; n++ {
		if _, err := fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: x\r\nX: %s", strings.Repeat("x", n)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond) // so that what follows is a read of its own
		if _, err := io.WriteString(c, "\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		says(t, r, fmt.Sprint(n, 0, nil))
		if _, err := fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n1;%s", strings.Repeat("x", n-70)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
		if _, err := io.WriteString(c, "\r\nx\r\n0\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		says(t, r, fmt.Sprint(0, 2, nil))
	}
}

// An answer that ends with a full buffer of the server is not kept back for more, also
// where the next request came with its own and is answered once that answer was read: each
// would wait for a fifth of a second until the kernel lets it go, and so of many none
// arrives before.
func TestFullBufferAtTheEnd(t *testing.T) {
	goOn := make(chan struct{})
	c, _ := connected(t, long(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/next" {
			<-goOn
			return
		}
		n, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Length", r.URL.Path[1:])
		_, _ = w.Write(make([]byte, n))
	}))
	all := &counted{of: c}
	r := bufio.NewReader(all)
	ask := func(n int) (header int) {
		before := all.n
		if _, err := fmt.Fprintf(c, "GET /%d HTTP/1.1\r\nHost: x\r\n\r\n", n); err != nil {
			t.Fatal(err)
		}
		says(t, r, strings.Repeat("\x00", n))
		return all.n - before - n
	}
	for _, length := range []int{serverBuffer, 2 * serverBuffer} {
		n := length - ask(length-200)
		prompt(t, func() {
			if got := n + ask(n); got != length {
				t.Fatalf("%d bytes, want %d", got, length)
			}
		})
		prompt(t, func() {
			if _, err := fmt.Fprintf(c, "GET /%d HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n", n); err != nil {
				t.Fatal(err)
			}
			says(t, r, strings.Repeat("\x00", n))
			goOn <- struct{}{}
			says(t, r, "")
		})
	}
}

// prompt repeats an exchange, and fails the test where fewer than one in ten is faster than an
// answer that the kernel keeps back.
func prompt(t *testing.T, exchange func()) {
	t.Helper()
	const times = 300
	late := 0
	for range times {
		began := time.Now()
		if exchange(); time.Since(began) > 150*time.Millisecond {
			late++
		}
		if late > times*9/10 {
			t.Fatal("answers are kept back")
		}
	}
}

// counted counts what is read.
type counted struct {
	of io.Reader
	n  int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.of.Read(p)
	c.n += n
	return n, err
}

// A client that does not read its answer is cut off; one that reads the next in time is not.
func TestWhoDoesNotReadIsCutOff(t *testing.T) {
	failed := make(chan error, 1)
	s := long(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/little" {
			_, _ = io.WriteString(w, "little")
			return
		}
		for {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				failed <- err
				return
			}
		}
	})
	s.WriteTimeout = time.Second
	c, _ := connected(t, s)
	r := bufio.NewReader(c)
	for range 2 {
		_, _ = io.WriteString(c, "GET /little HTTP/1.1\r\nHost: x\r\n\r\n")
		says(t, r, "little")
		time.Sleep(s.WriteTimeout + 2*sweepEvery) // the last one's time is over
	}
	_, _ = io.WriteString(c, "GET /much HTTP/1.1\r\nHost: x\r\n\r\n")
	select {
	case err := <-failed:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error(err)
		}
	case <-time.After(waittest.Patience):
		t.Fatal("it is still written")
	}
}

// accepted returns a connection that is swept, and its client's.
func accepted(t *testing.T) (client net.Conn, all *conns, c net.Conn) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	all = newConns(l)
	ctx, stop := context.WithCancel(context.Background())
	swept := make(chan struct{})
	go func() { all.sweep(ctx); close(swept) }()
	t.Cleanup(func() { stop(); <-swept })
	if client, err = new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	if c, err = all.Accept(); err != nil {
		t.Fatal(err)
	}
	return client, all, c
}

// Go's server breaks off the goroutine that listens by a deadline that is past. Where
// that stands for a while because the machine has no time for either of them, nobody
// is taken for one who left.
func TestListeningBrokenOff(t *testing.T) {
	for _, before := range []bool{false, true} { // that goroutine reads
		client, all, c := accepted(t)
		ctx := all.withConn(t.Context(), c)
		do := func(_ int, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		request, read := make([]byte, 4), func() { do(c.Read(make([]byte, 1))) }
		for range 2 {
			do(client.Write(request))
			do(io.ReadFull(c, request))
			do(0, c.SetReadDeadline(time.Time{}))
			if !before {
				read()
			}
			do(0, c.SetReadDeadline(time.Unix(1, 0)))
			if before {
				read()
			}
			time.Sleep(4 * sweepEvery)
			do(0, c.SetReadDeadline(time.Time{}))
			do(0, c.SetReadDeadline(time.Now().Add(time.Minute)))
		}
		if ctx.Err() != nil {
			t.Error("the client counts as one who left")
		}
		do(0, c.Close())
	}
}

// A deadline that was kept can be taken back, and one that is past holds.
func TestDeadlines(t *testing.T) {
	client, all, c := accepted(t)
	p := make([]byte, 4)
	for _, at := range []time.Time{time.Now().Add(2 * sweepEvery), time.Unix(1, 0)} {
		if err := c.SetDeadline(at); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(p); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
		if _, err := c.Write(p); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
		if err := c.SetDeadline(time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Write(p); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(c, p); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if len(all.open) != 0 {
		t.Error("a closed connection is kept")
	}
}

package api_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/api/server"
	"github.com/waygate/waygate/waittest"
)

// sluggish is a client who does not send all of a request in time.
type sluggish struct {
	sent   string // before the server looks
	drip   string // a character of it every tenth of the limit, over and over
	close  bool   // the sending side, then
	status int    // 0 where there is no answer
}

// A client that sends a request slowly, or less than was announced, is refused when the time
// to read one is over, in our words.
func TestSlowRequestsAtOnce(t *testing.T) {
	d := newDoor(t)
	const head = "POST /route HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	for name, c := range map[string]sluggish{
		"nothing":                  {"", "", false, 0},
		"a header in drips":        {"POST /route HTTP/1.1\r\n", "X: y\r\n", false, 0},
		"a body in drips":          {head + "Content-Length: 1000\r\n\r\n", " ", false, 400},
		"a body that does not end": {head + "Content-Length: 1000\r\n\r\n{}", "", false, 400},
		"a body cut short":         {head + "Content-Length: 1000\r\n\r\n{}", "", true, 400},
		"chunks that do not end":   {head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", "", false, 400},
		"chunks that are none":     {head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "", false, 400},
		"two lengths":              {head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "", false, 400},
		"idle after an answer":     {"GET /health HTTP/1.1\r\nHost: x\r\n\r\n", "", false, 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var answer string
			for limit := range waittest.Limits(500 * time.Millisecond) { // a slow machine may not come to read in that time
				if answer = d.slowly(t, limit, c); answer != "" || c.status == 0 {
					break
				}
			}
			if c.status == 0 {
				return
			}
			r, err := http.ReadResponse(bufio.NewReader(strings.NewReader(answer)), nil)
			if err != nil {
				t.Fatalf("%q: %v", answer, err)
			}
			defer func() { _ = r.Body.Close() }()
			body, _ := io.ReadAll(r.Body)
			if r.StatusCode != c.status {
				t.Errorf("%d %s", r.StatusCode, body)
			}
			for _, word := range goWords {
				if strings.Contains(string(body), word) && r.Header.Get("X-Request-Id") != "" {
					t.Errorf("%q in %s", word, body)
				}
			}
		})
	}
}

// slowly returns what a client reads until the server closes the connection.
func (d *door) slowly(t *testing.T, limit time.Duration, c sluggish) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	var dripping sync.WaitGroup
	defer dripping.Wait()
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, c.sent); err != nil {
		t.Fatal(err)
	}
	if c.close {
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	slow := &server.Server{Handler: d.edge, ReadTimeout: limit, WriteTimeout: waittest.Patience, IdleTimeout: limit, Drain: time.Second, Log: slog.New(slog.DiscardHandler)}
	go func() { ended <- slow.Serve(ctx, l) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	if c.drip != "" {
		dripping.Go(func() {
			for i := 0; ; i++ {
				time.Sleep(limit / 10)
				if _, err := conn.Write([]byte{c.drip[i%len(c.drip)]}); err != nil {
					return
				}
			}
		})
	}
	if err := conn.SetReadDeadline(time.Now().Add(waittest.Patience)); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection stays open")
	}
	return string(answer)
}

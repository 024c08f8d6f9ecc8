package edge

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/api/server"
	"github.com/waygate/waygate/waittest"
)

// journal is a log that a test reads while it is written.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// TestStatusOfWhoLeaves has clients close their connection at different moments: one
// who has read all of the answer is logged with its status, whatever the handler still
// does, and one who has not as gone.
func TestStatusOfWhoLeaves(t *testing.T) {
	const size = 64 << 10
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request) error
		read   bool // all of the answer, before the client leaves
		want   string
	}{
		"after the last byte": {func(w http.ResponseWriter, r *http.Request) error {
			err := writeBody(w, http.StatusOK, "image/png", make([]byte, size))
			<-r.Context().Done()
			return err
		}, true, "status=200"},
		"after the last byte of a failure": {func(w http.ResponseWriter, r *http.Request) error {
			err := writeBody(w, http.StatusBadRequest, "application/problem+json", make([]byte, size))
			<-r.Context().Done()
			return err
		}, true, "status=400"},
		"after the last byte of a stream": {func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Set("Content-Type", "text/plain")
			_, err := w.Write(make([]byte, size))
			err = errors.Join(err, http.NewResponseController(w).Flush())
			<-r.Context().Done()
			return err
		}, true, "status=200"},
		"before the answer": {func(w http.ResponseWriter, r *http.Request) error {
			<-r.Context().Done()
			return writeBody(w, http.StatusOK, "image/png", make([]byte, size))
		}, false, "status=499"},
		"amid the answer": {func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Set("Content-Length", "1000000")
			_, err := w.Write(make([]byte, size))
			<-r.Context().Done()
			return err
		}, false, "status=499"},
		"amid an answer that then fails": {func(w http.ResponseWriter, r *http.Request) error {
			_, _ = w.Write(make([]byte, size))
			<-r.Context().Done()
			return r.Context().Err()
		}, false, "status=499"},
	} {
		t.Run(name, func(t *testing.T) {
			begun := make(chan struct{})
			e := testEdge(t, Write(Row{Method: http.MethodGet, Path: "/x", Auth: Public, Class: Free, Operational: true}, func(w http.ResponseWriter, r *http.Request, _ *struct{}) error {
				close(begun)
				return c.answer(w, r)
			}))
			log := &journal{}
			e.requests = slog.New(slog.NewTextHandler(log, nil))
			conn := connected(t, e)
			if _, err := io.WriteString(conn, "GET /x HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			<-begun
			if c.read {
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.CopyN(io.Discard, resp.Body, size); err != nil {
					t.Fatal(err)
				}
			}
			if err := conn.Close(); err != nil {
				t.Fatal(err)
			}
			waittest.Until(t, "the request is logged", func() bool { return strings.Contains(log.String(), "msg=request") })
			if !strings.Contains(log.String(), c.want) {
				t.Errorf("want %s: %s", c.want, log.String())
			}
		})
	}
}

// connected serves an edge and gives a connection to it.
func connected(t *testing.T, e *Edge) net.Conn {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server.Server{
		Handler: e, ReadTimeout: waittest.Patience, WriteTimeout: waittest.Patience, IdleTimeout: waittest.Patience,
		Drain: 5 * time.Second, Log: slog.New(slog.DiscardHandler),
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
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
	return c
}

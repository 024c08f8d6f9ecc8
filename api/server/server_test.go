package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/api/server"
	"github.com/waygate/waygate/waittest"
)

// serving starts a server and gives its address, what stops it, and what it
// ended with.
func serving(t *testing.T, h http.HandlerFunc, drain time.Duration) (address string, stop func(), ended <-chan error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := &server.Server{Handler: h, ReadTimeout: waittest.Patience, WriteTimeout: waittest.Patience, IdleTimeout: waittest.Patience, Drain: drain, Log: slog.New(slog.DiscardHandler)}
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	return "http://" + l.Addr().String(), cancel, done
}

func TestServerDrains(t *testing.T) {
	before := runtime.NumGoroutine()
	entered, release := make(chan struct{}), make(chan struct{})
	address, stop, ended := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		close(entered)
		<-release
		_, _ = io.WriteString(w, "whole")
	}, waittest.Patience)
	client := &http.Client{Transport: &http.Transport{}}
	got := make(chan string, 1)
	go func() {
		resp, err := client.Get(address)
		if err != nil {
			got <- err.Error()
			return
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		got <- string(body)
	}()
	<-entered
	stop()
	waittest.Until(t, "a draining server takes no connections", func() bool {
		c, err := net.Dial("tcp", address[len("http://"):])
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	})
	close(release)
	if body := <-got; body != "whole" {
		t.Errorf("the request under way got %q", body)
	}
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	client.CloseIdleConnections()
	settles(t, before)
}

func TestServerCutsWhatOutlastsTheDrain(t *testing.T) {
	before := runtime.NumGoroutine()
	entered, left := make(chan struct{}), make(chan struct{})
	address, stop, ended := serving(t, func(_ http.ResponseWriter, r *http.Request) {
		close(entered)
		<-r.Context().Done()
		close(left)
	}, 50*time.Millisecond)
	client := &http.Client{Transport: &http.Transport{}}
	go func() {
		if resp, err := client.Get(address); err == nil {
			_ = resp.Body.Close()
		}
	}()
	<-entered
	stop()
	select {
	case <-left:
	case <-time.After(waittest.Patience):
		t.Fatal("the request goes on")
	}
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	client.CloseIdleConnections()
	settles(t, before)
}

// A server whose listener fails leaves no connection behind: nobody would keep its
// deadlines.
func TestServerWithoutListener(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server.Server{Handler: http.NotFoundHandler(), IdleTimeout: time.Minute, Log: slog.New(slog.DiscardHandler)}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(t.Context(), l) }()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	_ = l.Close()
	if err := <-ended; err == nil {
		t.Error("no failure")
	}
	_ = c.SetReadDeadline(time.Now().Add(waittest.Patience))
	if _, err := io.Copy(io.Discard, c); err != nil {
		t.Errorf("the connection stays: %v", err)
	}
}

// settles waits until no more goroutines run than before.
func settles(t *testing.T, before int) {
	t.Helper()
	for deadline := time.Now().Add(waittest.Patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if runtime.NumGoroutine() <= before {
			return
		}
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

// TestServerDrainsAtOnce has a server stop while four clients, of whom each has sent many
// requests before, wait for an answer: each gets all of its answers whole.
func TestServerDrainsAtOnce(t *testing.T) {
	before := runtime.NumGoroutine()
	const clients, quick = 4, 20
	var entered sync.WaitGroup
	entered.Add(clients)
	release := make(chan struct{})
	address, stop, ended := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			entered.Done()
			<-release
		}
		_, _ = io.WriteString(w, r.URL.String())
	}, waittest.Patience)
	var all sync.WaitGroup
	for k := range clients {
		all.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			for n := range quick + 1 {
				path := fmt.Sprintf("/quick?%d-%d", k, n)
				if n == quick {
					path = "/slow"
				}
				resp, err := client.Get(address + path)
				if err != nil {
					t.Error(err)
					if path == "/slow" {
						entered.Done()
					}
					continue
				}
				body, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if err != nil || string(body) != path {
					t.Errorf("%s: %q, %v", path, body, err)
				}
			}
		})
	}
	entered.Wait()
	stop()
	close(release)
	all.Wait()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	settles(t, before)
}

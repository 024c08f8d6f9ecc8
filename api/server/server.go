// Package server serves a handler over HTTP: it listens, drains when it is to end, and keeps
// the deadlines of connections in one sweep in place of a timer for each.
package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/waygate/waygate/parallel"
)

// Server serves a handler on a listener until its context ends.
type Server struct {
	Handler      http.Handler
	ReadTimeout  time.Duration // to read a whole request
	WriteTimeout time.Duration // to answer one, from the end of its header
	IdleTimeout  time.Duration // between requests on one connection
	Linger       time.Duration // requests are still taken for so long once the context ends
	Drain        time.Duration // requests under way have this long after that
	Log          *slog.Logger
}

// maxHeader bounds a request's header, the path with its coordinates included.
const maxHeader = 64 << 10

// Serve answers on l until ctx ends and for Linger after that, in which load
// balancers find out; then it takes no new request and lets those under way
// finish within Drain. It gives nil after an orderly end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	return s.serve(ctx, newConns(l))
}

func (s *Server) serve(ctx context.Context, accepted *conns) error {
	requests, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	sweeping, enough := context.WithCancel(context.WithoutCancel(ctx))
	var sweep parallel.Group
	defer sweep.Wait()
	defer enough()
	sweep.Go(func() {
		parallel.Supervise(sweeping, accepted.sweep, func(p *parallel.Panic) {
			s.Log.Error("a panic while looking after connections", "error", p, "stack", string(p.Stack))
		})
	})
	srv := &http.Server{
		Handler:           afterListener(s.Handler),
		ReadTimeout:       s.ReadTimeout,
		ReadHeaderTimeout: s.ReadTimeout,
		WriteTimeout:      s.WriteTimeout,
		IdleTimeout:       s.IdleTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ConnContext:       accepted.withConn,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
	defer func() { _ = srv.Close() }() // where the listener fails: nobody would keep the deadlines of what is open
	failed := make(chan error, 1)
	parallel.Go(func() { failed <- srv.Serve(accepted) }, func(p *parallel.Panic) { failed <- p })
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	if s.Linger > 0 {
		s.Log.Info("stopping; requests are still taken", "for", s.Linger)
		select {
		case err := <-failed:
			return err
		case <-time.After(s.Linger):
		}
	}
	s.Log.Info("draining", "for", s.Drain)
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Drain)
	defer cancel()
	err := srv.Shutdown(limit)
	if errors.Is(err, context.DeadlineExceeded) {
		s.Log.Warn("requests were still under way after the drain; their connections are cut")
		abandon()
		err = srv.Close()
	}
	if e := <-failed; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return err
}

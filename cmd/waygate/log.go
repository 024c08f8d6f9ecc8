package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// lines is a log that is written in batches: a system call for each request would make
// all requests wait for the reader of the log.
//
// Lines through prompt are written at once, after all earlier lines. All others are
// written within batchEvery while Run runs, and at once otherwise.
type lines struct {
	to io.Writer

	mu      sync.Mutex
	pending []byte
	batched bool // Run runs
	begun   chan struct{}

	writing sync.Mutex // held before mu
	written []byte     // for the next lines
}

// batchEvery is the longest time that a line waits for others; batchBytes is how many
// bytes wait at most.
const (
	batchEvery = 100 * time.Millisecond
	batchBytes = 64 << 10
)

func newLines(to io.Writer) *lines { return &lines{to: to, begun: make(chan struct{}, 1)} }

// Write adds lines to the log.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	first := len(l.pending) == 0
	l.pending = append(l.pending, p...)
	now := !l.batched || len(l.pending) > batchBytes
	l.mu.Unlock()
	if now {
		l.flush()
	} else if first {
		select {
		case l.begun <- struct{}{}:
		default:
		}
	}
	return len(p), nil
}

// flush writes the waiting lines. A caller waits for a write that is under way.
func (l *lines) flush() {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	out := l.pending
	l.pending = l.written[:0]
	l.mu.Unlock()
	if len(out) > 0 {
		_, _ = l.to.Write(out) // a log that cannot be written is no reason to stop
	}
	if cap(out) > 2*batchBytes {
		out = nil
	}
	l.written = out
}

// Run writes in batches until ctx ends.
func (l *lines) Run(ctx context.Context) {
	l.batch(true)
	defer l.batch(false)
	wait := time.NewTimer(batchEvery)
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.begun:
		}
		wait.Reset(batchEvery)
		select {
		case <-ctx.Done():
			return
		case <-wait.C:
		}
		l.flush()
	}
}

func (l *lines) batch(on bool) {
	l.mu.Lock()
	l.batched = on
	l.mu.Unlock()
	l.flush()
}

// prompt returns a writer to the same log that does not wait.
func (l *lines) prompt() io.Writer { return prompt{l} }

type prompt struct{ *lines }

func (p prompt) Write(text []byte) (int, error) {
	n, err := p.lines.Write(text)
	p.flush()
	return n, err
}

// log makes the log of a deployment.
func (s *settings) log(w io.Writer) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		level = slog.LevelInfo
	}
	options := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" {
		options.ReplaceAttr = inMilliseconds
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/waittest"
)

// written counts the writes of a log, which is read while it is written.
type written struct {
	mu     sync.Mutex
	text   bytes.Buffer
	writes int
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes++
	return w.text.Write(p)
}

func (w *written) is() (text string, writes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String(), w.writes
}

func TestLogIsWholeAndInOrderAtOnce(t *testing.T) {
	var out written
	l := newLines(&out)
	ctx, stop := context.WithCancel(t.Context())
	var running parallel.Group
	running.Go(func() { l.Run(ctx) })
	const writers, each = 8, 500
	var all parallel.Group
	for w := range writers {
		all.Go(func() {
			for i := range each {
				to := io.Writer(l)
				if i%100 == 0 {
					to = l.prompt()
				}
				if _, err := fmt.Fprintf(to, "%d %d %s\n", w, i, strings.Repeat("x", 200)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	stop()
	running.Wait()
	if _, err := l.Write([]byte("after the end\n")); err != nil {
		t.Error(err)
	}
	text, _ := out.is()
	next := make([]int, writers)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != writers*each+1 || lines[len(lines)-1] != "after the end" {
		t.Fatalf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	for _, line := range lines[:len(lines)-1] {
		var w, i int
		if _, err := fmt.Sscan(line, &w, &i); err != nil || i != next[w] {
			t.Fatalf("%q where line %d of writer %d comes next (%v)", line, next[w], w, err)
		}
		next[w]++
	}
}

func TestLogGoesOutByItself(t *testing.T) {
	var out written
	l := newLines(&out)
	var running parallel.Group
	ctx, stop := context.WithCancel(t.Context())
	defer running.Wait()
	defer stop()
	running.Go(func() { l.Run(ctx) })
	for i := range 3 {
		line := fmt.Sprintf("line %d\n", i)
		if _, err := l.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "a line is written", func() bool {
			text, _ := out.is()
			return strings.HasSuffix(text, line)
		})
	}
}

func TestLogIsPromptWhereAsked(t *testing.T) {
	var out written
	l := newLines(&out)
	l.batch(true)
	if _, err := l.Write([]byte("waits\n")); err != nil {
		t.Fatal(err)
	}
	if text, _ := out.is(); text != "" {
		t.Errorf("written at once: %q", text)
	}
	if _, err := l.prompt().Write([]byte("does not\n")); err != nil {
		t.Fatal(err)
	}
	if text, writes := out.is(); text != "waits\ndoes not\n" || writes != 1 {
		t.Errorf("%q in %d writes", text, writes)
	}
	if _, err := l.Write(bytes.Repeat([]byte("x"), batchBytes+1)); err != nil {
		t.Fatal(err)
	}
	if text, _ := out.is(); len(text) < batchBytes {
		t.Errorf("%d bytes wait", batchBytes)
	}
}

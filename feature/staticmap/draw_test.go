package staticmap

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/render"
)

// A map whose time is up while the browser starts was not drawn in time; one whose
// caller has left is nobody's failure, and one of a server that stops may be asked for
// again. A browser that never starts is a shell that waits.
func TestDrawInVain(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nsleep 3600 & wait\n"), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	s := &Service{Pool: render.New(render.Options{Chromium: program, Page: Page, Site: fstest.MapFS{}, Size: 1, Waiting: 1, Log: slog.New(slog.DiscardHandler)})}
	t.Cleanup(s.Pool.Close)
	for range 2 { // the place comes back
		soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := s.Draw(soon, &Picture{}, false); !fault.Is(err, fault.StaticMapUnavailable) {
			t.Errorf("the time is up: %v", err)
		}
		cancel()
		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, leave)
		if _, err := s.Draw(gone, &Picture{}, false); !errors.Is(err, context.Canceled) {
			t.Errorf("the caller has left: %v", err)
		}
	}
	s.Pool.Close()
	if _, err := s.Draw(t.Context(), &Picture{}, false); !fault.Is(err, fault.StaticMapUnavailable) {
		t.Errorf("the server stops: %v", err)
	}
}

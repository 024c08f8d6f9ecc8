package main

import (
	"log/slog"
	"testing"
)

// TestSecondOpinionsAreWatched checks that the servers of an engine for second opinions are
// probed as those of the engine that answers: one that was put aside would not come back
// else.
func TestSecondOpinionsAreWatched(t *testing.T) {
	p := &process{log: slog.New(slog.DiscardHandler)}
	p.RoutingEngine, p.ValhallaURL = "embedded", []string{"http://a.example:1", "http://b.example:1"}
	o, err := p.engines()
	if err != nil {
		t.Fatal(err)
	}
	if o.Remote != nil || o.Second == nil || len(p.remote) != 1 || len(p.remote[0].Servers()) != 2 {
		t.Errorf("the remote engine is %v, the second %v, and %d are watched", o.Remote, o.Second, len(p.remote))
	}
	p = &process{log: slog.New(slog.DiscardHandler)}
	p.RoutingEngine, p.ValhallaURL = "auto", []string{"http://a.example:1"}
	if o, err := p.engines(); err != nil || o.Remote == nil || o.Second != nil || len(p.remote) != 1 {
		t.Errorf("one engine: %v, second %v, %d watched, %v", o.Remote, o.Second, len(p.remote), err)
	}
}

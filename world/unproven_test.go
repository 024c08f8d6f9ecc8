package world

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/region"
)

// TestImportedWithoutAServer imports regions while no server runs: the one in service before
// answers after the start until Watch has compared the new one with it, through any number of
// imports, and goes on answering where that is turned down.
func TestImportedWithoutAServer(t *testing.T) {
	good, better, bad, worse := streets("50", 0), streets("60", 0), streets("50", 6), streets("50", 7)
	dir := t.TempDir()
	options := Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: Canary{On: true, Least: 1}, Log: slog.New(slog.DiscardHandler)}
	name := func(s *Set) string {
		w, done := s.Acquire()
		defer done()
		return w.Regions()[0].Name
	}
	// served opens the folder and returns which region answers at once, and once all is compared.
	served := func() (first, last string) {
		t.Helper()
		looked := make(chan struct{}, 1)
		options.Swapped = func(bool) { looked <- struct{}{} }
		s, err := Open(options)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		first = name(s)
		if !s.folders[0].waiting {
			return first, first
		}
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.Watch(ctx, nil, 0)
		}()
		<-looked
		end()
		<-ended
		return first, name(s)
	}
	for _, step := range []struct {
		name        string
		imports     func()
		first, last string
	}{
		{"the first", func() { imported(t, dir, "town", "Good", good) }, "Good", "Good"},
		{"a bad one", func() { imported(t, dir, "town", "Bad", bad) }, "Good", "Good"},
		{"again", func() {}, "Good", "Good"},
		{"two bad ones", func() { imported(t, dir, "town", "Bad", bad); imported(t, dir, "town", "Worse", worse) }, "Good", "Good"},
		{"one that agrees", func() { imported(t, dir, "town", "Better", better) }, "Good", "Better"},
	} {
		step.imports()
		if first, last := served(); first != step.first || last != step.last {
			t.Errorf("%s: in service is %s and then %s, want %s and %s", step.name, first, last, step.first, step.last)
		}
	}
	// It was on probation when the server ended, and is compared again.
	if first, last := served(); first != "Good" || last != "Better" {
		t.Errorf("after the swap: %s and then %s", first, last)
	}
	options.Canary.On = false
	imported(t, dir, "town", "Bad", bad)
	if first, _ := served(); first != "Bad" {
		t.Errorf("where no region is compared, %s is in service", first)
	}
}

// TestServedWithoutComparisons has a server that compares none take regions: the one to go back to is
// the last one, and not that of the time when regions were compared.
func TestServedWithoutComparisons(t *testing.T) {
	dir := t.TempDir()
	options := Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: Canary{On: true, Least: 1}, Log: slog.New(slog.DiscardHandler)}
	imported(t, dir, "town", "Old", streets("50", 0))
	s, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	imported(t, dir, "town", "Newer", streets("50", 6))
	options.Canary.On = false
	if s, err = Open(options); err != nil {
		t.Fatal(err)
	}
	over, end := context.WithCancel(t.Context())
	end()
	s.Watch(over, nil, 0)
	s.Close()
	imported(t, dir, "town", "Newest", streets("50", 7))
	if m, err := region.ReadPrevious(dir); err != nil || m.Name != "Newer" {
		t.Errorf("the region to go back to is %+v (%v)", m, err)
	}
	options.Canary.On = true
	if s, err = Open(options); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if w, done := s.Acquire(); w.Regions()[0].Name != "Newest" {
		t.Errorf("%s is in service", w.Regions()[0].Name)
	} else {
		done()
	}
}

// TestTwoBadImportsWithinOnePoll imports two regions before the server looks: the one in service
// is left to go back to, also after the second was turned down.
func TestTwoBadImportsWithinOnePoll(t *testing.T) {
	dir := t.TempDir()
	imported(t, dir, "town", "Good", streets("50", 0))
	options := Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: Canary{On: true, Least: 1}, Log: slog.New(slog.DiscardHandler)}
	for range 2 {
		s, err := Open(options)
		if err != nil {
			t.Fatal(err)
		}
		imported(t, dir, "town", "Bad", streets("50", 6))
		imported(t, dir, "town", "Worse", streets("50", 7))
		if err := s.replace(t.Context(), 0); err == nil {
			t.Error("the second is taken")
		}
		s.Close()
		if m, err := region.ReadPrevious(dir); err != nil || m.Name != "Good" || region.VerifyPrevious(t.Context(), dir) != nil {
			t.Errorf("the region to go back to is %+v (%v)", m, err)
		}
	}
}

// TestAnIncompleteRegionStandsIn damages, in the region that answers in place of one that was turned
// down, a part that routes can do without: it answers without that part, before and after a start.
func TestAnIncompleteRegionStandsIn(t *testing.T) {
	dir := t.TempDir()
	imported(t, dir, "town", "Good", streets("50", 0))
	options := Options{Dirs: []string{dir}, MetricMemory: 64 << 20, Canary: Canary{On: true, Least: 1}, Log: slog.New(slog.DiscardHandler)}
	s, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { s.Close() }()
	imported(t, dir, "town", "Bad", streets("50", 6))
	if err := s.replace(t.Context(), 0); err == nil {
		t.Fatal("the bad one is taken")
	}
	m, err := region.ReadPrevious(dir)
	if err != nil {
		t.Fatal(err)
	}
	info, _ := m.Section("landmarks")
	path := filepath.Join(dir, info.File)
	if err := errors.Join(os.WriteFile(path+".damaged", make([]byte, info.Size), 0o600), os.Rename(path+".damaged", path)); err != nil {
		t.Fatal(err)
	}
	answers := func(when string) {
		t.Helper()
		w, done := s.Acquire()
		defer done()
		if r := w.Regions()[0]; r.Name != "Good" || r.out() || len(r.lost) != 1 {
			t.Errorf("%s: %s is in service (out of it: %v) without %v", when, r.Name, r.out(), r.lost)
		}
	}
	s.folders[0].region.fail(&region.Damage{Section: "landmarks", Err: errors.New("it is damaged")})
	s.withhold(t.Context(), 0, s.folders[0].region.condition.losing)
	answers("while the server runs")
	s.Close()
	if s, err = Open(options); err != nil {
		t.Fatal(err)
	}
	answers("after a start")
}

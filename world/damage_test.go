package world

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
)

// journal is a log to read.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) count(says string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Count(j.text.String(), says)
}

// kept opens regions and keeps them until the test ends.
func kept(t *testing.T, dirs ...string) (*Set, *journal) {
	t.Helper()
	j := &journal{}
	s, err := Open(Options{Dirs: dirs, Log: slog.New(slog.NewTextHandler(j, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { s.Watch(ctx, nil, 20*time.Millisecond) })
	work.Go(func() { s.Check(ctx, 20*time.Millisecond) })
	t.Cleanup(func() {
		end()
		work.Wait()
		s.Close()
	})
	return s, j
}

// seen waits until the regions in service are as they should be.
func seen(t *testing.T, s *Set, what string, is func(w *World) bool) {
	t.Helper()
	waittest.Until(t, what, func() bool {
		w, release := s.Acquire()
		defer release()
		return is(w)
	})
}

func imported(t *testing.T, dir, id, name string, town *towntest.Town) {
	t.Helper()
	if _, err := importer.Run(t.Context(), importer.Options{Dir: dir, Sources: []string{town.PBF(t)}, ID: id, Name: name, NoMap: true}); err != nil {
		t.Fatal(err)
	}
}

// zeroed clears half of a section in place, and gives what puts it back.
func zeroed(t *testing.T, dir, name string) (back func()) {
	t.Helper()
	m, err := region.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	info, _ := m.Section(name)
	path := filepath.Join(dir, info.File)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put := func(data []byte) {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteAt(data, 0)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	bad := bytes.Clone(data)
	clear(bad[len(bad)/2:])
	put(bad)
	return func() { put(data) }
}

func grid(t *testing.T, drawing string, where geo.Point) *towntest.Town {
	t.Helper()
	return towntest.Draw(t, drawing, towntest.Ways{{"ab", "primary"}, {"ac", "primary"}, {"cd", "primary"}, {"bd", "primary"}}, towntest.At(where))
}

// TestTheRegionBeforeStandsIn has a region damaged that was imported over
// another one, and put in order again.
func TestTheRegionBeforeStandsIn(t *testing.T) {
	dir := t.TempDir()
	imported(t, dir, "town", "First", grid(t, "a---b\n|   |\nc---d", towntest.England))
	imported(t, dir, "town", "Second", grid(t, "a----b\n|    |\nc----d", towntest.England))
	s, log := kept(t, dir)
	back := zeroed(t, dir, "snap")
	seen(t, s, "the first region stands in", func(w *World) bool {
		r, err := w.At()
		return err == nil && r.Name == "First" && strings.Contains(r.Trouble(), "answers in its place")
	})
	if n := log.count("is damaged and out of service"); n != 1 || log.count("section snap does not match") != 1 {
		t.Errorf("%d alarms:\n%s", n, &log.text)
	}
	back()
	seen(t, s, "the second region is back", func(w *World) bool {
		r, err := w.At()
		return err == nil && r.Name == "Second" && r.Trouble() == ""
	})
	// A start with the damage comes to the same.
	zeroed(t, dir, "graph")
	s, _ = kept(t, dir)
	seen(t, s, "the first region stands in after a start", func(w *World) bool {
		r, err := w.At()
		return err == nil && r.Name == "First" && r.Trouble() != ""
	})
	if err := os.Truncate(filepath.Join(dir, region.ManifestName), 10); err != nil {
		t.Fatal(err)
	}
	s, _ = kept(t, dir)
	seen(t, s, "the first region stands in for one without a manifest", func(w *World) bool {
		r, err := w.At()
		return err == nil && r.Name == "First" && r.Trouble() != ""
	})
}

// TestOthersGoOn has one of two regions damaged, with none before it.
func TestOthersGoOn(t *testing.T) {
	west, east := t.TempDir(), t.TempDir()
	english, german := grid(t, "a---b\n|   |\nc---d", towntest.England), grid(t, "a---b\n|   |\nc---d", towntest.Germany)
	imported(t, west, "west", "West", english)
	imported(t, east, "east", "East", german)
	check := func(s *Set) {
		t.Helper()
		seen(t, s, "the west is out of service", func(w *World) bool { return w.InService("west") != nil })
		w, release := s.Acquire()
		defer release()
		var f *fault.Error
		if _, err := w.At(english.Point("a")); !errors.As(err, &f) || f.Slug != fault.UpstreamUnavailable || f.Fields["retry_after"] == nil {
			t.Errorf("in the west: %v", err)
		}
		if r, err := w.At(german.Point("a")); err != nil || r.ID != "east" || r.Trouble() != "" {
			t.Errorf("in the east: %v", err)
		}
		if w.InService("east") != nil || w.Engine().Can().Name != "embedded" || !strings.Contains(w.Regions()[0].Trouble(), "region west is out of service") {
			t.Errorf("%v, %s, %q", w.InService("east"), w.Engine().Can().Name, w.Regions()[0].Trouble())
		}
	}
	s, _ := kept(t, west, east)
	back := zeroed(t, west, "hierarchy")
	check(s)
	back()
	seen(t, s, "the west is back", func(w *World) bool { return w.InService("west") == nil })

	m, err := region.ReadManifest(west)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(west, m.Sections[0].File), 5); err != nil {
		t.Fatal(err)
	}
	s, _ = kept(t, west, east)
	check(s)
	imported(t, west, "west", "West", english)
	seen(t, s, "an import has put the west in order", func(w *World) bool { return w.InService("west") == nil })
}

// TestAtPassesOver checks that a region out of service is passed over where
// another holds the places, and only there.
func TestAtPassesOver(t *testing.T) {
	country, town := box("country", 5, 45, 15, 55), box("town", 10, 50, 10.1, 50.1)
	w, err := New(nil, country, town)
	if err != nil {
		t.Fatal(err)
	}
	out := &condition{}
	out.out.Store(true)
	town.condition = out
	if r, err := w.At(at(50.05, 10.05)); err != nil || r != country {
		t.Errorf("in the town: %v, %v", r, err)
	}
	town.condition, country.condition = nil, out
	if r, err := w.At(at(50.05, 10.05)); err != nil || r != town {
		t.Errorf("in the town of a country out of service: %v, %v", r, err)
	}
	// Near the town and in the country: that is where the country's roads are.
	if r, err := w.At(at(50.105, 10.05)); err == nil {
		t.Errorf("beside the town: %v", r)
	}
}

// TestADefectIsNoDamage has a request panic on sound files.
func TestADefectIsNoDamage(t *testing.T) {
	dir := t.TempDir()
	imported(t, dir, "town", "Town", grid(t, "a---b\n|   |\nc---d", towntest.England))
	s, log := kept(t, dir)
	w, release := s.Acquire()
	w.HandlePanic(fmt.Errorf("index out of range"))
	release()
	seen(t, s, "the files are found sound", func(*World) bool { return log.count("the gateway has a defect") > 0 })
	seen(t, s, "the region is in service", func(w *World) bool { return w.InService("town") == nil && w.Regions()[0].Trouble() == "" })
}

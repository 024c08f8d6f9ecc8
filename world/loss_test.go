package world

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/towntest"
)

// full returns a town with something of everything that regions hold.
func full(t *testing.T, name string) (dir string, town *towntest.Town) {
	t.Helper()
	town = towntest.Draw(t, "a---b---c\n|   |   |\nd---e---f", towntest.Ways{
		{"abc", "primary name=High"}, {"def", "residential"}, {"ad", "residential maxheight=3"}, {"be", "residential"}, {"cf", "service"},
	}, towntest.Nodes{{"e", "amenity=pub name=Lion"}, {"b", "amenity=charging_station name=Plug"}}, towntest.At(towntest.England))
	dir = t.TempDir()
	importedWhole(t, dir, name, town)
	return dir, town
}

func importedWhole(t *testing.T, dir, name string, town *towntest.Town) {
	t.Helper()
	if _, err := importer.Run(t.Context(), importer.Options{Dir: dir, Sources: []string{town.PBF(t)}, ID: "town", Name: name}); err != nil {
		t.Fatal(err)
	}
}

// watching keeps regions by looking at their folders alone: what Check does is not
// waited for.
func watching(t *testing.T, dirs ...string) (*Set, *journal) {
	t.Helper()
	j := &journal{}
	s, err := Open(Options{Dirs: dirs, Log: slog.New(slog.NewTextHandler(j, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { s.Watch(ctx, nil, 20*time.Millisecond) })
	t.Cleanup(func() {
		end()
		work.Wait()
		s.Close()
	})
	return s, j
}

// routed reports whether a way from one point to another is found.
func routed(t *testing.T, r *Region, town *towntest.Town) bool {
	t.Helper()
	best, err := engine.Best(t.Context(), r.Engine, &engine.RouteRequest{Locations: engine.Stops([]geo.Point{town.Point("a"), town.Point("f")}), Costing: costing.Auto})
	return err == nil && best.Metres > 0
}

// has returns which of the sections that routes can do without a region has.
func has(r *Region) map[string]bool {
	return map[string]bool{
		"boundaries": r.Boundaries != nil, "landmarks": r.Landmarks != nil && r.Landmarks.Index != nil, "places": r.Places != nil, "coverage": r.Coverage != nil,
		"zones": r.Zones != nil && r.Zones != r.datasets, "roadside": r.Chargers != nil, "map": r.tiles != nil,
	}
}

// TestLosses damages each section that routes are found without, before the start and
// while it is served. The region answers as if it had been built without, says so, and
// has all of it again when it is put in order.
func TestLosses(t *testing.T) {
	dir, town := full(t, "Town")
	m, err := region.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	damaged := 0
	for _, source := range sources() {
		for _, section := range source.sections {
			if _, there := m.Section(section); !source.optional || !there {
				continue
			}
			damaged++
			for _, way := range []string{"live", "at the start", "cut short at the start", "missing at the start"} {
				t.Run(section+" "+way, func(t *testing.T) {
					info, _ := m.Section(section)
					path := filepath.Join(dir, info.File)
					data, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					back := func() {
						if err := os.WriteFile(path, data, 0o600); err != nil {
							t.Fatal(err)
						}
					}
					defer back()
					var s *Set
					var log *journal
					switch way {
					case "live":
						s, log = watching(t, dir)
						w, done := s.Acquire()
						if r := w.Regions()[0]; r.Trouble() != "" || !routed(t, r, town) || source.name != "zones" && !has(r)[source.name] {
							t.Fatalf("%q, %v", r.Trouble(), has(r))
						}
						done()
						zeroed(t, dir, section)
					case "at the start":
						zeroed(t, dir, section)
						s, log = kept(t, dir)
					case "cut short at the start":
						if err := os.Truncate(path, info.Size/2); err != nil {
							t.Fatal(err)
						}
						s, log = watching(t, dir)
					default:
						if err := os.Remove(path); err != nil {
							t.Fatal(err)
						}
						s, log = watching(t, dir)
					}
					seen(t, s, "it goes on without", func(w *World) bool {
						r := w.Regions()[0]
						return len(r.lost) > 0 && strings.Contains(r.Trouble(), "answers without its "+source.name+", whose file is ")
					})
					w, done := s.Acquire()
					r := w.Regions()[0]
					if what := has(r); what[source.name] && source.name != "zones" || w.InService("town") != nil || !routed(t, r, town) || r.Zones == nil || r.Landmarks == nil {
						t.Errorf("%v, %v", what, w.InService("town"))
					}
					for name, there := range has(r) {
						if name != source.name && name != "zones" && !there {
							t.Errorf("%s is lost with %s", name, section)
						}
					}
					if strings.Contains(r.Trouble(), dir) {
						t.Errorf("%s tells a path", r.Trouble())
					}
					done()
					if log.count("is opened without something it was built with") == 0 {
						t.Errorf("nothing in the log:\n%s", &log.text)
					}
					back()
					seen(t, s, "all of it is back", func(w *World) bool { return w.Regions()[0].Trouble() == "" && len(w.Regions()[0].lost) == 0 })
				})
			}
		}
	}
	if damaged < 6 {
		t.Errorf("%d sections were damaged only", damaged)
	}
}

// TestNeeded checks that a start is refused where a section is damaged that routes need.
func TestNeeded(t *testing.T) {
	dir, _ := full(t, "Town")
	m, err := region.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"graph", "hierarchy", "snap"} {
		info, ok := m.Section(name)
		if !ok {
			t.Fatalf("no section %s", name)
		}
		path := filepath.Join(dir, info.File)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 100); err != nil {
			t.Fatal(err)
		}
		if s, err := Open(Options{Dirs: []string{dir}, Log: slog.New(slog.DiscardHandler)}); err == nil || !strings.Contains(err.Error(), "section "+name) {
			t.Errorf("%s: %v", name, err)
			if s != nil {
				s.Close()
			}
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSwapRefusesLosses checks that a new region of which anything is damaged does not
// take the place of a whole one.
func TestSwapRefusesLosses(t *testing.T) {
	dir, town := full(t, "First")
	s, log := watching(t, dir)
	other := t.TempDir()
	importedWhole(t, other, "Second", towntest.Draw(t, "a----b----c\n|    |    |\nd----e----f", towntest.Ways{{"abc", "primary name=High"}, {"def", "residential"}, {"ad", "residential"}, {"cf", "service"}},
		towntest.Nodes{{"e", "amenity=pub name=Lion"}}, towntest.At(towntest.England)))
	m, err := region.ReadManifest(other)
	if err != nil {
		t.Fatal(err)
	}
	zeroed(t, other, "landmarks")
	if err := os.CopyFS(filepath.Join(dir, "new"), os.DirFS(other)); err != nil {
		t.Fatal(err)
	}
	for _, section := range m.Sections {
		if err := os.Rename(filepath.Join(dir, "new", section.File), filepath.Join(dir, section.File)); err != nil {
			t.Fatal(err)
		}
	}
	if err := region.Seal(dir, m); err != nil {
		t.Fatal(err)
	}
	seen(t, s, "the new one is turned down", func(w *World) bool {
		return log.count("the new region is turned down") > 0 && log.count("section landmarks") > 0
	})
	w, done := s.Acquire()
	if r := w.Regions()[0]; r.Name != "First" || !has(r)["landmarks"] || !routed(t, r, town) {
		t.Errorf("%s, %v", r.Name, has(r))
	}
	done()
}

// TestFilesThatChange has files of a region in service touched, overwritten, replaced
// and removed.
func TestFilesThatChange(t *testing.T) {
	dir, town := full(t, "Town")
	m, err := region.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	info, _ := m.Section("graph")
	path := filepath.Join(dir, info.File)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const compared = "they are compared with their checksums"
	s, log := watching(t, dir)
	sound := func() {
		t.Helper()
		w, done := s.Acquire()
		defer done()
		if r := w.Regions()[0]; r.Trouble() != "" || !routed(t, r, town) {
			t.Errorf("%q", r.Trouble())
		}
	}
	// A mere touch is verified once, or once more where it is of this moment.
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	seen(t, s, "a touched file is compared", func(*World) bool { return log.count(compared) == 1 })
	time.Sleep(300 * time.Millisecond) // many polls
	if n := log.count(compared); n != 1 {
		t.Errorf("a touched file was compared %d times", n)
	}
	sound()
	if err := os.Chtimes(path, time.Time{}, time.Now()); err != nil {
		t.Fatal(err)
	}
	// If it is looked at while it is of this moment, it is compared once more.
	seen(t, s, "a file of this moment is compared", func(*World) bool { return log.count(compared) >= 2 })
	time.Sleep(300 * time.Millisecond)
	if n := log.count(compared); n > 3 {
		t.Errorf("it was compared %d times", n-1)
	}
	sound()
	// The file that replaces another is not the one that is open.
	put := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(path+".x", data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".x", path); err != nil {
			t.Fatal(err)
		}
	}
	put(slices.Concat(data[:len(data)/2], make([]byte, len(data)-len(data)/2)))
	beside := func(w *World) bool {
		r := w.Regions()[0]
		return strings.Contains(r.Trouble(), "no longer in its folder, where those of graph are missing or damaged") && routed(t, r, town)
	}
	seen(t, s, "what has taken its place is reported", beside)
	put(data)
	seen(t, s, "it is in order", func(w *World) bool { return w.Regions()[0].Trouble() == "" })
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	seen(t, s, "what is gone is reported", beside)
	put(data)
	seen(t, s, "it is in order again", func(w *World) bool { return w.Regions()[0].Trouble() == "" })
	sound()
	// An overwritten file is found at the next look, and not at the next Check.
	back := zeroed(t, dir, "graph")
	seen(t, s, "it is out of service", func(w *World) bool { return w.InService("town") != nil })
	back()
	seen(t, s, "it is back", func(w *World) bool { return w.InService("town") == nil && w.Regions()[0].Trouble() == "" })
	sound()
}

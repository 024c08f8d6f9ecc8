package observations

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/importer/basemap"
	"github.com/waygate/waygate/index/surroundings"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/osm"
)

// origin is where drawings begin; positions in them are metres to the east and north.
var origin = geo.Point{Lon: 1, Lat: 51}

func pointAt(x, y float64) geo.Point {
	const degree = geo.EarthRadius * math.Pi / 180
	return geo.Point{Lon: origin.Lon + x/degree/math.Cos(origin.Lat*math.Pi/180), Lat: origin.Lat + y/degree}
}

// drawing is a map that is drawn in metres.
type drawing struct {
	data osm.Data
	next int64
}

func tagsOf(pairs []string) (t osm.Tags) {
	for i := 0; i < len(pairs); i += 2 {
		t = append(t, osm.Tag{Key: pairs[i], Value: pairs[i+1]})
	}
	return t
}

func (d *drawing) node(x, y float64, pairs ...string) int64 {
	d.next++
	p := pointAt(x, y)
	d.data.Nodes = append(d.data.Nodes, osm.Node{ID: d.next, Lon: int32(math.Round(p.Lon * 1e7)), Lat: int32(math.Round(p.Lat * 1e7)), Version: 1, Tags: tagsOf(pairs)})
	return d.next
}

func (d *drawing) way(xy [][2]float64, pairs ...string) {
	w := osm.Way{Version: 1, Tags: tagsOf(pairs)}
	for _, p := range xy {
		w.Nodes = append(w.Nodes, d.node(p[0], p[1]))
	}
	d.close(&w)
}

func (d *drawing) box(left, foot, right, top float64, pairs ...string) {
	w := osm.Way{Version: 1, Tags: tagsOf(pairs)}
	for _, p := range [][2]float64{{left, foot}, {right, foot}, {right, top}, {left, top}} {
		w.Nodes = append(w.Nodes, d.node(p[0], p[1]))
	}
	w.Nodes = append(w.Nodes, w.Nodes[0])
	d.close(&w)
}

func (d *drawing) close(w *osm.Way) {
	d.next++
	w.ID = d.next
	d.data.Ways = append(d.data.Ways, *w)
}

// east returns a line from west to east.
func east(from, to, y float64) [][2]float64 { return [][2]float64{{from, y}, {to, y}} }

// north returns a line from south to north over y = 0.
func north(x, from, to float64) [][2]float64 { return [][2]float64{{x, from}, {x, to}} }

// service draws the map.
func (d *drawing) service(t *testing.T) *Service {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "town.osm.pbf"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(osm.WritePBF(f, &d.data), f.Close()); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "map.pmtiles")
	if _, err := basemap.Build(t.Context(), basemap.Options{Sources: []string{f.Name()}, Out: out, Progress: func(string, int64, int64) {}}); err != nil {
		t.Fatal(err)
	}
	r, err := tileset.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() }) // read only
	return &Service{Ground: surroundings.New(r), Attribution: []string{"drawn"}}
}

// hills are heights by where a place is.
type hills func(x, y float64) float64

func (h hills) Heights(_ context.Context, places []geo.Point) (metres []float64, damaged []error, err error) {
	o := pointAt(0, 0)
	for _, p := range places {
		const degree = geo.EarthRadius * math.Pi / 180
		metres = append(metres, h((p.Lon-o.Lon)*degree*math.Cos(o.Lat*math.Pi/180), (p.Lat-o.Lat)*degree))
	}
	return metres, nil, nil
}

func observe(t *testing.T, s *Service, change func(*Request), xy ...[2]float64) *Answer {
	t.Helper()
	q := &Request{Most: 200}
	q.Language, _ = narrate.Find("")
	for _, p := range xy {
		q.Line = append(q.Line, pointAt(p[0], p[1]))
	}
	if change != nil {
		change(q)
	}
	a, damaged, err := s.Observe(t.Context(), q)
	if err != nil || len(damaged) > 0 {
		t.Fatal(err, damaged)
	}
	return a
}

// subjects returns those of a kind, in order.
func subjects(a *Answer, kind Kind) (list []string) {
	for _, o := range a.Observations {
		if o.Kind == kind {
			list = append(list, o.Subject)
		}
	}
	return list
}

// TestTraps draws what may be claimed beside what may not.
func TestTraps(t *testing.T) {
	d := &drawing{}
	road := func(from, to, y float64, pairs ...string) {
		d.way(east(from, to, y), append([]string{"highway", "primary"}, pairs...)...)
	}
	// Crossings: a river; one below the ground in three ways of tagging it; one that touches
	// the road and turns back; one without a name; a culvert as wide as the road.
	road(0, 10000, 0)
	d.way(north(1000, -500, 500), "waterway", "river", "name", "Open")
	d.way(north(2000, -500, 500), "waterway", "river", "name", "Culverted", "tunnel", "culvert")
	d.way(north(2500, -500, 500), "waterway", "canal", "name", "Covered", "covered", "yes")
	d.way(north(3000, -500, 500), "waterway", "stream", "name", "Piped", "tunnel", "pipe")
	d.way([][2]float64{{3800, 500}, {4000, 0.5}, {4200, 500}}, "waterway", "river", "name", "Touching")
	d.way(north(5000, -500, 500), "waterway", "stream")
	d.way(north(6000, -500, -4), "waterway", "stream", "name", "Short Culvert")
	d.way(north(6000, -4, 4), "waterway", "stream", "name", "Short Culvert", "tunnel", "culvert")
	d.way(north(6000, 4, 500), "waterway", "stream", "name", "Short Culvert")
	d.way(north(8000, -500, 3), "waterway", "stream", "name", "Ends Here") // and goes on in a pipe
	d.way(north(7000, -500, 500), "waterway", "canal", "name", "Cut", "tunnel", "no")
	// Watercourses: beside the road for 4 km; too far; interrupted by a culvert.
	road(0, 10000, 10000)
	d.way(east(1000, 5500, 10050), "waterway", "river", "name", "Beside")
	d.way(east(1000, 9000, 10090), "waterway", "river", "name", "Far")
	d.way(east(1000, 3500, 9950), "waterway", "river", "name", "Broken")
	d.way(east(3500, 3700, 9950), "waterway", "river", "name", "Broken", "tunnel", "culvert")
	d.way(east(3700, 6000, 9950), "waterway", "river", "name", "Broken")
	// Landscapes: wide; narrow; that protects wells; without a name.
	road(0, 20000, 20000)
	d.box(1000, 19000, 5500, 21000, "leisure", "nature_reserve", "name", "Wide")
	d.box(6000, 19000, 8500, 21000, "leisure", "park", "name", "Narrow")
	d.box(9000, 19000, 14000, 21000, "boundary", "protected_area", "protect_class", "12", "name", "Wells")
	d.box(15000, 19000, 19500, 21000, "leisure", "nature_reserve")
	// Settlements: within their radius and beyond it.
	road(0, 10000, 30000)
	d.node(1000, 30550, "place", "village", "name", "Near Village")
	d.node(3000, 30700, "place", "village", "name", "Far Village")
	d.node(5000, 31150, "place", "town", "name", "Near Town")
	d.node(7000, 30100, "place", "farm", "name", "Farm")
	d.node(9000, 30000, "place", "hamlet", "name", "Hamlet")
	// Roads: long; short; beside another one; with a frontage road as near.
	road(0, 5000, 40000, "ref", "A1")
	road(5000, 8500, 40000, "ref", "A2")
	road(10000, 15000, 40000, "ref", "A3")
	road(11000, 14000, 40015, "ref", "A4")
	road(16000, 21000, 40000, "ref", "A5")
	d.way(east(17000, 20000, 40006), "highway", "residential")
	d.way(north(2000, 39000, 41000), "highway", "secondary", "ref", "B1")
	s := d.service(t)

	for name, c := range map[string]struct {
		y, to float64
		kind  Kind
		want  []string
	}{
		"crossings":   {0, 10000, Crossing, []string{"Open", "Cut"}},
		"waters":      {10000, 10000, Watercourse, []string{"Beside"}},
		"landscapes":  {20000, 20000, Landscape, []string{"Wide"}},
		"settlements": {30000, 10000, Settlement, []string{"Near Village", "Near Town", "Hamlet"}},
		"roads":       {40000, 21000, Road, []string{"A1"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := observe(t, s, nil, east(0, c.to, c.y)...)
			if got := subjects(a, c.kind); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			if len(a.Observations) != len(c.want) && c.kind != Crossing {
				t.Errorf("more is claimed: %+v", a.Observations)
			}
			if a.Coverage.Missing > a.Coverage.Read || a.Coverage.Measured < 0.9 {
				t.Errorf("coverage %+v", a.Coverage)
			}
		})
	}

	t.Run("figures", func(t *testing.T) {
		o := observe(t, s, nil, east(0, 10000, 0)...).Observations[0]
		if math.Abs(o.At-1000) > 3 || o.Say != "The route crosses a river: Open." || o.Basis != "crossing-of-lines" {
			t.Errorf("%+v", o)
		}
		o = observe(t, s, nil, east(0, 10000, 30000)...).Observations[0]
		if math.Abs(o.At-1000) > 10 || math.Abs(*o.Offset-550) > 3 {
			t.Errorf("%+v, %v m off", o, *o.Offset)
		}
		o = observe(t, s, nil, east(0, 8500, 40000)...).Observations[0]
		if o.At > 50 || math.Abs(*o.Run-4950) > 80 {
			t.Errorf("%+v for %v m", o, *o.Run)
		}
	})

	t.Run("gaps and caps", func(t *testing.T) {
		gap := func(m float64, most int) *Answer {
			return observe(t, s, func(q *Request) { q.Gap, q.Most = m, most }, east(0, 10000, 30000)...)
		}
		// Of two that are too near the town goes first.
		if a := gap(4500, 40); !slices.Equal(subjects(a, Settlement), []string{"Near Town"}) || a.Coverage.LeftOut != 2 {
			t.Errorf("%+v", a)
		}
		if a := gap(0, 1); !slices.Equal(subjects(a, Settlement), []string{"Near Town"}) || a.Coverage.LeftOut != 2 {
			t.Errorf("%+v", a)
		}
		if a := gap(3900, 40); len(a.Observations) != 3 {
			t.Errorf("%+v", a)
		}
	})

	t.Run("missing tiles", func(t *testing.T) {
		a := observe(t, &Service{Ground: surroundings.New(gone{})}, nil, east(0, 10000, 0)...)
		if len(a.Observations) != 0 || a.Observations == nil || a.Coverage.Missing == 0 || a.Coverage.Read != 0 || a.Coverage.Measured != 0 {
			t.Errorf("%+v", a)
		}
		broken := &Service{Ground: surroundings.New(gone{[]byte{0x1f, 0x8b, 1}})}
		q := &Request{Line: []geo.Point{pointAt(0, 0), pointAt(9000, 0)}, Most: 40}
		q.Language, _ = narrate.Find("")
		if a, damaged, err := broken.Observe(t.Context(), q); err != nil || len(damaged) == 0 || a.Coverage.Missing == 0 {
			t.Error(a, damaged, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := broken.Observe(ctx, q); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// gone is an archive whose tiles are all missing, or damaged.
type gone struct{ data []byte }

func (g gone) TileIn(context.Context, int, int, int) ([]byte, bool, error) {
	return g.data, g.data != nil, nil
}

// TestClimbs claims climbs of the road, not of the ground over a tunnel or under a bridge.
func TestClimbs(t *testing.T) {
	d := &drawing{}
	d.way(east(0, 10000, 0), "highway", "primary")
	d.way(east(0, 4000, 5000), "highway", "primary")
	d.way(east(4000, 6000, 5000), "highway", "primary", "tunnel", "yes")
	d.way(east(6000, 10000, 5000), "highway", "primary")
	d.way(east(0, 4000, 8000), "highway", "primary")
	d.way(east(4000, 6000, 8000), "highway", "primary", "bridge", "yes")
	d.way(east(6000, 10000, 8000), "highway", "primary")
	s := d.service(t)
	s.Dataset = "drawn"
	hill := func(rise float64) hills {
		return func(x, _ float64) float64 { return 100 + rise*max(0, 1-math.Abs(x-5000)/1000) }
	}
	for name, c := range map[string]struct {
		hills  hills
		y, end float64
		want   int
	}{
		"a hill":                   {hill(200), 0, 10000, 1},
		"a low hill":               {hill(115), 0, 10000, 0},
		"the line ends at the top": {hill(200), 0, 5000, 0},
		"a tunnel below the hill":  {hill(200), 5000, 10000, 0},
		"a bridge over a valley":   {func(x, y float64) float64 { return 300 - hill(200)(x, y) }, 8000, 10000, 0},
		"no heights at the top": {func(x, y float64) float64 {
			if math.Abs(x-5000) < 600 {
				return math.NaN()
			}
			return hill(200)(x, y)
		}, 0, 10000, 0},
		"noise on a flat road": {func(x, _ float64) float64 { return 100 + 12*math.Sin(x/40) }, 0, 10000, 0},
		"two tops":             {func(x, y float64) float64 { return hill(400)(x, y) - max(0, 350-math.Abs(x-5000)*0.875) }, 0, 10000, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s.Heights = c.hills
			a := observe(t, s, nil, east(0, c.end, c.y)...)
			if got := subjects(a, Climb); len(got) != c.want {
				t.Fatalf("%+v", a.Observations)
			}
			if name == "a hill" {
				o := a.Observations[0]
				if math.Abs(o.At-5000) > 60 || math.Abs(*o.Elevation-300) > 12 || *a.Coverage.Heights != 1 || *a.Coverage.Dataset != "drawn" {
					t.Errorf("%+v %v", o, *o.Elevation)
				}
			}
		})
	}
}

// TestReportedElsewhere draws what users of other programs reported of what is said along a way.
func TestReportedElsewhere(t *testing.T) {
	d := &drawing{}
	road := func(from, to, y float64, pairs ...string) {
		d.way(east(from, to, y), append([]string{"highway", "primary"}, pairs...)...)
	}
	// Rivers: the road is below one, which crosses it all the same, as the Thames does; one is drawn with
	// layer=-1 all along though it is no tunnel (keepright/keepright#34); a ford (openstreetmap/iD#8302);
	// a river with two arms of one name.
	road(0, 2000, 0)
	road(2000, 3000, 0, "tunnel", "yes", "layer", "-1")
	road(3000, 15000, 0)
	d.way(north(2500, -500, 500), "waterway", "river", "name", "Above")
	d.way(north(5000, -500, 500), "waterway", "river", "name", "Layered", "layer", "-1")
	d.way(north(8000, -500, 500), "waterway", "river", "name", "Forded")
	d.way(north(11000, -500, 500), "waterway", "river", "name", "Braided")
	d.way(north(11060, -500, 500), "waterway", "river", "name", "Braided")
	// A park in two pieces that touch is one (Soundscape-Android#460); gardens without a name are none
	// (Soundscape-Android#453).
	road(0, 15000, 10000)
	d.box(1000, 9000, 5000, 11000, "leisure", "nature_reserve", "name", "Common")
	d.box(5000, 9000, 9000, 11000, "leisure", "nature_reserve", "name", "Common")
	d.box(10000, 9000, 14500, 11000, "leisure", "garden")
	// A service road beside the road that is taken (Soundscape-Android#453).
	road(0, 6000, 20000, "ref", "A1")
	d.way(east(500, 5500, 20060), "highway", "service", "name", "Yard")
	s := d.service(t)
	for name, c := range map[string]struct {
		y, to float64
		kind  Kind
		want  []string
	}{
		"rivers": {0, 15000, Crossing, []string{"Above", "Layered", "Forded", "Braided"}},
		"parks":  {10000, 15000, Landscape, []string{"Common"}},
		"roads":  {20000, 6000, Road, []string{"A1"}},
	} {
		a := observe(t, s, func(q *Request) { q.Gap = 1000 }, east(0, c.to, c.y)...)
		if got := subjects(a, c.kind); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

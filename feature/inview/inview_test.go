package inview

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"pgregory.net/rapid"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/footprint"
	"github.com/waygate/waygate/index/place"
)

// eye is where all look from: in the middle of a tile of the map.
var eye = geo.Point{Lon: -2.9992676, Lat: 51.5856}

// scene has the visible things: places and buildings by their distance and
// bearing, and a ground.
type scene struct {
	places []place.Near
	ground func(metres, bearing float64) float64 // nil is level at 100 m; NaN is not known
	houses map[[2]int]mvt.Layers
	gone   map[[2]int]bool // tiles that the map has not
	broken bool
	err    error
}

func (s *scene) addPlace(name string, metres, bearing float64, categories ...string) {
	at := geo.Destination(eye, bearing, metres)
	s.places = append(s.places, place.Near{Place: place.Place{ID: name, Kind: place.POI, Name: name, At: at, Categories: categories}, Metres: geo.Distance(eye, at)})
}

// house is a square of some metres to a side, in whatever tiles it touches.
func (s *scene) house(metres, bearing, side float64, properties geojson.Properties) {
	var ring orb.Ring
	at := geo.Destination(eye, bearing, metres)
	for _, b := range []float64{45, 135, 225, 315, 45} {
		p := geo.Destination(at, b, side/math.Sqrt2)
		ring = append(ring, orb.Point{p.Lon, p.Lat})
	}
	if s.houses == nil {
		s.houses = map[[2]int]mvt.Layers{}
	}
	for _, c := range ring {
		q := project(geo.Point{Lon: c[0], Lat: c[1]})
		k := [2]int{int(q.x / footprint.Extent), int(q.y / footprint.Extent)}
		var local orb.Ring
		for _, c := range ring {
			q := project(geo.Point{Lon: c[0], Lat: c[1]})
			local = append(local, orb.Point{math.Round(q.x - float64(k[0])*footprint.Extent), math.Round(q.y - float64(k[1])*footprint.Extent)})
		}
		f := geojson.NewFeature(orb.Polygon{local})
		f.Properties = properties
		if s.houses[k] == nil {
			s.houses[k] = mvt.Layers{{Name: "water", Version: 2, Extent: 4096}, {Name: "buildings", Version: 2, Extent: 4096}}
		}
		l := s.houses[k][1]
		if n := len(l.Features); n == 0 || !orb.Equal(l.Features[n-1].Geometry, f.Geometry) {
			l.Features = append(l.Features, f)
		}
	}
}

func (s *scene) Around(_ context.Context, _ geo.Point, metres float64, categories []string, _ string, yield func(place.Near) bool) error {
	for _, p := range s.places {
		if p.Metres <= metres && (len(categories) == 0 || slices.ContainsFunc(categories, func(c string) bool { return slices.Contains(p.Categories, c) })) && !yield(p) {
			break
		}
	}
	return s.err
}

func (s *scene) Heights(_ context.Context, places []geo.Point) (metres []float64, damaged []error, err error) {
	for _, p := range places {
		h := 100.0
		if s.ground != nil {
			h = s.ground(geo.Distance(eye, p), geo.Bearing(eye, p))
		}
		metres = append(metres, h)
	}
	return metres, nil, nil
}

func (s *scene) Tile(z, x, y int) ([]byte, bool, error) {
	k := [2]int{x, y}
	switch {
	case z != footprint.Zoom:
		return nil, false, errors.New("a tile of another zoom")
	case s.gone[k]:
		return nil, false, nil
	case s.broken:
		return []byte{0x1a, 0xff}, true, nil
	}
	data, err := mvt.Marshal(s.houses[k])
	if err != nil {
		return nil, false, err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err = w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, false, err
	}
	return b.Bytes(), true, nil
}

func (s *scene) service() *Service {
	return &Service{Places: s, Heights: s, Dataset: "drawn", Tiles: s}
}

func north() *Request {
	return &Request{At: eye, Bearing: 0, Width: 60, Radius: 5000, Eye: 1.6, Limit: 5}
}

func look(t testing.TB, s *Service, q *Request) *Answer {
	t.Helper()
	a, damaged, err := s.Look(t.Context(), q)
	if err != nil || len(damaged) > 0 {
		t.Fatal(err, damaged)
	}
	return a
}

func (a *Answer) names() string {
	var list []string
	for _, r := range a.Results {
		list = append(list, r.Name+" "+string(r.Visibility.Verdict))
	}
	return strings.Join(list, ", ")
}

// The sector holds its edges, offsets have a sign, and places left out are counted.
func TestSector(t *testing.T) {
	s := &scene{}
	s.addPlace("left", 300, 331)
	s.addPlace("right", 200, 29)
	s.addPlace("ahead", 400, 0.5)
	s.addPlace("beside", 100, 31)
	s.addPlace("behind", 50, 180)
	s.addPlace("far", 900, 10)
	s.addPlace("further", 950, 350)
	s.addPlace("here", 0, 0)
	q := north()
	q.Limit = 4
	a := look(t, s.service(), q)
	if got := a.names(); got != "here clear, right clear, left clear, ahead clear" || a.Excluded != (Excluded{OutOfSector: 2, Unchecked: 2}) || a.Coverage.Found != 8 {
		t.Errorf("%s, %+v, %+v", got, a.Excluded, a.Coverage)
	}
	for i, want := range []float64{0, 29, -29, 0.5} {
		if a.Results[i].Offset != want {
			t.Errorf("%s is at %v", a.Results[i].Name, a.Results[i].Offset)
		}
	}
	if o := a.Observer; o.Half != 30 || o.Ground == nil || *o.Ground != 100 {
		t.Errorf("%+v", o)
	}
	q.Bearing, q.Width, q.Limit = 355, 360, 25
	if a = look(t, s.service(), q); len(a.Results) != 8 || a.Excluded != (Excluded{}) {
		t.Errorf("all around: %s, %+v", a.names(), a.Excluded)
	}
	for _, r := range a.Results {
		if r.Name == "left" && r.Offset != -24 || r.Name == "behind" && r.Offset != -175 {
			t.Errorf("%s is at %v", r.Name, r.Offset)
		}
	}
	q.Width, q.Bearing = 1, 29
	if got := look(t, s.service(), q).names(); got != "here clear, right clear" {
		t.Errorf("through a slit: %s", got)
	}
}

func TestByNameAndCategory(t *testing.T) {
	s := &scene{}
	s.addPlace("Café Zürich", 100, 0, "cafe", "amenity")
	s.addPlace("Zürich Bar", 120, 0, "bar", "amenity")
	s.addPlace("St Mary's Church", 140, 0, "place_of_worship")
	for _, c := range []struct{ name, categories, want string }{
		{"zurich", "", "Café Zürich, Zürich Bar"},
		{"CAFE zürich", "", "Café Zürich"},
		{"zurich", "bar,pub", "Zürich Bar"},
		{"st marys", "", "St Mary's Church"},
		{"zuri", "", ""},
		{"", "amenity", "Café Zürich, Zürich Bar"},
	} {
		q := north()
		q.Name = c.name
		if c.categories != "" {
			q.Categories = strings.Split(c.categories, ",")
		}
		var names []string
		for _, r := range look(t, s.service(), q).Results {
			names = append(names, r.Name)
		}
		if got := strings.Join(names, ", "); got != c.want {
			t.Errorf("%q, %q: %s", c.name, c.categories, got)
		}
	}
}

// A hill hides what lies behind it and not what stands on it or above it.
func TestHill(t *testing.T) {
	s := &scene{ground: func(m, _ float64) float64 { return 100 + max(0, 30-math.Abs(m-1000)/10) }}
	s.addPlace("foot", 600, 0)
	s.addPlace("top", 1000, 0)
	s.addPlace("behind", 2000, 0)
	a := look(t, s.service(), north())
	if got := a.names(); got != "foot clear, top clear, behind occluded" {
		t.Fatal(got)
	}
	v := a.Results[2].Visibility
	if o := v.Obstruction; o.Kind != "terrain" || math.Abs(o.Distance-1000) > 30 || math.Abs(o.Above-29.3) > 1 || o.Height != nil || v.Basis != "terrain-and-buildings" {
		t.Errorf("%+v, %+v", v, o)
	}
	q := north()
	q.Eye = 70
	if got := look(t, s.service(), q).names(); got != "foot clear, top clear, behind clear" {
		t.Errorf("from a tower: %s", got)
	}
	q = north()
	q.Target = 60
	if got := look(t, s.service(), q).names(); got != "foot clear, top clear, behind clear" {
		t.Errorf("to a mast: %s", got)
	}
}

// Over level ground the Earth hides the foot of what is further away than some
// 4.8 km, by eyes of 1.6 m.
func TestCurvature(t *testing.T) {
	s := &scene{}
	s.addPlace("near", 4700, 0)
	s.addPlace("far", 4950, 0)
	if got := look(t, s.service(), north()).names(); got != "near clear, far occluded" {
		t.Error(got)
	}
}

// A gap never proves a clear line, and one point above the line proves that a
// place is hidden.
func TestGaps(t *testing.T) {
	hole := func(from, to float64) func(m, b float64) float64 {
		return func(m, _ float64) float64 {
			if m >= from && m <= to {
				return math.NaN()
			}
			return 100 + max(0, 20-math.Abs(m-1000)/10)
		}
	}
	for _, c := range []struct {
		from, to     float64
		want, reason string
		basis        string
	}{
		{290, 310, "unknown", noElevation, "buildings-only"},
		{800, 1200, "unknown", noElevation, "buildings-only"},
		{1300, 1400, "occluded", "", "terrain-and-buildings"},
		{-1, 10, "unknown", noElevation, "buildings-only"},
		{1890, 2000, "unknown", noElevation, "buildings-only"},
		{-1, 9999, "unknown", noElevation, "buildings-only"},
	} {
		s := &scene{ground: hole(c.from, c.to)}
		target := 1900.0
		if c.want == "unknown" && c.to < 400 {
			target = 500
		}
		s.addPlace("it", target, 0)
		r := look(t, s.service(), north()).Results[0].Visibility
		reason := ""
		if r.Checks.Terrain.Reason != nil {
			reason = *r.Checks.Terrain.Reason
		}
		if string(r.Verdict) != c.want || reason != c.reason || r.Basis != c.basis {
			t.Errorf("%v to %v: %s, %s, %s", c.from, c.to, r.Verdict, reason, r.Basis)
		}
	}
	s := &scene{}
	s.addPlace("it", 500, 0)
	blind := s.service()
	blind.Heights, blind.Tiles = nil, nil
	r := look(t, blind, north())
	if v := r.Results[0].Visibility; v.Verdict != Unknown || v.Basis != "nothing" || *v.Checks.Buildings.Reason != noBuildings || *v.Checks.Terrain.Reason != noElevation || r.Observer.Ground != nil {
		t.Errorf("%+v", v)
	}
}

// A tower hides what is behind it, by its mapped height or that of two storeys;
// the building that holds the place or the observer hides nothing.
func TestBuildings(t *testing.T) {
	for name, c := range map[string]struct {
		height     any
		want       string
		high       float64
		basis      string
		place, eye float64
	}{
		"a tower":         {40, "occluded", 40, "mapped", 0, 1.6},
		"without height":  {nil, "occluded", 6, "assumed", 0, 1.6},
		"from above":      {40, "clear", 0, "", 0, 90},
		"a high target":   {4, "clear", 0, "", 30, 1.6},
		"a low building":  {1, "clear", 0, "", 1, 1.6},
		"absurdly high":   {5000, "occluded", 6, "assumed", 0, 1.6},
		"a decimal":       {12.5, "occluded", 12.5, "mapped", 0, 1.6},
		"without a sense": {"tall", "occluded", 6, "assumed", 0, 1.6},
	} {
		s := &scene{}
		properties := geojson.Properties{"kind": "building"}
		if c.height != nil {
			properties["height"] = c.height
		}
		s.house(250, 0, 20, properties)
		s.house(500, 0, 30, geojson.Properties{"height": 50}) // holds the place
		s.house(0, 0, 12, geojson.Properties{"height": 50})   // holds the observer
		s.house(250, 5, 12, geojson.Properties{"height": 50}) // beside the line
		s.addPlace("it", 500, 0)
		q := north()
		q.Target, q.Eye = c.place, c.eye
		v := look(t, s.service(), q).Results[0].Visibility
		if string(v.Verdict) != c.want || v.Basis != "terrain-and-buildings" {
			t.Errorf("%s: %+v", name, v)
			continue
		}
		if o := v.Obstruction; o != nil && (o.Kind != "building" || *o.Height != c.high || *o.Basis != c.basis || math.Abs(o.Distance-250) > 12) {
			t.Errorf("%s: %+v, %v, %s", name, o, *o.Height, *o.Basis)
		}
	}
	// Under an arch there is a view.
	s := &scene{}
	s.house(250, 0, 20, geojson.Properties{"height": 40, "min_height": 20})
	s.addPlace("it", 500, 0)
	if got := look(t, s.service(), north()).names(); got != "it clear" {
		t.Errorf("under an arch: %s", got)
	}
}

// A building over the edge of a tile is one building.
func TestBuildingsOverTheEdge(t *testing.T) {
	s := &scene{}
	q := project(eye)
	// The northern edge of the observer's tile.
	edge := (q.y - math.Floor(q.y/footprint.Extent)*footprint.Extent) * 40075016.7 * math.Cos(eye.Lat*math.Pi/180) / units
	s.house(edge, 0, 40, geojson.Properties{"height": 50})
	s.addPlace("south", edge-5, 0)
	s.addPlace("north", edge+5, 0)
	s.addPlace("behind", edge+60, 0)
	if n := len(s.houses); n != 2 {
		t.Fatalf("the house is in %d tiles", n)
	}
	if got := look(t, s.service(), north()).names(); got != "south clear, north clear, behind occluded" {
		t.Error(got)
	}
}

// What is on tiles that the map has not is not known, and neither is what lies
// beyond the tiles that are read; they are distinguished.
func TestMissingTiles(t *testing.T) {
	s := &scene{gone: map[[2]int]bool{}}
	s.addPlace("near", 300, 0)
	s.addPlace("far", 3000, 0)
	q := project(eye)
	s.gone[[2]int{int(q.x / footprint.Extent), int(q.y/footprint.Extent) - 1}] = true
	a := look(t, s.service(), north())
	if got := a.names(); got != "near clear, far clear" {
		t.Error(got)
	}
	far := a.Results[1].Visibility
	if far.Basis != "terrain-only" || *far.Checks.Buildings.Reason != noBuildings || a.Results[0].Visibility.Basis != "terrain-and-buildings" || a.Coverage.Missing != 1 {
		t.Errorf("%+v, %+v", far, a.Coverage)
	}
	all := &scene{}
	for b := range 25 {
		all.addPlace(string(rune('a'+b)), 5000-float64(b), float64(b)*14.4)
	}
	look360 := north()
	look360.Width, look360.Limit, look360.Radius = 360, 25, 5000
	look360.Eye, look360.Target = 30, 30
	reasons := map[string]int{}
	a = look(t, all.service(), look360)
	for _, r := range a.Results {
		why := "none"
		if r.Visibility.Checks.Buildings.Reason != nil {
			why = *r.Visibility.Checks.Buildings.Reason
		}
		reasons[why]++
	}
	if a.Coverage.Tiles != mostTiles || a.Coverage.Beyond == 0 || reasons[beyondRange] == 0 || reasons[noBuildings] != 0 {
		t.Errorf("%v, %+v", reasons, a.Coverage)
	}
	torn := &scene{broken: true}
	torn.addPlace("it", 300, 0)
	r, damaged, err := torn.service().Look(t.Context(), north())
	if err != nil || len(damaged) != 1 || *r.Results[0].Visibility.Checks.Buildings.Reason != noBuildings {
		t.Error(err, damaged)
	}
}

// With visible_only the hidden are counted and left out, and those behind the
// last one that was looked at are counted apart.
func TestVisibleOnly(t *testing.T) {
	s := &scene{ground: func(m, b float64) float64 {
		if b > 20 && b < 180 {
			return math.NaN()
		}
		return 100 + max(0, 30-math.Abs(m-1000)/10)
	}}
	s.addPlace("front", 500, 0)
	s.addPlace("unsure", 600, 25)
	s.addPlace("back", 1500, 0)
	s.addPlace("top", 990, 5)
	q := north()
	q.VisibleOnly = true
	a := look(t, s.service(), q)
	if got := a.names(); got != "front clear, top clear" || a.Excluded != (Excluded{Occluded: 1, Unknown: 1}) {
		t.Errorf("%s, %+v", got, a.Excluded)
	}
	q.Limit = 1
	if a = look(t, s.service(), q); a.names() != "front clear" || a.Excluded != (Excluded{Unchecked: 2, Unknown: 1}) {
		t.Errorf("%s, %+v", a.names(), a.Excluded)
	}
	many := &scene{ground: func(float64, float64) float64 { return math.NaN() }}
	for i := range mostChecked + 20 {
		many.addPlace(string(rune('a'+i)), 100+float64(i), 0)
	}
	if a = look(t, many.service(), q); len(a.Results) != 0 || a.Excluded.Unknown != mostChecked || a.Excluded.Unchecked != 20 {
		t.Errorf("%+v", a.Excluded)
	}
}

// Of more places than are looked at the nearest count, and the answer says how
// far it got.
func TestMorePlacesThanAreLookedAt(t *testing.T) {
	s := &scene{}
	for i := range mostFound + 10 {
		s.places = append(s.places, place.Near{Place: place.Place{Name: "x", At: eye}, Metres: float64(i) / 10})
	}
	a := look(t, s.service(), north())
	if a.Coverage.Found != mostFound-1 || a.Coverage.Radius != float64(mostFound-1)/10 || a.Excluded.OutOfSector+a.Excluded.Unchecked+len(a.Results) != a.Coverage.Found {
		t.Errorf("%+v, %+v", a.Coverage, a.Excluded)
	}
}

func TestGivesWay(t *testing.T) {
	s := &scene{err: context.Canceled}
	if _, _, err := s.service().Look(t.Context(), north()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s = &scene{}
	s.addPlace("it", 500, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.service().Look(ctx, north()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Whether the ground hides a place is what angles on a round Earth say: the eye,
// each point of the ground and the target as seen from the Earth's middle.
func TestSightIsTheSlowFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ground := rapid.SliceOfN(rapid.Float64Range(0, 60), 2, 60).Draw(t, "ground")
		s := sight{metres: rapid.Float64Range(50, 5000).Draw(t, "metres"), eye: rapid.Float64Range(0.5, 30).Draw(t, "eye"), target: rapid.Float64Range(0, 50).Draw(t, "target"), ground: ground}
		s.look()
		// Light that bends is straight on a larger Earth.
		const radius = geo.EarthRadius / (1 - refraction)
		last := len(ground) - 1
		at := func(i int, over float64) (x, y float64) {
			angle := s.metres * float64(i) / float64(last) / radius
			r := radius + ground[i] + over
			return r * math.Sin(angle), r * math.Cos(angle)
		}
		ex, ey := at(0, s.eye)
		tx, ty := at(last, s.target)
		hidden, close := false, false
		for i := 1; i < last; i++ {
			px, py := at(i, 0)
			over := py - (ey + (ty-ey)*(px-ex)/(tx-ex))
			hidden = hidden || over > 0
			close = close || math.Abs(over) < 0.01
		}
		if !close && hidden != (s.terrain != nil) {
			t.Fatalf("hidden is %v, want %v", s.terrain != nil, hidden)
		}
	})
}

// Where a line enters and leaves an outline is where a slow walk along it does.
func TestThroughIsTheSlowWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float64Range(0, 1000)
		var b footprint.Building
		var ring []footprint.Point
		n := rapid.IntRange(3, 7).Draw(t, "corners")
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			r := rapid.Float64Range(50, 400).Draw(t, "radius")
			ring = append(ring, footprint.Point{X: float32(500 + r*cos), Y: float32(500 + r*sin)})
		}
		b.Rings, b.Box = [][]footprint.Point{ring}, footprint.Box{MaxX: 1000, MaxY: 1000}
		ax, ay, bx, by := coordinate.Draw(t, "ax"), coordinate.Draw(t, "ay"), coordinate.Draw(t, "bx"), coordinate.Draw(t, "by")
		if b.Contains(ax, ay) || b.Contains(bx, by) {
			t.Skip("an end lies in it")
		}
		in, out, meets := through(&b, ax, ay, bx, by)
		const steps = 4000
		first, last := 2.0, -1.0
		for i := range steps + 1 {
			at := float64(i) / steps
			if b.Contains(ax+(bx-ax)*at, ay+(by-ay)*at) {
				first, last = min(first, at), max(last, at)
			}
		}
		if last >= 0 && (!meets || math.Abs(in-first) > 2.0/steps || math.Abs(out-last) > 2.0/steps) {
			t.Fatalf("from %v to %v (%v), want %v to %v", in, out, meets, first, last)
		}
	})
}

// The tiles of a line are those that a slow walk comes through.
func TestCrossedIsTheSlowWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(0, 6*footprint.Extent)
		a, b := tilePoint{at.Draw(t, "ax"), at.Draw(t, "ay")}, tilePoint{at.Draw(t, "bx"), at.Draw(t, "by")}
		list := crossed(a, b)
		seen := map[[2]int]bool{}
		for _, k := range list {
			if seen[k] {
				t.Fatalf("%v comes twice", k)
			}
			seen[k] = true
		}
		for i := range 2001 {
			p := tilePoint{a.x + (b.x-a.x)*float64(i)/2000, a.y + (b.y-a.y)*float64(i)/2000}
			k := [2]int{int(p.x / footprint.Extent), int(p.y / footprint.Extent)}
			if !seen[k] {
				// Rounding may put a point on an edge on either side of it.
				fx, fy := math.Mod(p.x, footprint.Extent), math.Mod(p.y, footprint.Extent)
				if min(fx, fy, footprint.Extent-fx, footprint.Extent-fy) > 1e-6 {
					t.Fatalf("%v is missing", k)
				}
			}
		}
		if len(list) > 14 {
			t.Fatalf("%d tiles", len(list))
		}
	})
}

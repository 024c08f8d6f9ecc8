// Package world is the set of regions in service. It opens, watches and replaces them, and
// finds the region that a request belongs to.
package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/chosen"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/feed/camera"
	"github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/index/coverage"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/heritage"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/index/surroundings"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/transit/journey"
)

// Region is one region in service with its open parts. The zero value except for Engine is
// a remote engine without a region.
type Region struct {
	ID           string // the territory in tile addresses; "" without a region
	Name         string
	Bounds       geo.Bounds // of the roads
	Attribution  []string
	Elevation    string // where the heights are from, "" without heights
	Country      string // of places outside all countries, such as an invented island: ISO 3166-1 alpha-2; "" is unknown
	OSMTimestamp *time.Time
	Since        time.Time // when it was taken into service

	Engine     engine.Engine
	Rules      *chosen.Engine // which makes up Engine, where rules choose who answers; nil without
	Second     engine.Engine  // for a second opinion; nil where there is none
	Landmarks  *landmarks.Service
	Places     *find.Index      // nil where it was built without places
	Boundaries *boundary.Index  // nil where it was built without
	Timetable  *timetable.Index // of public transport; nil where it was built without
	Journeys   *journey.Network // of the timetable; nil where it was built without
	Cameras    *camera.Index    // nil where it was built without
	Chargers   *charging.Mapped // nil where it was built without, and where the map has none
	Coverage   *coverage.Grid   // how many roads have restrictions tagged; nil where it was built without
	Zones      *zone.Index      // zones of clean air, from datasets and from the map
	Heritage   *heritage.Index  // corridors with lines to speak; nil where it was built without
	Examples   json.RawMessage  // example journeys of the explorer, a JSON list; nil for none

	// Surroundings are read from the map; nil where it was built without one.
	Surroundings *surroundings.Reader

	datasets  *zone.Index      // Zones without those from the map
	tiles     *tiles.Territory // nil where it was built without a map
	embedded  *embedded.Engine // nil with a remote engine
	roads     *regionRoads     // nil with a remote engine
	files     *region.Region   // nil without a region, and where it could not be opened
	lost      []loss           // parts that it was built with and that cannot be opened
	plain     engine.Engine    // Engine without the tally
	tally     *tally           // of its engine's calls; nil without canary questions
	condition *condition       // of its files; nil without a Set
}

// Other returns the engine for a second opinion on a route of a costing that one engine found
// (nil for the one that answers first): Second, or another of the rules; nil without.
func (r *Region) Other(c costing.Costing, by engine.Engine) engine.Engine {
	if r.Second != nil {
		return r.Second
	}
	if r.Rules != nil {
		return r.Rules.Other(c, by)
	}
	return nil
}

// Hash identifies the data of the region, as region.Manifest.Hash does; "none" without one.
func (r *Region) Hash() string {
	if r.files == nil {
		return "none"
	}
	return r.files.Manifest.Hash()
}

// World is the set of regions in service at one time. A request uses one from its start to
// its end, so that regions may be replaced under load. It is immutable.
type World struct {
	regions []*Region
	// beyond answers for places outside all regions: a remote engine, which may
	// cover more of the world than the regions here; nil with the embedded one.
	beyond *Region
	maps   *tiles.Maps
}

// New makes a World of regions in the order in which they are listed. There must be at
// least one, their ids must differ, and their engines must have the same abilities.
func New(fonts *glyph.Fonts, regions ...*Region) (*World, error) {
	return withMaps(fonts, nil, regions)
}

// withMaps makes a World with maps besides those of its regions; a map with a region's id
// replaces its own.
func withMaps(fonts *glyph.Fonts, more []tiles.Territory, regions []*Region) (*World, error) {
	w := &World{regions: regions}
	seen := map[string]bool{}
	var maps []tiles.Territory
	for _, r := range regions {
		if seen[r.ID] {
			return nil, fmt.Errorf("two regions have the id %s: import one of them again with another --id", r.ID)
		}
		seen[r.ID] = true
		if r.embedded == nil && r.files != nil {
			w.beyond = &Region{Engine: r.Engine, Landmarks: &landmarks.Service{}, Zones: r.datasets, Since: r.Since}
		}
		replaced := slices.ContainsFunc(more, func(t tiles.Territory) bool { return t.ID == r.ID })
		if r.tiles != nil && !replaced {
			maps = append(maps, *r.tiles)
		}
	}
	maps = append(maps, more...)
	if maps == nil {
		return w, nil
	}
	var err error
	w.maps, err = tiles.New(fonts, maps...)
	return w, err
}

// Regions returns the regions in service, one or more.
func (w *World) Regions() []*Region { return w.regions }

// Tiles returns the region's map, nil where it was built without one.
func (r *Region) Tiles() *tileset.Reader {
	if r.tiles == nil {
		return nil
	}
	fixed, _ := r.tiles.Tiles.(tiles.Fixed)
	return fixed.Reader
}

// Maps returns the maps of all regions, nil where none has one.
func (w *World) Maps() *tiles.Maps { return w.maps }

// Engine returns one of the engines, for what does not depend on the place: all have the
// same abilities.
func (w *World) Engine() engine.Engine {
	for _, r := range w.regions {
		if r.condition == nil || r.files != nil {
			return r.Engine
		}
	}
	return w.regions[0].Engine
}

// InService returns an error (UpstreamUnavailable) where the region of an id is out of
// service. An unknown id is no error.
func (w *World) InService(id string) error {
	for _, r := range w.regions {
		if r.ID == id && r.out() {
			return r.unavailable()
		}
	}
	return nil
}

// Bounds returns the bounds of the only region, for hints at swapped coordinates. They are
// empty where there are several regions: At checks those.
func (w *World) Bounds() geo.Bounds {
	if len(w.regions) == 1 {
		return w.regions[0].Bounds
	}
	return geo.NoBounds()
}

// Boundaries returns the boundary indexes of the regions in service. The error is
// UpstreamUnavailable where only regions out of service have some.
func (w *World) Boundaries() (list []*boundary.Index, err error) {
	for _, r := range w.regions {
		switch {
		case r.out():
			err = r.unavailable()
		case r.Boundaries != nil:
			list = append(list, r.Boundaries)
		}
	}
	if len(list) > 0 {
		err = nil
	}
	return list, err
}

// Timetables returns the timetables of the regions in service.
func (w *World) Timetables() (list []*timetable.Index) {
	for _, r := range w.regions {
		if !r.out() && r.Timetable != nil {
			list = append(list, r.Timetable)
		}
	}
	return list
}

// Zones returns the zone indexes of the regions in service.
func (w *World) Zones() (list []*zone.Index) {
	for _, r := range w.regions {
		if !r.out() {
			list = append(list, r.Zones)
		}
	}
	return list
}

// Heritage returns the heritage corridors of the regions in service.
func (w *World) Heritage() (list []*heritage.Index) {
	for _, r := range w.regions {
		if !r.out() && r.Heritage != nil {
			list = append(list, r.Heritage)
		}
	}
	return list
}

// Attribution returns the attributions of the regions' data, each once.
func (w *World) Attribution() []string {
	var list []string
	for _, r := range w.regions {
		for _, whose := range r.Attribution {
			if !slices.Contains(list, whose) {
				list = append(list, whose)
			}
		}
	}
	return list
}

// Memory returns the bytes that the engines keep.
func (w *World) Memory() int64 {
	sum := int64(0)
	for _, r := range w.regions {
		sum += r.Engine.Memory()
	}
	return sum
}

// reach is how far outside of a region's bounds, in metres, a place may lie and still
// belong to it, where no region contains it. It equals the default search radius for roads.
const reach = 2000

// At returns the region that answers a request with these points: the only one, where there
// is no remote engine for the world beyond it, or the smallest whose bounds contain all
// points. Where none does, the error is BadRequest, with the code of a location without a
// road or of locations without a connection, and lists the regions. Regions out of service
// are passed over; where no other contains the points, the error is UpstreamUnavailable.
func (w *World) At(points ...geo.Point) (*Region, error) {
	if r := w.regions[0]; len(w.regions) == 1 && w.beyond == nil {
		if r.out() {
			return nil, r.unavailable()
		}
		return r, nil
	}
	for _, margin := range []float64{0, reach} {
		if r := w.smallest(points, margin, (*Region).serves); r != nil {
			return r, nil
		}
		if r := w.smallest(points, margin, (*Region).out); r != nil {
			return nil, r.unavailable()
		}
	}
	if w.beyond != nil {
		return w.beyond, nil
	}
	return nil, w.nowhere(points)
}

// Shown returns the id of the region whose map shows a view best: the smallest that
// contains its centre, else the one that overlaps it most, else the first; "" where none
// has a map. The error is UpstreamUnavailable where the region of the centre is out of
// service.
func (w *World) Shown(view geo.Bounds) (id string, err error) {
	middle := []geo.Point{view.Centre()}
	best := w.smallest(middle, 0, (*Region).drawn)
	if best != nil {
		return best.ID, nil
	}
	if r := w.smallest(middle, 0, (*Region).out); r != nil {
		return "", r.unavailable()
	}
	for _, r := range w.regions {
		if r.drawn() && (best == nil || shared(r.Bounds, view) > shared(best.Bounds, view)) {
			best = r
		}
	}
	if best == nil && w.maps != nil {
		return w.maps.Holding(view.Centre()), nil
	}
	if best == nil {
		return "", nil
	}
	return best.ID, nil
}

// shared returns the area that two bounds have in common, in square degrees.
func shared(a, b geo.Bounds) float64 {
	wide := 0.0
	for _, x := range a.Split() {
		for _, y := range b.Split() {
			wide += max(0, min(x.Max.Lon, y.Max.Lon)-max(x.Min.Lon, y.Min.Lon))
		}
	}
	return wide * max(0, min(a.Max.Lat, b.Max.Lat)-max(a.Min.Lat, b.Min.Lat))
}

// drawn reports whether a region has a map.
func (r *Region) drawn() bool { return r.tiles != nil }

// serves reports whether the region is in service.
func (r *Region) serves() bool { return !r.out() }

// any returns true, as a filter of smallest.
func (r *Region) any() bool { return true }

// smallest returns the smallest region that passes a filter and contains all points, or
// lies within margin metres of each; nil where none does.
func (w *World) smallest(points []geo.Point, margin float64, of func(*Region) bool) (found *Region) {
	for _, r := range w.regions {
		if of(r) && outside(r, points, margin) < 0 && (found == nil || area(r.Bounds) < area(found.Bounds)) {
			found = r
		}
	}
	return found
}

// outside returns the index of the first point that is not in a region, -1 where all are.
func outside(r *Region, points []geo.Point, margin float64) int {
	for i, p := range points {
		if !r.Bounds.Contains(p) && (margin == 0 || !r.Bounds.Intersects(geo.Around(p, margin))) {
			return i
		}
	}
	return -1
}

func area(b geo.Bounds) float64 { return b.Width() * (b.Max.Lat - b.Min.Lat) }

// served is a region as errors list it.
type served struct {
	ID     string     `json:"id"`
	Name   string     `json:"name"`
	Bounds [4]float64 `json:"bounds"` // west, south, east, north
}

// nowhere is the error of points for which there is no region: it names the point that lies
// in none, or says that no region contains all of them.
func (w *World) nowhere(points []geo.Point) error {
	list, names := make([]served, len(w.regions)), make([]string, len(w.regions))
	for i, r := range w.regions {
		list[i] = served{r.ID, r.Name, [4]float64{r.Bounds.Min.Lon, r.Bounds.Min.Lat, r.Bounds.Max.Lon, r.Bounds.Max.Lat}}
		names[i] = fmt.Sprintf("%s (lat %g to %g, lon %g to %g)", r.ID, r.Bounds.Min.Lat, r.Bounds.Max.Lat, r.Bounds.Min.Lon, r.Bounds.Max.Lon)
	}
	listed := strings.Join(names, ", ")
	for i, p := range points {
		if w.smallest(points[i:i+1], reach, (*Region).any) != nil {
			continue
		}
		e := fault.New(fault.BadRequest, "location %d (lat %g, lon %g) lies in none of the regions served here, which are %s", i, p.Lat, p.Lon, listed)
		if hint := w.swapped(p); hint != "" {
			e.Detail += "; " + hint
			e = e.With("hint", hint)
		}
		return e.With("location_index", i).With("error_code", engine.CodeNoSegment).With("regions", list)
	}
	home := w.smallest(points[:1], reach, (*Region).any)
	i := outside(home, points, reach)
	return fault.New(fault.BadRequest, "no region served here contains all locations: location 0 lies in %s and location %d (lat %g, lon %g) does not; a request is answered from one region, and served are %s", home.ID, i, points[i].Lat, points[i].Lon, listed).
		With("location_index", i).With("error_code", engine.CodeNoRoute).With("regions", list)
}

// swapped returns a hint where the point with lat and lon exchanged lies in a region.
func (w *World) swapped(p geo.Point) string {
	other := geo.Point{Lon: p.Lat, Lat: p.Lon}
	r := w.smallest([]geo.Point{other}, 0, (*Region).any)
	if r == nil {
		return ""
	}
	return fmt.Sprintf("are lat and lon swapped? lat %g, lon %g lies in %s", other.Lat, other.Lon, r.ID)
}

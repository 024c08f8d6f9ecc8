// Package world is a deployment: the regions in service, what each is made of,
// and which of them a request is for.
package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
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
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/region"
)

// Region is one region in service and what was opened of it. The zero value of
// all but Engine is a remote engine without a region.
type Region struct {
	ID           string // the territory in tile addresses; "" without a region
	Name         string
	Bounds       geo.Bounds // of the roads
	Attribution  []string
	Elevation    string // where the heights are from, "" without heights
	Country      string // of what lies in none, such as an invented island: ISO 3166-1 alpha-2; "" is unknown
	OSMTimestamp *time.Time
	Since        time.Time // when it was taken into service

	Engine     engine.Engine
	Landmarks  *landmarks.Service
	Places     *place.Index     // nil where it was built without places
	Boundaries *boundary.Index  // nil where it was built without
	Cameras    *camera.Index    // nil where it was built without
	Chargers   *charging.Mapped // nil where it was built without, and where the map has none
	Coverage   *coverage.Grid   // of tagged restrictions; nil where it was built without
	Zones      *zone.Index      // of clean air: of datasets and of the map
	Examples   json.RawMessage  // list of journeys that the explorer offers; nil for none

	datasets  *zone.Index      // Zones without those of the map
	tiles     *tiles.Territory // nil where it was built without a map
	embedded  *embedded.Engine // nil with a remote engine
	roads     *regionRoads     // nil with a remote engine
	files     *region.Region   // nil without a region, and where it could not be opened
	lost      []loss           // what it was built with and cannot be opened
	condition *condition       // of its files; nil where nobody keeps it
}

// World is what is in service at one moment. A request holds one from its start
// to its end, so that regions may be replaced under load. It is immutable.
type World struct {
	regions []*Region
	// beyond answers for places outside all regions: a remote engine, which may
	// know more of the world than the regions here; nil with the embedded one.
	beyond *Region
	maps   *tiles.Maps
}

// New makes a World of regions, whose engines can all do the same, in the order
// in which they are to be told of. There must be one at least; ids must differ.
func New(fonts *glyph.Fonts, regions ...*Region) (*World, error) {
	return withMaps(fonts, nil, regions)
}

// withMaps makes a World with maps beside those of its regions, and in place of
// those of the same id.
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

// Regions lists those in service, one or more.
func (w *World) Regions() []*Region { return w.regions }

// Tiles is the region's map; nil where it was built without one.
func (r *Region) Tiles() *tileset.Reader {
	if r.tiles == nil {
		return nil
	}
	fixed, _ := r.tiles.Tiles.(tiles.Fixed)
	return fixed.Reader
}

// Maps are those of all regions; nil where none has one.
func (w *World) Maps() *tiles.Maps { return w.maps }

// Engine is one of the engines, for what is asked before it is known where a
// request is: all can do the same.
func (w *World) Engine() engine.Engine {
	for _, r := range w.regions {
		if r.condition == nil || r.files != nil {
			return r.Engine
		}
	}
	return w.regions[0].Engine
}

// InService fails with UpstreamUnavailable where the region of an id is out of
// service; there need be none.
func (w *World) InService(id string) error {
	for _, r := range w.regions {
		if r.ID == id && r.out() {
			return r.unavailable()
		}
	}
	return nil
}

// Bounds are those of the region where there is one alone, for hints at swapped
// coordinates; empty where there are several, of which At knows better.
func (w *World) Bounds() geo.Bounds {
	if len(w.regions) == 1 {
		return w.regions[0].Bounds
	}
	return geo.NoBounds()
}

// Boundaries are those of the regions in service that have some. Where none of
// these is in service, the failure is UpstreamUnavailable.
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

// Zones are those of the regions in service.
func (w *World) Zones() (list []*zone.Index) {
	for _, r := range w.regions {
		if !r.out() {
			list = append(list, r.Zones)
		}
	}
	return list
}

// Attribution lists whose data the regions are made of, each once.
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

// Memory is what the engines keep, in bytes.
func (w *World) Memory() int64 {
	sum := int64(0)
	for _, r := range w.regions {
		sum += r.Engine.Memory()
	}
	return sum
}

// reach is how far outside of a region's bounds, in metres, a place is still
// taken to be in it where no region holds it: as far as roads are looked for
// where a request does not say.
const reach = 2000

// At finds the region that a request with these points is answered from: where
// there is one alone that one, else the smallest whose bounds hold all points.
// Where none does, the failure is BadRequest with the error code of a location
// without a road, or of locations without a way between them, and lists the
// regions. Regions out of service are passed over; where there is no other, the
// failure is UpstreamUnavailable.
func (w *World) At(points ...geo.Point) (*Region, error) {
	if r := w.regions[0]; len(w.regions) == 1 {
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

// Shown is the id of the region whose map shows a view best: the smallest that
// holds its middle, else the one that most of it lies in, else the first; "" where
// none has a map. It fails with UpstreamUnavailable where the region of the middle
// is out of service.
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

// shared is how much two bounds have in common, in square degrees.
func shared(a, b geo.Bounds) float64 {
	wide := min(a.Max.Lon, b.Max.Lon) - max(a.Min.Lon, b.Min.Lon)
	high := min(a.Max.Lat, b.Max.Lat) - max(a.Min.Lat, b.Min.Lat)
	return max(0, wide) * max(0, high)
}

// drawn reports whether a region has a map.
func (r *Region) drawn() bool { return r.tiles != nil }

// serves is the contrary of out.
func (r *Region) serves() bool { return !r.out() }

// any is true of every region.
func (r *Region) any() bool { return true }

// smallest finds the smallest region of a kind that holds all points, or comes as
// near to each as margin, in metres; nil where none does.
func (w *World) smallest(points []geo.Point, margin float64, of func(*Region) bool) (found *Region) {
	for _, r := range w.regions {
		if of(r) && outside(r, points, margin) < 0 && (found == nil || area(r.Bounds) < area(found.Bounds)) {
			found = r
		}
	}
	return found
}

// outside gives the index of the first point that is not in a region, -1 where
// all are.
func outside(r *Region, points []geo.Point, margin float64) int {
	for i, p := range points {
		if !r.Bounds.Contains(p) && (margin == 0 || !r.Bounds.Intersects(geo.Around(p, margin))) {
			return i
		}
	}
	return -1
}

func area(b geo.Bounds) float64 { return (b.Max.Lon - b.Min.Lon) * (b.Max.Lat - b.Min.Lat) }

// served is a region as a failure lists it.
type served struct {
	ID     string     `json:"id"`
	Name   string     `json:"name"`
	Bounds [4]float64 `json:"bounds"` // west, south, east, north
}

// nowhere says why no region can answer: which point lies in none, or which are
// not in one together.
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
	return fault.New(fault.BadRequest, "no region served here holds all locations: location 0 lies in %s and location %d (lat %g, lon %g) does not; a request is answered from one region, and served are %s", home.ID, i, points[i].Lat, points[i].Lon, listed).
		With("location_index", i).With("error_code", engine.CodeNoRoute).With("regions", list)
}

// swapped hints at a point that lies in a region with lat and lon exchanged.
func (w *World) swapped(p geo.Point) string {
	other := geo.Point{Lon: p.Lat, Lat: p.Lon}
	r := w.smallest([]geo.Point{other}, 0, (*Region).any)
	if r == nil {
		return ""
	}
	return fmt.Sprintf("are lat and lon swapped? lat %g, lon %g lies in %s", other.Lat, other.Lon, r.ID)
}

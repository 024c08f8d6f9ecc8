package clip

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/waygate/waygate/geo"
)

// Area is one or more polygons with their holes.
type Area struct {
	polygons [][][]geo.Point // of rings, the first the outer one, on beyond 180 degrees where they cross the antimeridian
	bounds   geo.Bounds
	beyond   bool // longitudes go on beyond 180 degrees
	geometry json.RawMessage
}

// maxPositions limits a polygon's positions.
const maxPositions = 20_000

// geometry is GeoJSON from which polygons are read.
type geometry struct {
	Type        string          `json:"type"`
	Coordinates json.RawMessage `json:"coordinates"`
	Geometry    *geometry       `json:"geometry"`
	Features    []geometry      `json:"features"`
}

// ReadArea reads GeoJSON: a Polygon or a MultiPolygon, a Feature of one, or a
// FeatureCollection of those.
func ReadArea(data []byte) (*Area, error) {
	var g geometry
	if err := json.Unmarshal(data, &g); err != nil {
		return nil, fmt.Errorf("the polygon is not readable: %w", err)
	}
	a := &Area{bounds: geo.NoBounds()}
	if err := a.add(&g); err != nil {
		return nil, err
	}
	if len(a.polygons) == 0 {
		return nil, errors.New("the GeoJSON has no polygon")
	}
	return a, a.encode()
}

func (a *Area) add(g *geometry) error {
	switch g.Type {
	case "FeatureCollection":
		for i := range g.Features {
			if err := a.add(&g.Features[i]); err != nil {
				return err
			}
		}
		return nil
	case "Feature":
		if g.Geometry == nil || g.Geometry.Geometry != nil || len(g.Geometry.Features) > 0 {
			return errors.New("a feature has no geometry")
		}
		return a.add(g.Geometry)
	case "Polygon":
		var rings [][][]float64
		if err := json.Unmarshal(g.Coordinates, &rings); err != nil {
			return fmt.Errorf("the coordinates of a Polygon: %w", err)
		}
		return a.polygon(rings)
	case "MultiPolygon":
		var polygons [][][][]float64
		if err := json.Unmarshal(g.Coordinates, &polygons); err != nil {
			return fmt.Errorf("the coordinates of a MultiPolygon: %w", err)
		}
		for _, rings := range polygons {
			if err := a.polygon(rings); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("GeoJSON of type %q: want a Polygon or a MultiPolygon", g.Type)
}

func (a *Area) polygon(rings [][][]float64) error {
	var polygon [][]geo.Point
	box := geo.NoBounds()
	for _, ring := range rings {
		var points []geo.Point
		for _, position := range ring {
			if len(position) < 2 {
				return errors.New("a position of the polygon has no longitude and latitude")
			}
			p := geo.Point{Lon: position[0], Lat: position[1]}
			if !p.Valid() {
				return fmt.Errorf("the polygon has the position %g,%g: longitude is -180 to 180, latitude -90 to 90", p.Lon, p.Lat)
			}
			if n := len(points); n > 0 { // sides go the shorter way round the globe
				p.Lon -= 360 * math.Round((p.Lon-points[n-1].Lon)/360)
			}
			points = append(points, p)
			box = box.Extend(p)
		}
		if len(points) < 4 || points[0] != points[len(points)-1] {
			return fmt.Errorf("a ring of the polygon has %d positions: want 4 or more, the last as the first", len(points))
		}
		polygon = append(polygon, points)
	}
	if len(polygon) == 0 {
		return errors.New("a polygon has no ring")
	}
	a.polygons, a.bounds = append(a.polygons, polygon), a.bounds.Union(box.Wrapped())
	a.beyond = a.beyond || box.Min.Lon < -180 || box.Max.Lon > 180
	return a.limit()
}

func (a *Area) limit() error {
	n := 0
	for _, polygon := range a.polygons {
		for _, ring := range polygon {
			n += len(ring)
		}
	}
	if n > maxPositions {
		return fmt.Errorf("the polygon has more than %d positions", maxPositions)
	}
	return nil
}

// encode writes the geometry in one form, whatever it was read from.
func (a *Area) encode() (err error) {
	list := make([][][][2]float64, len(a.polygons))
	for i, polygon := range a.polygons {
		for _, ring := range polygon {
			positions := make([][2]float64, len(ring))
			for k, p := range ring {
				positions[k] = [2]float64{math.Remainder(p.Lon, 360), p.Lat}
			}
			list[i] = append(list[i], positions)
		}
	}
	var coordinates any = list
	kind := "MultiPolygon"
	if len(list) == 1 {
		kind, coordinates = "Polygon", list[0]
	}
	a.geometry, err = json.Marshal(map[string]any{"type": kind, "coordinates": coordinates})
	return err
}

// GeoJSON returns the geometry: a Polygon or a MultiPolygon.
func (a *Area) GeoJSON() json.RawMessage { return a.geometry }

// Bounds returns the bounds of all polygons.
func (a *Area) Bounds() geo.Bounds { return a.bounds }

// Contains reports whether a place lies in a polygon and in none of its holes.
func (a *Area) Contains(p geo.Point) bool {
	if !a.bounds.Contains(p) {
		return false
	}
	if insideOf(a.polygons, p) {
		return true
	}
	if !a.beyond {
		return false
	}
	east, west := p, p
	east.Lon, west.Lon = p.Lon+360, p.Lon-360
	return insideOf(a.polygons, east) || insideOf(a.polygons, west)
}

func insideOf(polygons [][][]geo.Point, p geo.Point) bool {
	for _, polygon := range polygons {
		odd := false
		for _, ring := range polygon {
			for i := 1; i < len(ring); i++ {
				u, v := ring[i-1], ring[i]
				if (u.Lat > p.Lat) != (v.Lat > p.Lat) && p.Lon < u.Lon+(v.Lon-u.Lon)*(p.Lat-u.Lat)/(v.Lat-u.Lat) {
					odd = !odd
				}
			}
		}
		if odd {
			return true
		}
	}
	return false
}

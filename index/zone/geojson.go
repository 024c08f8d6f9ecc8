package zone

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/waygate/waygate/geo"
)

// mostNested is how deep collections may be nested.
const mostNested = 8

// shape has the members of GeoJSON that a boundary may have.
type shape struct {
	Type        string            `json:"type"`
	Coordinates json.RawMessage   `json:"coordinates"`
	Geometry    json.RawMessage   `json:"geometry"`
	Features    []json.RawMessage `json:"features"`
	Geometries  []json.RawMessage `json:"geometries"`
}

// ReadGeoJSON returns the polygons of a GeoJSON document: of a geometry, a Feature
// or all of a FeatureCollection.
func ReadGeoJSON(data []byte) (*Geometry, error) {
	g := &Geometry{}
	return g, g.read(data, 0)
}

// UnmarshalJSON reads a Polygon or MultiPolygon.
func (g *Geometry) UnmarshalJSON(data []byte) error {
	*g = Geometry{}
	return g.read(data, 0)
}

func (g *Geometry) read(data []byte, depth int) error {
	if depth > mostNested {
		return fmt.Errorf("GeoJSON is nested deeper than %d", mostNested)
	}
	var s shape
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("GeoJSON: %w", err)
	}
	var parts []json.RawMessage
	switch s.Type {
	case "Polygon":
		return g.polygon(s.Coordinates)
	case "MultiPolygon":
		var polygons []json.RawMessage
		if err := json.Unmarshal(s.Coordinates, &polygons); err != nil {
			return fmt.Errorf("MultiPolygon: %w", err)
		}
		for _, p := range polygons {
			if err := g.polygon(p); err != nil {
				return err
			}
		}
		return nil
	case "Feature":
		parts = []json.RawMessage{s.Geometry}
	case "FeatureCollection":
		parts = s.Features
	case "GeometryCollection":
		parts = s.Geometries
	default:
		return fmt.Errorf("GeoJSON of type %q: a boundary is a Polygon or MultiPolygon, or features of them", s.Type)
	}
	for _, p := range parts {
		if err := g.read(p, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (g *Geometry) polygon(data []byte) error {
	var rings [][][]float64
	if err := json.Unmarshal(data, &rings); err != nil {
		return fmt.Errorf("polygon: %w", err)
	}
	var polygon geo.Polygon
	for _, positions := range rings {
		ring := make(geo.Ring, 0, len(positions))
		for _, at := range positions {
			if len(at) < 2 {
				return fmt.Errorf("a position has %d numbers: it is longitude and latitude", len(at))
			}
			p := geo.Point{Lon: at[0], Lat: at[1]}
			if !p.Valid() {
				return fmt.Errorf("position [%g, %g] is not on the globe: GeoJSON has longitude before latitude", at[0], at[1])
			}
			ring = append(ring, p)
		}
		if n := len(ring); n > 1 && ring[0] == ring[n-1] {
			ring = ring[:n-1]
		}
		polygon = append(polygon, ring)
	}
	if len(polygon) > 0 {
		g.Polygons = append(g.Polygons, polygon)
	}
	return nil
}

// MarshalJSON writes a MultiPolygon with seven digits, with closed rings.
func (g *Geometry) MarshalJSON() ([]byte, error) {
	out := []byte(`{"type":"MultiPolygon","coordinates":[`)
	for i, polygon := range g.Polygons {
		out = comma(out, i, '[')
		for j, ring := range polygon {
			out = comma(out, j, '[')
			for k := range len(ring) + min(1, len(ring)) {
				p := ring[k%len(ring)]
				out = comma(out, k, '[')
				out = append(appendDegrees(append(appendDegrees(out, p.Lon), ','), p.Lat), ']')
			}
			out = append(out, ']')
		}
		out = append(out, ']')
	}
	return append(out, `]}`...), nil
}

func comma(out []byte, i int, open byte) []byte {
	if i > 0 {
		out = append(out, ',')
	}
	return append(out, open)
}

func appendDegrees(out []byte, degrees float64) []byte {
	return strconv.AppendFloat(out, math.Round(degrees*1e7)/1e7, 'f', -1, 64)
}

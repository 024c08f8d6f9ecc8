package staticmap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/waygate/waygate/geo"
)

// Geometry is one of GeoJSON, as the page takes it.
type Geometry struct {
	Type        string     `json:"type"`
	Coordinates any        `json:"coordinates,omitempty"` // [2]float64, lists of them, or lists of those
	Geometries  []Geometry `json:"geometries,omitempty"`
}

// value is any value of GeoJSON.
type value struct {
	Type        string          `json:"type"`
	Properties  json.RawMessage `json:"properties"`
	Geometry    json.RawMessage `json:"geometry"`
	Features    []value         `json:"features"`
	Coordinates json.RawMessage `json:"coordinates"`
	Geometries  []value         `json:"geometries"`
}

// maxValues bounds the overlays of one image.
const maxValues = 200

// geojson reads a value of GeoJSON or a list of values, each of which is an
// overlay of its own.
func (r *reader) geojson(at string, text []byte) (list []Overlay) {
	var all []value
	switch text = bytes.TrimSpace(text); {
	case len(text) == 0:
		r.wrong(at, nil, "is empty; it must be a value of GeoJSON or a list of values")
		return nil
	case text[0] == '[':
		if err := json.Unmarshal(text, &all); err != nil {
			r.wrong(at, nil, "%s", unread(err))
			return nil
		}
		if len(all) == 0 || len(all) > maxValues {
			r.wrong(at, nil, "has %d values; 1 to %d can be drawn", len(all), maxValues)
			return nil
		}
	default:
		var one value
		if err := json.Unmarshal(text, &one); err != nil {
			r.wrong(at, nil, "%s", unread(err))
			return nil
		}
		all = []value{one}
	}
	for i, v := range all {
		where := at
		if len(all) > 1 {
			where = fmt.Sprintf("%s[%d]", at, i)
		}
		before := len(r.bad)
		o := r.overlay(where, &v)
		if len(r.bad) > before {
			continue
		}
		if len(o.points) == 0 {
			r.wrong(where, nil, "has no usable coordinates: it must be a Feature, a FeatureCollection or a geometry of GeoJSON, and nothing round it")
			continue
		}
		list = append(list, o)
	}
	return list
}

// unread returns why a text is no GeoJSON.
func unread(err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("is not JSON: it goes wrong at byte %d", syntax.Offset)
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		return fmt.Sprintf("is not GeoJSON: its member %s is of another type there", kind.Field)
	}
	return "is not GeoJSON: it must be an object, or a list of objects"
}

// overlay reads one value: a collection is painted as its first feature says.
func (r *reader) overlay(at string, v *value) Overlay {
	features := []value{*v}
	switch v.Type {
	case "FeatureCollection":
		features = v.Features
	case "Feature":
	default:
		features[0].Properties = nil
	}
	var o Overlay
	var all []Geometry
	for i := range features {
		f, where := &features[i], at
		if v.Type == "FeatureCollection" {
			where = fmt.Sprintf("%s.features[%d]", at, i)
		}
		if i == 0 {
			o = r.painted(where, f.Properties)
		}
		g := *f
		if f.Type == "Feature" {
			g = value{}
			if len(f.Geometry) > 0 && json.Unmarshal(f.Geometry, &g) != nil {
				r.wrong(where+".geometry", nil, "is no geometry of GeoJSON")
				return o
			}
			where += ".geometry"
		}
		if got, ok := r.geometry(where, &g, &o.points, 0); ok {
			all = append(all, got)
		}
	}
	if o.Geometry = (Geometry{Type: "GeometryCollection", Geometries: all}); len(all) == 1 {
		o.Geometry = all[0]
	}
	return o
}

// maxDepth bounds collections in collections.
const maxDepth = 4

// geometry reads one and adds its points to those of its overlay.
func (r *reader) geometry(at string, v *value, points *[]geo.Point, depth int) (Geometry, bool) {
	g := Geometry{Type: v.Type}
	switch v.Type {
	case "Point":
		g.Coordinates = coordinates[position](r, at, v, points)
	case "MultiPoint":
		g.Coordinates = coordinates[line](r, at, v, points)
	case "LineString":
		l := coordinates[line](r, at, v, points)
		if l != nil && len(*l) < 2 {
			r.wrong(at+".coordinates", nil, "has %d positions; a line needs 2", len(*l))
		}
		g.Coordinates = l
	case "MultiLineString":
		g.Coordinates = coordinates[rings](r, at, v, points)
	case "Polygon":
		if one := coordinates[rings](r, at, v, points); one != nil {
			return r.polygons(at, polygons{*one})
		}
	case "MultiPolygon":
		if all := coordinates[polygons](r, at, v, points); all != nil {
			return r.polygons(at, *all)
		}
	case "GeometryCollection":
		if depth == maxDepth {
			r.wrong(at, nil, "holds collections more than %d deep", maxDepth)
			return g, false
		}
		for i := range v.Geometries {
			if part, ok := r.geometry(fmt.Sprintf("%s.geometries[%d]", at, i), &v.Geometries[i], points, depth+1); ok {
				g.Geometries = append(g.Geometries, part)
			}
		}
		return g, len(g.Geometries) > 0
	default:
		return g, false
	}
	return g, true
}

// polygons checks rings and cuts those that cross themselves.
func (r *reader) polygons(at string, all polygons) (Geometry, bool) {
	before := len(r.bad)
	for _, one := range all {
		r.closed(at, one)
	}
	if len(r.bad) > before {
		return Geometry{}, false
	}
	var out polygons
	for _, one := range all {
		out = append(out, parts(one)...)
	}
	return Geometry{Type: "MultiPolygon", Coordinates: out}, true
}

// closed sees to it that rings are such.
func (r *reader) closed(at string, all rings) {
	for i, ring := range all {
		if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
			r.wrong(fmt.Sprintf("%s.coordinates[%d]", at, i), nil, "is no ring: it needs 4 positions, of which the last is the first")
		}
	}
}

// What coordinates are, by the type of a geometry.
type (
	position [2]float64
	line     []position
	rings    []line
	polygons []rings
)

type pointed interface{ points(add func(position)) }

func (p position) points(add func(position)) { add(p) }
func (l line) points(add func(position)) {
	for _, p := range l {
		add(p)
	}
}

func (l rings) points(add func(position)) {
	for _, p := range l {
		p.points(add)
	}
}

func (l polygons) points(add func(position)) {
	for _, p := range l {
		p.points(add)
	}
}

// UnmarshalJSON reads lon and lat, and leaves a height out.
func (p *position) UnmarshalJSON(text []byte) error {
	var list []float64
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	if len(list) < 2 {
		return fmt.Errorf("a position has %d numbers; it needs lon and lat", len(list))
	}
	p[0], p[1] = list[0], list[1]
	return nil
}

// coordinates reads those of a geometry; nil where they are wrong.
func coordinates[T pointed](r *reader, at string, v *value, points *[]geo.Point) *T {
	c := new(T)
	if len(v.Coordinates) == 0 || json.Unmarshal(v.Coordinates, c) != nil {
		r.wrong(at+".coordinates", nil, "are not those of a %s", v.Type)
		return nil
	}
	wrong := 0
	(*c).points(func(p position) {
		at := geo.Point{Lon: p[0], Lat: p[1]}
		if !at.Valid() {
			wrong++
		}
		*points = append(*points, at)
	})
	if wrong > 0 {
		r.wrong(at+".coordinates", nil, "has %d positions off the globe: a position is lon,lat, with lon -180 to 180 and lat -90 to 90", wrong)
		return nil
	}
	return c
}

package enginetest

import (
	"encoding/json"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/valhalla"
)

// Area is the inside of one outline.
type Area struct {
	Contour  float64
	Metric   string
	Polygons [][]Line // by polygon: the outer ring and the holes
	Lines    []Line   // of an answer without polygons
}

// Line is a line of positions, lon and lat.
type Line [][2]float64

// ReadArea reads the outlines of an isochrone's answer.
func ReadArea(t testing.TB, r *engine.IsochroneRequest, a *engine.IsochroneAnswer) []Area {
	t.Helper()
	body, err := valhalla.WriteIsochrone(r, a)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Type     string
		Features []struct {
			Properties struct {
				Contour float64
				Metric  string
				Type    string
			}
			Geometry struct {
				Type        string
				Coordinates json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(body, &doc); err != nil || doc.Type != "FeatureCollection" {
		t.Fatalf("no collection of features (%v): %.300s", err, body)
	}
	var all []Area
	for _, f := range doc.Features {
		a := Area{Contour: f.Properties.Contour, Metric: f.Properties.Metric}
		var err error
		switch f.Geometry.Type {
		case "Polygon":
			a.Polygons = make([][]Line, 1)
			err = json.Unmarshal(f.Geometry.Coordinates, &a.Polygons[0])
		case "MultiPolygon":
			err = json.Unmarshal(f.Geometry.Coordinates, &a.Polygons)
		case "LineString":
			a.Lines = make([]Line, 1)
			err = json.Unmarshal(f.Geometry.Coordinates, &a.Lines[0])
		default:
			continue // a location
		}
		if err != nil {
			t.Fatalf("a %s is not readable: %v", f.Geometry.Type, err)
		}
		all = append(all, a)
	}
	return all
}

// Contains reports whether a point lies inside.
func (a Area) Contains(p geo.Point) bool {
	for _, rings := range a.Polygons {
		in := false
		for _, r := range rings {
			for i := 1; i < len(r); i++ {
				x, y := r[i-1], r[i]
				if (x[1] > p.Lat) != (y[1] > p.Lat) && p.Lon < x[0]+(p.Lat-x[1])/(y[1]-x[1])*(y[0]-x[0]) {
					in = !in
				}
			}
		}
		if in {
			return true
		}
	}
	return false
}

// Bounds checks all outlines.
func (a Area) Bounds() geo.Bounds {
	b := geo.NoBounds()
	for _, rings := range a.Polygons {
		for _, r := range rings {
			for _, p := range r {
				b = b.Extend(geo.Point{Lon: p[0], Lat: p[1]})
			}
		}
	}
	return b
}

package kernel

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// PointAlong returns the point at a part of an edge's length.
func PointAlong(g *graph.Graph, e graph.Edge, part float64) geo.Point {
	line := g.AppendShape(nil, e)
	left := geo.Length(line) * part
	for i := 1; i < len(line); i++ {
		step := geo.Distance(line[i-1], line[i])
		if left <= step && step > 0 {
			t := left / step
			return geo.Point{Lon: line[i-1].Lon + (line[i].Lon-line[i-1].Lon)*t, Lat: line[i-1].Lat + (line[i].Lat-line[i-1].Lat)*t}
		}
		left -= step
	}
	return line[len(line)-1]
}

// BearingAt returns the bearing of an edge where it passes a point.
func BearingAt(g *graph.Graph, e graph.Edge, at geo.Point) float64 {
	line := g.AppendShape(nil, e)
	best, bearing := math.Inf(1), 0.0
	for i := 1; i < len(line); i++ {
		if _, _, square := geo.Nearest(at, line[i-1], line[i]); square < best && line[i-1] != line[i] {
			best, bearing = square, geo.Bearing(line[i-1], line[i])
		}
	}
	return bearing
}

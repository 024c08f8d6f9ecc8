package engine

import "github.com/waygate/waygate/geo"

// Points are where a request's locations are: what tells which region it is for.
func (r *RouteRequest) Points() []geo.Point { return pointsOf(r.Locations) }

// Points are the positions of the trace.
func (r *MatchRequest) Points() []geo.Point {
	points := make([]geo.Point, len(r.Trace))
	for i := range r.Trace {
		points[i] = r.Trace[i].Point
	}
	return points
}

// Points are the sources and then the targets.
func (r *MatrixRequest) Points() []geo.Point {
	return append(pointsOf(r.Sources), pointsOf(r.Targets)...)
}

func pointsOf(locations []Location) []geo.Point {
	points := make([]geo.Point, len(locations))
	for i := range locations {
		points[i] = locations[i].Point
	}
	return points
}

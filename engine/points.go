package engine

import "github.com/waygate/waygate/geo"

// Points returns where a request's locations are, by which its region is chosen.
func (r *RouteRequest) Points() []geo.Point { return pointsOf(r.Locations) }

// Points returns the positions of the trace.
func (r *MatchRequest) Points() []geo.Point {
	points := make([]geo.Point, len(r.Trace))
	for i := range r.Trace {
		points[i] = r.Trace[i].Point
	}
	return points
}

// Points returns the sources and then the targets.
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

// StopsAt reports whether a leg begins or ends at a location of a list.
func StopsAt(list []Location, i int) bool {
	s := list[i].Stop
	return i == 0 || i == len(list)-1 || s == "" || s == Break || s == BreakThrough
}

// LegsOf returns how many legs a route through locations has.
func LegsOf(list []Location) (legs int) {
	for i := range list {
		if StopsAt(list, i) {
			legs++
		}
	}
	return legs - 1
}

// Cutoff returns how many metres a road may be away from the location.
func (l *Location) Cutoff() float64 {
	if l.SearchCutoff == 0 {
		return UsualCutoff
	}
	return l.SearchCutoff
}

// snapSlack is how many metres the lengths of engines may differ about a location.
const snapSlack = 100

// MaySnap reports whether an engine that heeds the cut-off may take a place on a road for the
// location.
func (l *Location) MaySnap(on geo.Point) bool {
	return geo.Distance(l.Point, on) <= l.Cutoff()+snapSlack
}

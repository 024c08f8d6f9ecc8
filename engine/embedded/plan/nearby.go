package plan

import (
	"cmp"
	"math"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/snap"
)

// The roads that a location takes in and looks at are bounded, for itself and together with
// all other locations of the request, so that neither a wide radius nor a filter that hardly
// any road passes has a request cost in proportion to the region.
var (
	// RoadBounds are the roads that a location is on: it has an end on each in either
	// direction, and a path may begin or end at each.
	RoadBounds = bounds{each: 256, together: 2048, least: 8}
	// scrapBounds are the roads on islands that are kept for a location near which no
	// better connected one was found yet. Each takes a search of its surroundings.
	scrapBounds = bounds{each: 1024, together: 16384, least: 64}
	// LookBounds are the roads that are looked at, usable or not.
	LookBounds = bounds{each: 1 << 17, together: 1 << 19, least: 1 << 12}
)

// bounds are how many of something one location may have, all locations of a request
// together, and each at least, however many there are.
type bounds struct{ each, together, least int }

// Of returns how many each of some locations may have.
func (b bounds) Of(locations int) int {
	return max(b.least, min(b.each, b.together/max(1, locations)))
}

// SearchCutoff returns the distance in metres beyond which no road counts for a location.
func SearchCutoff(l *engine.Location) float64 {
	return cmp.Or(l.SearchCutoff, engine.UsualCutoff)
}

// Nearby yields the roads near a place, the nearest first, up to cutoff metres, until yield
// returns false, the caller has gone, or so many were looked at as one location may. It
// returns false in this last case: there may be more.
func (p *locator) Nearby(at geo.Point, cutoff float64, yield func(c snap.Candidate) bool) (all bool) {
	left := LookBounds.Of(p.Locations())
	all = true
	p.s.Snap.Nearest(at, cutoff, func(c snap.Candidate) bool {
		if p.cancelled() {
			return false
		}
		if left--; left < 0 {
			all = false
			return false
		}
		return yield(c)
	})
	return all
}

// Farthest returns the greatest distance from the first of one side to the other side,
// and among the first side, in metres.
func Farthest(from, to []engine.Location) (metres float64) {
	for _, list := range [][]engine.Location{from, to} {
		for i := range list {
			metres = math.Max(metres, geo.Distance(from[0].Point, list[i].Point))
		}
	}
	return metres
}

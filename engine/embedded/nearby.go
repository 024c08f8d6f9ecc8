package embedded

import (
	"cmp"
	"fmt"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/snap"
)

// What a location takes in and looks at is bounded, for itself and together with all other
// locations of the request, so that neither a wide radius nor a filter that hardly any road
// passes has a request cost what the region is large.
var (
	// roadBounds are the roads that a location is on: it has an end on each in either
	// direction, and a path may begin or end at each.
	roadBounds = bounds{each: 256, together: 2048, least: 8}
	// scrapBounds are the roads on islands that are kept for a location near which no
	// better connected one was found yet. Each takes a search of its surroundings.
	scrapBounds = bounds{each: 1024, together: 16384, least: 64}
	// lookBounds are the roads that are looked at, usable or not.
	lookBounds = bounds{each: 1 << 17, together: 1 << 19, least: 1 << 12}
)

// bounds are how many of something one location may have, all locations of a request
// together, and each at least, however many there are.
type bounds struct{ each, together, least int }

// of returns how many each of some locations may have.
func (b bounds) of(locations int) int {
	return max(b.least, min(b.each, b.together/max(1, locations)))
}

// locations returns how many locations the request has.
func (p *planner) locations() int { return max(p.places, len(p.r.Locations)) }

// searchCutoff is the distance in metres beyond which no road counts for a location.
func searchCutoff(l *engine.Location) float64 {
	return cmp.Or(l.SearchCutoff, engine.UsualCutoff)
}

// nearby yields the roads near a place, the nearest first, up to cutoff metres, until yield
// returns false, the caller has gone, or so many were looked at as one location may. It
// returns false in this last case: there may be more.
func (p *planner) nearby(at geo.Point, cutoff float64, yield func(c snap.Candidate) bool) (all bool) {
	left := lookBounds.of(p.locations())
	all = true
	p.s.snap.Nearest(at, cutoff, func(c snap.Candidate) bool {
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

// warnPlace adds the warnings that only so many roads within a location's radius count, that a
// journey does not head there where the location does, or that it was moved past a nearer road.
func (p *planner) warnPlace(name string, index int, r remarks, l *engine.Location) {
	add := func(code int, format string, args ...any) {
		w := engine.Warning{Code: code, Text: fmt.Sprintf("%s[%d]: ", name, index) + fmt.Sprintf(format, args...)}
		if n := len(p.warnings); n == 0 || p.warnings[n-1] != w {
			p.warnings = append(p.warnings, w)
		}
	}
	if r.cut > 0 {
		add(engine.WarnRoads, "only the nearest %d roads within its radius of %g m count", r.cut, l.Radius)
	}
	if r.turned {
		add(engine.WarnHeading, "no way leads on where it heads, at %g degrees: the journey is planned as though it turned round there", *l.Heading)
	}
	p.warnMoved(name, index, r.moved)
}

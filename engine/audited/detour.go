package audited

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// mostExcluded is how many places are excluded in one round, so that all rounds stay below
// the 50 that a stock Valhalla takes.
const mostExcluded = 8

// halfSide is half the side of the square, in metres, that is excluded where a place
// excluded before did not keep the engine off the road: it may have taken the place for one
// of another road nearby.
const halfSide = 4

// exclude adds to the request the middle of each closed road, as a place whose roads are not
// travelled, or as a small area where that was said before.
func (s *search) exclude(blocks []engine.Block) {
	if s.places == nil {
		s.places = map[int64]bool{}
	}
	s.ask.ExcludeLocations, s.ask.ExcludePolygons = slices.Clone(s.ask.ExcludeLocations), slices.Clone(s.ask.ExcludePolygons)
	before := len(s.places)
	for _, b := range blocks[:min(len(blocks), mostExcluded)] {
		if !s.places[b.WayID] || before == 0 {
			s.places[b.WayID] = true
			s.ask.ExcludeLocations = append(s.ask.ExcludeLocations, engine.Location{Point: b.Middle})
			continue
		}
		box := geo.Around(b.Middle, halfSide)
		s.ask.ExcludePolygons = append(s.ask.ExcludePolygons, geo.Ring{box.Min, {Lon: box.Max.Lon, Lat: box.Min.Lat}, box.Max, {Lon: box.Min.Lon, Lat: box.Max.Lat}})
	}
}

// lead has the engine pass by places of a legal way on the region's own network: twice as
// many in each round, so that the rest of the way is its own as far as that is legal. Where
// the region has no legal way, its refusal says what blocks.
func (s *search) lead(ctx context.Context) error {
	if s.guide == nil {
		q := *s.r
		q.Output, q.Want, q.Alternates, q.Extra = engine.Output{}, engine.WantLine, 0, nil
		guide, err := engine.WorkFor(ctx, s.roads.Estimate(engine.CallRoute, &q), func(ctx context.Context) (*engine.Route, error) { return engine.Best(ctx, s.roads, &q) })
		switch {
		case engine.Code(err) != 0:
			return s.blocked("the roads of the region have no legal way either")
		case err != nil:
			return err
		}
		s.guide = guide
	}
	s.ask.Alternates = 0
	each := 1<<(s.audit.Asked-1)*2 - 1 // 1, 3, 7, 15, 31
	s.ask.Locations, s.own = nil, nil
	for i := range s.guide.Waypoints {
		s.own = append(s.own, len(s.ask.Locations))
		own := s.r.Locations[s.guide.Waypoints[i].Index]
		if on := s.guide.Waypoints[i].On; geo.Distance(own.Point, on) > leadCutoff { // past roads nearer by that are closed
			own.Point, own.SearchCutoff, own.Radius = on, leadCutoff, 0
		}
		s.ask.Locations = append(s.ask.Locations, own)
		if i == len(s.guide.Waypoints)-1 {
			break
		}
		// A leg may pass waypoints; what lies between two of them is a part of its line.
		for _, p := range spread(between(s.guide, i), each) {
			s.ask.Locations = append(s.ask.Locations, engine.Location{Point: p, Stop: engine.Through, SearchCutoff: leadCutoff})
		}
	}
	return nil
}

// leadCutoff is how many metres a road of the engine may lie beside a place that leads it:
// both know the same roads.
const leadCutoff = 25

// between returns the line of a route from one waypoint to the next.
func between(r *engine.Route, waypoint int) []geo.Point {
	for i := range r.Legs {
		l := &r.Legs[i]
		if waypoint < l.From || waypoint >= l.To {
			continue
		}
		from, to := 0, len(l.Line)-1
		if waypoint > l.From {
			from = nearest(l.Line, r.Waypoints[waypoint].On)
		}
		if waypoint+1 < l.To {
			to = max(from, nearest(l.Line, r.Waypoints[waypoint+1].On))
		}
		return l.Line[from : to+1]
	}
	return nil
}

func nearest(line []geo.Point, p geo.Point) (best int) {
	least := math.Inf(1)
	for i := range line {
		if metres := geo.Distance(line[i], p); metres < least {
			best, least = i, metres
		}
	}
	return best
}

// spread returns places in the middle of pieces of a line, evenly along it: middles, since a
// junction belongs to other roads too.
func spread(line []geo.Point, n int) []geo.Point {
	length := geo.Length(line)
	if length == 0 {
		return nil
	}
	var list []geo.Point
	want, passed := 1, 0.0
	for i := 1; i < len(line) && want <= n; i++ {
		metres := geo.Distance(line[i-1], line[i])
		if passed += metres; metres == 0 || passed < length*float64(want)/float64(n+1) {
			continue
		}
		for want <= n && passed >= length*float64(want)/float64(n+1) {
			want++
		}
		list = append(list, geo.Point{Lon: (line[i-1].Lon + line[i].Lon) / 2, Lat: (line[i-1].Lat + line[i].Lat) / 2})
	}
	return list
}

// unled takes the places that led the engine out of the waypoints of an answer.
func (s *search) unled(a *engine.RouteAnswer) {
	if s.guide == nil {
		return
	}
	for i := range a.Routes {
		r := &a.Routes[i]
		of := map[int]int{} // new index of each waypoint that stays
		var kept []engine.Waypoint
		for k := range r.Waypoints {
			at := slices.Index(s.own, r.Waypoints[k].Index)
			if at < 0 {
				continue
			}
			of[k] = len(kept)
			kept = append(kept, r.Waypoints[k])
			kept[len(kept)-1].Index, kept[len(kept)-1].Location = at, s.r.Locations[at]
		}
		r.Waypoints = kept
		for k := range r.Legs {
			r.Legs[k].From, r.Legs[k].To = of[r.Legs[k].From], of[r.Legs[k].To]
		}
	}
}

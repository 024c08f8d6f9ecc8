package plan

import (
	"context"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// others finds routes other than the best: each takes another way on one hop.
// The one that costs least more comes first. Ways of one hop share little with
// each other, and no two routes are the same.
func (p *Planner) others(ctx context.Context, best []hop) ([]Route, error) {
	type other struct {
		hop  int
		more uint64 // than the best
		h    hop
		via  *geo.Point
	}
	var all []other
	for i := range best {
		b := &best[i]
		if SamePlace(&p.Query.Locations[i], &p.Query.Locations[i+1]) {
			continue
		}
		found := b.others
		if !b.sought {
			var err error
			if found, err = p.alternatives(ctx, p.leaving(best, i), p.arriving(best, i)); err != nil {
				return nil, err
			}
		}
		p.research(b)
		roads := search.RoadsOf(p.Base.Graph, b.found)
		for _, f := range found {
			more, ok := p.passes(f.Found)
			f.Cost += more
			// A path that costs no more is the best itself, or is not possible at this time.
			if f.Cost <= b.found.Cost || !ok || overlap(p.Base.Graph, f.Found, roads) > maxShared {
				continue
			}
			warnings := p.Warnings
			o := other{hop: i, more: f.Cost - b.found.Cost, h: p.timedHop(b.from, b.to, f.Found)}
			if f.Via != graph.None {
				via := kernel.PointAlong(p.Base.Graph, f.Via, 0.5)
				o.via = &via
			}
			all = append(all, o)
			p.Warnings = warnings // they are of the best
		}
	}
	slices.SortStableFunc(all, func(a, b other) int {
		switch {
		case a.more < b.more:
			return -1
		case a.more > b.more:
			return 1
		}
		return a.hop - b.hop
	})
	var routes []Route
	for _, o := range all {
		if len(routes) == p.Query.Alternates {
			break
		}
		hops := slices.Clone(best)
		hops[o.hop] = o.h
		if p.retime(hops, o.hop) {
			rt := p.route(hops)
			rt.Via = o.via
			routes = append(routes, rt)
		}
	}
	return routes, nil
}

// togetherWithOthers reports whether the search for other ways of a hop is the one for
// its best: where the hierarchy answers both, at no time, and the ways of the next hop
// do not depend on how the best arrives.
func (p *Planner) togetherWithOthers(hop int) bool {
	last := hop+2 == len(p.Query.Locations)
	return p.Query.Alternates > 0 && p.Clock == nil && p.Weights.Hierarchy != nil && (last || !p.keepsDirection(hop+1))
}

// alternatives finds the best way between places and others by the hierarchy, less
// those on which something bends the roads: bends only make ways dearer, so that what
// is good of the others stays so. Without a hierarchy the roads themselves are searched,
// as far as that is little work.
func (p *pathFinder) alternatives(ctx context.Context, from, to []search.End) ([]cch.Alternative, error) {
	if p.Weights.Hierarchy != nil {
		all, err := p.Router().Alternatives(ctx, cch.Journey{Costing: p.Costing, Metric: p.Weights.Hierarchy, From: from, To: to}, p.Query.Alternates)
		return slices.DeleteFunc(all, func(a cch.Alternative) bool { return p.affected(a.Found) }), err
	}
	q := p.bidirectional()
	found, err := q.Alternatives(ctx, p.Weights.Weights, from, to, p.Query.Alternates)
	p.Base.Metrics.Searched(p.Weights, q.Settled)
	all := make([]cch.Alternative, len(found))
	for i, f := range found {
		all[i] = cch.Alternative{Found: f, Via: graph.None}
	}
	return all, err
}

// retime puts new times on the hops that come after a changed one, or before
// it where the time is that of arrival. It reports false where one of them is
// closed at its new time.
func (p *Planner) retime(hops []hop, changed int) bool {
	if p.Clock == nil || p.Clock.Frozen {
		return true
	}
	step := 1
	if p.Clock.Backwards() {
		step = -1
	}
	for i := changed + step; i >= 0 && i < len(hops); i += step {
		h := hops[i]
		if step > 0 {
			h.begin = hops[i-1].end
		} else {
			h.end = hops[i+1].begin
		}
		p.research(&h)
		if _, ok := p.passes(h.found); !ok {
			return false
		}
		warnings := p.Warnings
		hops[i] = p.timedHop(h.from, h.to, h.found)
		p.Warnings = warnings
	}
	return true
}

// maxShared is the part of an alternative's length that may be on the best
// way.
const maxShared = 0.65

// overlap returns the part of a path's length that is on roads of another.
func overlap(g *graph.Graph, f search.Found, roads search.Roads) float64 {
	shared, all := 0.0, 0.0
	for i, e := range f.Edges {
		begin, end := Travelled(f, i)
		metres := g.EdgeLength(e) * (end - begin)
		all += metres
		if roads.Has(g.Segment(e)) {
			shared += metres
		}
	}
	return shared / max(all, 1e-3)
}

// research sets the clock to the time of a hop.
func (p *Planner) research(h *hop) {
	p.LocalTime = h.begin
	if p.Query.When != nil && p.Query.When.Type == engine.Arrive {
		p.LocalTime = h.end
	}
	if p.Clock != nil {
		p.Clock.Set(p.LocalTime)
		p.Clock.SetEnds(EdgesOf(h.from.Ends, h.to.Ends)...)
	}
}

// leaving returns the ways to set out on another way of a hop: as the best does
// where it goes on from the hop before without turning round.
func (p *Planner) leaving(best []hop, i int) []search.End {
	if i > 0 && p.keepsDirection(i) {
		return []search.End{best[i].found.From}
	}
	return best[i].from.Ends
}

// arriving returns the ways to arrive on another way of a hop.
func (p *Planner) arriving(best []hop, i int) []search.End {
	if i+1 < len(best) && p.keepsDirection(i+1) {
		return []search.End{best[i].found.To}
	}
	return best[i].to.Ends
}

// keepsDirection reports whether a location is passed without turning round.
func (p *Request) keepsDirection(location int) bool {
	stop := p.Query.Locations[location].Stop
	return stop == engine.Through || stop == engine.BreakThrough
}

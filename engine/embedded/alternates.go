package embedded

import (
	"context"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// others finds routes other than the best: each takes another way on one hop.
// The one that costs least more comes first. Ways of one hop share little with
// each other, and no two routes are the same.
func (p *planner) others(ctx context.Context, best []hop) ([]route, error) {
	type other struct {
		hop  int
		more uint64 // than the best
		h    hop
		via  *geo.Point
	}
	var all []other
	for i := range best {
		b := &best[i]
		if samePlace(&p.r.Locations[i], &p.r.Locations[i+1]) {
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
		roads := search.RoadsOf(p.e.g, b.found)
		for _, f := range found {
			// What costs no more is the best itself, or not to be had at this time.
			if f.Cost <= b.found.Cost || !p.arrivesAlike(f.Found) || p.overlap(f.Found, roads) > maxShared {
				continue
			}
			warnings := p.warnings
			o := other{hop: i, more: f.Cost - b.found.Cost, h: p.timedHop(b.from, b.to, f.Found)}
			if f.Via != graph.None {
				via := pointAlong(p.e.g, f.Via, 0.5)
				o.via = &via
			}
			all = append(all, o)
			p.warnings = warnings // they are of the best
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
	var routes []route
	for _, o := range all {
		if len(routes) == p.r.Alternates {
			break
		}
		hops := slices.Clone(best)
		hops[o.hop] = o.h
		if p.retime(hops, o.hop) {
			rt := p.route(hops)
			rt.via = o.via
			routes = append(routes, rt)
		}
	}
	return routes, nil
}

// togetherWithOthers reports whether the search for other ways of a hop is the one for
// its best: where the hierarchy answers both, at no time, and the ways of the next hop
// do not depend on how the best arrives.
func (p *planner) togetherWithOthers(hop int) bool {
	last := hop+2 == len(p.r.Locations)
	return p.r.Alternates > 0 && p.clock == nil && p.weights.hierarchy != nil && (last || !p.keepsDirection(hop+1))
}

// alternatives finds the best way between places and others by the hierarchy, less
// those on which something bends the roads: bends only make ways dearer, so that what
// is good of the others stays so. Without a hierarchy the roads themselves are searched,
// as far as that is little work.
func (p *planner) alternatives(ctx context.Context, from, to []search.End) ([]cch.Alternative, error) {
	if p.weights.hierarchy != nil {
		all, err := p.router().Alternatives(ctx, cch.Journey{Costing: p.costing, Metric: p.weights.hierarchy, From: from, To: to}, p.r.Alternates)
		return slices.DeleteFunc(all, func(a cch.Alternative) bool { return p.affected(a.Found) }), err
	}
	q := p.bidirectional()
	found, err := q.Alternatives(ctx, p.weights.Weights, from, to, p.r.Alternates)
	p.e.metrics.searched(p.weights, q.Settled)
	all := make([]cch.Alternative, len(found))
	for i, f := range found {
		all[i] = cch.Alternative{Found: f, Via: graph.None}
	}
	return all, err
}

// retime puts new times on the hops that come after a changed one, or before
// it where the time is that of arrival. It reports false where one of them is
// closed at its new time.
func (p *planner) retime(hops []hop, changed int) bool {
	if p.clock == nil || p.clock.Frozen {
		return true
	}
	step := 1
	if p.clock.Backwards() {
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
		if !p.arrivesAlike(h.found) {
			return false
		}
		warnings := p.warnings
		hops[i] = p.timedHop(h.from, h.to, h.found)
		p.warnings = warnings
	}
	return true
}

// maxShared is the part of an alternative's length that may be on the best
// way.
const maxShared = 0.65

// overlap is the part of a path's length that is on roads of another.
func (p *planner) overlap(f search.Found, roads search.Roads) float64 {
	g := p.e.g
	shared, all := 0.0, 0.0
	for i, e := range f.Edges {
		begin, end := travelled(f, i)
		metres := g.EdgeLength(e) * (end - begin)
		all += metres
		if roads.Has(g.Segment(e)) {
			shared += metres
		}
	}
	return shared / max(all, 1e-3)
}

// research sets the clock to the time of a hop.
func (p *planner) research(h *hop) {
	p.moment = h.begin
	if p.r.When != nil && p.r.When.Type == engine.Arrive {
		p.moment = h.end
	}
	if p.clock != nil {
		p.clock.Set(p.moment)
		p.clock.SetEnds(edgesOf(h.from.ends, h.to.ends)...)
	}
}

// leaving gives the ways to set out on another way of a hop: as the best does
// where it goes on from the hop before without turning round.
func (p *planner) leaving(best []hop, i int) []search.End {
	if i > 0 && p.keepsDirection(i) {
		return []search.End{best[i].found.From}
	}
	return best[i].from.ends
}

// arriving gives the ways to arrive on another way of a hop.
func (p *planner) arriving(best []hop, i int) []search.End {
	if i+1 < len(best) && p.keepsDirection(i+1) {
		return []search.End{best[i].found.To}
	}
	return best[i].to.ends
}

// keepsDirection reports whether a location is passed without turning round.
func (p *planner) keepsDirection(location int) bool {
	stop := p.r.Locations[location].Stop
	return stop == engine.Through || stop == engine.BreakThrough
}

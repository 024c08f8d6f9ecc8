package plan

import (
	"context"
	"errors"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// pathFinder searches for paths.
type pathFinder struct {
	*pathTimer
	Settled   int // edges, by the searches on the roads for the path looked for last
	potential potential
}

// Shortest finds the cheapest path. The hierarchy has the roads as they are when no condition
// changes them: its path is the cheapest of all unless something lies on it. Only then, and
// for options that have no hierarchy, comes a search that looks at the roads themselves.
func (p *pathFinder) Shortest(ctx context.Context, from, to []search.End) (search.Found, bool, error) {
	if ctx.Err() != nil {
		return search.Found{}, false, ctx.Err()
	}
	if p.Weights.Hierarchy != nil {
		found, ok := p.Router().Shortest(p.Costing, p.Weights.Hierarchy, from, to)
		if !ok || !p.Affected(found) {
			return found, ok, nil
		}
	}
	p.Settled = 0
	found, ok, err := p.Astar(WithCheckLimit(ctx, p.Base.Bounds.All, ErrBeyondBound), p.Who, p.Weights, p.Clock, from, to)
	if errors.Is(err, ErrBeyondBound) {
		return p.beyond(ctx, from, to)
	}
	if p.Weights.Hierarchy != nil && p.Weights.Layer == nil && p.Who.View != (overlay.View{}) && !p.Excludes {
		p.Base.Metrics.SearchedPast(p.Who, p.Settled)
	}
	return found, ok, err
}

// Bounds bound searches that the hierarchy does not answer, by how often they look at
// their contexts: at every 1,024th edge.
type Bounds struct{ All, FromOneEnd, BeforeCatchment int }

// usualBounds are some 500,000 edges, which take about a second, of which 32,000 from one
// end. A way of a matrix is searched for over 4,000 before it is looked whether there is one.
var usualBounds = Bounds{512, 32, 4}

// ErrBeyondBound is the error of a way that was not found within the bounds.
var ErrBeyondBound = errors.New("the way was not found within the bound of the search")

// beyond finds the cheapest path where a search on the roads did not come to its end
// within its bound: for options without a metric that is made at once, if there is
// memory for it.
func (p *pathFinder) beyond(ctx context.Context, from, to []search.End) (f search.Found, ok bool, err error) {
	why := "something bends the roads for the journey"
	if p.Weights.Hierarchy == nil {
		why = "nothing is worked out for these options, for which there is no memory"
		if p.Who.View == (overlay.View{}) {
			w, made, err := p.Base.Metrics.Customised(ctx, p.Who)
			if err != nil {
				return f, false, err
			}
			if made {
				p.Weights.Hierarchy, p.Weights.Entry = w.Hierarchy, w.Entry
				return p.Shortest(ctx, from, to)
			}
		}
	}
	return f, false, engine.Refused(engine.CodeTooFar, "the way between the locations was not found among the %d edges that are searched at most where %s: usual options, or locations closer together, need no such search", 1024*p.Base.Bounds.All, why)
}

// Astar finds the cheapest path of a traveller by looking at the roads themselves, led by the
// hierarchy's bounds on the way that is left: from both ends where these are loose, or where
// a search from one end has gone far without an end, perhaps because what is closed encloses
// the other, or the bound is loose after all.
func (p *pathFinder) Astar(ctx context.Context, who metric.Traveller, w metric.Weights, clock *overlay.Clock, from, to []search.End) (search.Found, bool, error) {
	bound, tight, ok := p.Base.Metrics.Bound(who, w)
	j := search.Request{Weights: w.Weights, Clock: clock, From: from, To: to}
	if clock == nil && !tight {
		return p.fromBothEnds(ctx, j, w, bound, ok)
	}
	if p.s.astar == nil {
		p.s.astar = search.NewAStar(p.Base.Graph)
	}
	aim, _ := p.aims()
	switch {
	case !ok:
	case clock.Backwards():
		aim.From(bound, p.Base.Graph, from)
		j.Potential, p.potential = aim.LowerBound, potential{}
	default:
		p.aimTo(bound, to)
		j.Potential = aim.LowerBound
	}
	defer func() { p.searched(w, p.s.astar.Settled) }()
	if clock != nil {
		return p.s.astar.Shortest(ctx, j)
	}
	most := p.Base.Bounds.FromOneEnd
	if w.Hierarchy == nil {
		most = min(most, 1) // a few edges off the path are soon more than that
	}
	found, ok, err := p.s.astar.Shortest(WithCheckLimit(ctx, most, errFar), j)
	if errors.Is(err, errFar) {
		return p.fromBothEnds(ctx, j, w, bound, true)
	}
	return found, ok, err
}

// searched notes how many edges a search settled.
func (p *pathFinder) searched(w metric.Weights, settled int) {
	p.Settled += settled
	p.Base.Metrics.Searched(w, settled)
}

// errFar is the error of a search from one end that went too far.
var errFar = errors.New("the search from one end has gone far")

// fromBothEnds finds the cheapest path of a request without a clock, led by a bound
// where there is one.
func (p *pathFinder) fromBothEnds(ctx context.Context, j search.Request, w metric.Weights, bound cch.Bound, led bool) (search.Found, bool, error) {
	q := p.bidirectional()
	defer func() { p.searched(w, q.Settled) }()
	if !led {
		return q.Shortest(ctx, j.Weights, j.From, j.To)
	}
	aim, begun := p.aims()
	p.aimTo(bound, j.To)
	begun.From(bound, p.Base.Graph, j.From)
	j.Potential, j.Begun = aim.FineLowerBound, begun.FineLowerBound
	return q.BidirectionalAStar(ctx, j)
}

// potential is the place towards which the lower bound was last set.
type potential struct {
	to           *search.End
	ends         int
	metric, with *cch.Metric
	scale        [2]float64 // of either
}

// aimTo sets the lower bound towards the end of a way, of which what was worked out before
// stays where it was set to that already.
func (p *pathFinder) aimTo(b cch.Bound, to []search.End) {
	now := potential{ends: len(to), metric: b.Metric, scale: [2]float64{b.Scale}}
	if len(to) > 0 {
		now.to = &to[0]
	}
	if b.With != nil {
		now.with, now.scale[1] = b.With.Metric, b.With.Scale
	}
	if aim, _ := p.aims(); p.potential != now || now.to == nil {
		aim.To(b, p.Base.Graph, to)
		p.potential = now
	}
}

// aims are lower bounds towards either end.
func (p *pathFinder) aims() (aim, begun *cch.Potential) {
	if p.s.aim == nil {
		p.s.aim, p.s.begun = cch.NewPotential(p.Base.Topology), cch.NewPotential(p.Base.Topology)
	}
	return p.s.aim, p.s.begun
}

// affected reports whether something that bends the roads lies on a path.
func (p *pathFinder) affected(f search.Found) bool {
	if p.Weights.Overlay.Empty() {
		return false
	}
	for i, e := range f.Edges {
		part := overlay.Whole
		if i == 0 {
			part.From = f.From.Along
		}
		if i == len(f.Edges)-1 {
			part.To = f.To.Along
		}
		o := p.Base.Graph.Original(e)
		if p.Weights.Overlay.Affects(o, part) || i > 0 && p.Weights.Overlay.AffectsTurn(p.Base.Graph.Original(f.Edges[i-1]), o) {
			return true
		}
	}
	return false
}

// bidirectional returns the search that needs no hierarchy.
func (p *pathFinder) bidirectional() *search.Query {
	if p.s.search == nil {
		p.s.search = search.NewQuery(p.Base.Graph)
	}
	return p.s.search
}

// Router returns the search by the hierarchy.
func (p *pathFinder) Router() *cch.Router {
	if p.s.router == nil {
		p.s.router = cch.NewRouter(p.Base.Topology)
	}
	return p.s.router
}

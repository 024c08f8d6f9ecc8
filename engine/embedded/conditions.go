package embedded

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// applyConditions works out what the request and the live feeds change on the roads.
func (p *planner) applyConditions() error {
	o := overlay.WithLayer(p.layer())
	p.weights.Overlay = o // for excluded locations that are on no road that is closed now
	ctx := p.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	for _, ring := range p.r.ExcludePolygons {
		if err := o.ClosePolygon(ctx, p.e.g, p.e.tree, ring); err != nil {
			return err
		}
	}
	if len(p.r.ExcludeAreas) > 0 {
		c, err := p.e.closure(ctx, p.r.ExcludeAreas)
		if err != nil {
			return err
		}
		o.Share(c)
	}
	for i := range p.r.ExcludeLocations {
		if err := p.closeLocation(o, i); err != nil {
			return err
		}
	}
	p.excludes = len(p.r.ExcludePolygons)+len(p.r.ExcludeAreas)+len(p.r.ExcludeLocations) > 0
	if o.Nothing() {
		p.weights.Overlay = nil
	}
	return nil
}

// layer is what the live feeds know that counts for the request, and whether its
// metric knows of it.
func (p *planner) layer() (l *overlay.Layer, applied bool) {
	if l := p.weights.layer; l != nil {
		return l, true
	}
	return p.e.live.Get().Layer(p.who.view), false
}

// view is what of live feeds and of usual speeds counts for the request: what is
// live where the journey is now, closures of now where no time is told and nothing
// else knows of them, and usual speeds where a time is told. moment is the local time of the journey.
func (p *planner) view(moment time.Time) (v overlay.View) {
	w := p.r.When
	now := w != nil && w.Type == engine.Now
	if w != nil && p.r.Wants("predicted") {
		v.Hour = uint16(overlay.HourOfWeek(moment)) + 1
	}
	if !p.r.Wants("current") {
		return v
	}
	if !p.r.Options.On(costing.IgnoreClosures) {
		switch {
		case w == nil && !p.arrives:
			v.Closing = overlay.HoldingClosures
		case w == nil, now:
			v.Closing = overlay.LastingClosures
		}
	}
	v.Live = now
	return v
}

// closeLocation closes the roads that an excluded location is on, at its place: a
// path may begin behind it and end before it.
func (p *planner) closeLocation(o *overlay.Overlay, index int) error {
	l := &p.r.ExcludeLocations[index]
	cutoff := searchCutoff(l)
	nearest := math.Inf(1)
	p.nearby(l.Point, cutoff, func(c snap.Candidate) bool {
		if c.Metres > nearest+sameSpot {
			return false
		}
		for _, end := range p.usable(l, c) {
			nearest = math.Min(nearest, c.Metres)
			o.Close(end.Edge, overlay.Span{From: end.Along, To: end.Along})
		}
		return true
	})
	if err := p.contextError(); err != nil {
		return err
	}
	if math.IsInf(nearest, 1) {
		return engine.Refused(engine.CodeNoSegment, "exclude_locations[%d] (%s) has no road usable by %s within %.0f m", index, l.Point, p.r.Costing, cutoff)
	}
	return nil
}

// shortest finds the cheapest path. The hierarchy knows the roads as they are
// when no condition changes them: its path is the cheapest of all unless something
// lies on it. Only then, and for options that have no hierarchy, comes a
// search that looks at the roads themselves.
func (p *planner) shortest(ctx context.Context, from, to []search.End) (search.Found, bool, error) {
	if ctx.Err() != nil {
		return search.Found{}, false, ctx.Err()
	}
	if p.weights.hierarchy != nil {
		found, ok := p.router().Shortest(p.costing, p.weights.hierarchy, from, to)
		if !ok || !p.bent(found) {
			return found, ok, nil
		}
	}
	p.settled = 0
	found, ok, err := p.astar(&bounded{ctx, p.e.searches.all, errBeyond}, p.who, p.weights, p.clock, from, to)
	if errors.Is(err, errBeyond) {
		return p.beyond(ctx, from, to)
	}
	if p.weights.hierarchy != nil && p.weights.layer == nil && p.who.view != (overlay.View{}) && !p.excludes {
		p.e.metrics.detoured(p.who, p.settled)
	}
	return found, ok, err
}

// searchBounds bound searches that the hierarchy does not answer, by how often they look at
// their contexts: at every 1,024th edge.
type searchBounds struct{ all, fromOneEnd, beforeCatchment int }

// usualBounds are some 500,000 edges, which take about a second, of which 32,000 from one
// end. A way of a matrix is searched for over 4,000 before it is looked whether there is one.
var usualBounds = searchBounds{512, 32, 4}

// errBeyond says that a way was not found within the bounds.
var errBeyond = errors.New("the way was not found within the bound of the search")

// beyond finds the cheapest path where a search on the roads did not come to its end
// within its bound: for options without a metric that is made at once, if there is
// memory for it.
func (p *planner) beyond(ctx context.Context, from, to []search.End) (f search.Found, ok bool, err error) {
	why := "something bends the roads for the journey"
	if p.weights.hierarchy == nil {
		why = "nothing is worked out for these options, for which there is no memory"
		if p.who.view == (overlay.View{}) {
			w, made, err := p.e.metrics.customised(ctx, p.who)
			if err != nil {
				return f, false, err
			}
			if made {
				p.weights.hierarchy, p.weights.entry = w.hierarchy, w.entry
				return p.shortest(ctx, from, to)
			}
		}
	}
	return f, false, engine.Refused(engine.CodeTooFar, "the way between the locations was not found among the %d edges that are searched at most where %s: usual options, or locations closer together, need no such search", 1024*p.e.searches.all, why)
}

// astar finds the cheapest path of a traveller by looking at the roads
// themselves, led by what the hierarchy knows of the way that is left: from both
// ends where that is a loose bound, or where a search from one end has gone far without
// an end, perhaps because what is closed encloses the other, or the bound is loose after all.
func (p *planner) astar(ctx context.Context, who traveller, w weights, clock *overlay.Clock, from, to []search.End) (search.Found, bool, error) {
	bound, tight, ok := p.e.metrics.bound(who, w)
	j := search.Request{Weights: w.Weights, Clock: clock, From: from, To: to}
	if clock == nil && !tight {
		return p.fromBothEnds(ctx, j, w, bound, ok)
	}
	if p.s.astar == nil {
		p.s.astar = search.NewAStar(p.e.g)
	}
	aim, _ := p.aims()
	switch {
	case !ok:
	case clock.Backwards():
		aim.From(bound, p.e.g, from)
		j.Potential, p.aimed = aim.Rest, aimed{}
	default:
		p.aimTo(bound, to)
		j.Potential = aim.Rest
	}
	defer func() { p.searched(w, p.s.astar.Settled) }()
	if clock != nil {
		return p.s.astar.Shortest(ctx, j)
	}
	most := p.e.searches.fromOneEnd
	if w.hierarchy == nil {
		most = min(most, 1) // a few edges off the path are soon more than that
	}
	found, ok, err := p.s.astar.Shortest(&bounded{ctx, most, errFar}, j)
	if errors.Is(err, errFar) {
		return p.fromBothEnds(ctx, j, w, bound, true)
	}
	return found, ok, err
}

// searched notes how many edges a search settled.
func (p *planner) searched(w weights, settled int) {
	p.settled += settled
	p.e.metrics.searched(w, settled)
}

// errFar says that a search from one end went far without an end.
var errFar = errors.New("the search from one end has gone far")

// fromBothEnds finds the cheapest path of a request without a clock, led by a bound
// where there is one.
func (p *planner) fromBothEnds(ctx context.Context, j search.Request, w weights, bound cch.Bound, led bool) (search.Found, bool, error) {
	q := p.bidirectional()
	defer func() { p.searched(w, q.Settled) }()
	if !led {
		return q.Shortest(ctx, j.Weights, j.From, j.To)
	}
	aim, begun := p.aims()
	p.aimTo(bound, j.To)
	begun.From(bound, p.e.g, j.From)
	j.Potential, j.Begun = aim.Fine, begun.Fine
	return q.Led(ctx, j)
}

// aimed tells what the lower bound towards the end of a way was last set to.
type aimed struct {
	to           *search.End
	ends         int
	metric, with *cch.Metric
	scale        [2]float64 // of either
}

// aimTo sets the lower bound towards the end of a way, of which what was worked out before
// stays where it was set to that already.
func (p *planner) aimTo(b cch.Bound, to []search.End) {
	now := aimed{ends: len(to), metric: b.Metric, scale: [2]float64{b.Scale}}
	if len(to) > 0 {
		now.to = &to[0]
	}
	if b.With != nil {
		now.with, now.scale[1] = b.With.Metric, b.With.Scale
	}
	if aim, _ := p.aims(); p.aimed != now || now.to == nil {
		aim.To(b, p.e.g, to)
		p.aimed = now
	}
}

// aims are lower bounds towards either end.
func (p *planner) aims() (aim, begun *cch.Potential) {
	if p.s.aim == nil {
		p.s.aim, p.s.begun = cch.NewPotential(p.e.topology), cch.NewPotential(p.e.topology)
	}
	return p.s.aim, p.s.begun
}

// affected reports whether something that bends the roads lies on a path.
func (p *planner) affected(f search.Found) bool {
	if p.weights.Overlay.Empty() {
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
		o := p.e.g.Original(e)
		if p.weights.Overlay.Affects(o, part) || i > 0 && p.weights.Overlay.AffectsTurn(p.e.g.Original(f.Edges[i-1]), o) {
			return true
		}
	}
	return false
}

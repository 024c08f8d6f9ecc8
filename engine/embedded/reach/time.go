package reach

import (
	"context"
	"slices"

	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/sparse"
)

// reachAtTime is a search for what is within reach at a time.
type reachAtTime struct {
	who     *plan.Request
	place   []search.End
	reverse bool
	bound   search.Measure
	add     func([]search.Reached) // receives the edges,
	ranked  func([]search.Reached) // or those of them that come in the order of ranks
}

// treeAtTime returns the edges within reach at a time: by the hierarchy, which has no times,
// where they are the same, else by the clock.
func (e *Service) treeAtTime(ctx context.Context, q *reachAtTime) error {
	if ok, err := e.treeOfNoTime(ctx, q); ok || err != nil {
		return err
	}
	return e.treeByClock(ctx, q)
}

// treeByClock searches by the clock. Roads that are open to their destinations
// only, at times, are within reach as destinations and not for passing.
func (e *Service) treeByClock(ctx context.Context, q *reachAtTime) error {
	s := e.TimeDependent.Get().(*search.TimeDependent)
	defer e.TimeDependent.GiveBack(s)
	clock, w := q.who.Clock.Clone(), q.who.Weights.Weights
	ends := plan.EdgesOf(q.place)
	clock.SetEnds(ends...)
	reached, err := s.Around(ctx, w, clock, q.reverse, q.place, q.bound)
	if err != nil {
		return err
	}
	inside := slices.ContainsFunc(ends, clock.DestinationOnly)
	destinations := clock.Destinations()
	if inside || !s.Touches(destinations) {
		q.add(reached)
		return nil
	}
	isDestination := func(x search.Reached) bool { return clock.DestinationOnly(e.Graph.Original(x.Edge)) }
	q.add(slices.DeleteFunc(reached, isDestination))
	clock.SetEnds(append(ends, destinations[0])...)
	reached, err = s.Around(ctx, w, clock, q.reverse, q.place, q.bound)
	q.add(slices.DeleteFunc(reached, func(x search.Reached) bool { return !isDestination(x) }))
	return err
}

// treeOfNoTime returns the edges within reach at no time where the time makes no
// difference; ok is false where it may. Most of what a region closes at times lies on
// no cheapest path from a place: then all others are as they were without it.
func (e *Service) treeOfNoTime(ctx context.Context, q *reachAtTime) (ok bool, err error) {
	clock := q.who.Clock
	w := e.Metrics.ForOptions(q.who.Who.Options, false)
	timed := func(x search.End) bool { return clock.Timed(graph.None, x.Edge) }
	if w.Hierarchy == nil || q.bound.Decimetres > 0 || !q.who.Weights.Overlay.Empty() || slices.ContainsFunc(q.place, timed) {
		return false, nil
	}
	x, err := e.Metrics.Measures(ctx, w)
	if err != nil {
		return false, err
	}
	s := e.ranges.Get().(*cch.RangeQuery)
	defer e.ranges.GiveBack(s)
	find := s.From
	if q.reverse {
		find = s.Back
	}
	reached, err := find(ctx, cch.Costs{Costing: w.Costing, Metric: w.Hierarchy, Measures: x}, q.place, cch.RangeLimits{Bound: q.bound})
	if err != nil {
		return false, err
	}
	j := timedReach{reachAtTime: q, g: e.Graph, w: w, rest: cch.NewPotential(e.Topology), reached: reached, out: map[graph.Edge]bool{}}
	j.note()
	if !j.opensAlike(e.Metrics.Best(q.who.Who)) || !j.limitsAlike() || !j.closesAlike(ctx) {
		return false, ctx.Err()
	}
	if len(j.out) > 0 {
		reached = slices.DeleteFunc(reached, func(x search.Reached) bool { return j.out[x.Edge] })
	}
	q.ranked(reached)
	q.add(j.in)
	return true, nil
}

// timedReach is the reach without a time, checked against what opens and closes.
type timedReach struct {
	*reachAtTime
	g       *graph.Graph
	w       metric.Weights
	rest    *cch.Potential       // from the place or to it
	reached []search.Reached     // at no time
	within  sparse.Table[uint32] // by edge: its number in reached plus 1, 0 where it is not
	dearest uint64               // of the paths within reach, less what all paths there cost
	// The edges within reach at no time and not at this one, or by another way.
	out map[graph.Edge]bool
	in  []search.Reached
}

// mostTimed is how many edges are looked at by themselves for what opens and
// closes at times.
const mostTimed = 10_000

func (j *timedReach) note() {
	for i := range j.reached {
		x := &j.reached[i]
		*j.within.At(uint32(x.Edge)) = uint32(i) + 1
		cost := x.Cost
		if j.reverse {
			cost += j.edge(x.Edge)
		}
		j.dearest = max(j.dearest, cost-min(cost, j.entered(x.Edge)))
	}
	bound := cch.OfCosting(j.w.Costing, j.w.Hierarchy, 1)
	if j.reverse {
		j.rest.To(bound, j.g, j.place)
	} else {
		j.rest.From(bound, j.g, j.place)
	}
}

// entered returns the part of the cost of a path to an edge or, in reverse, from it, that every
// other has too: that of entering private roads.
func (j *timedReach) entered(e graph.Edge) uint64 {
	at := [1]search.End{{Edge: e}}
	if j.reverse {
		return search.Entry(j.w.Costing, at[:], j.place)
	}
	return search.Entry(j.w.Costing, j.place, at[:])
}

// edge returns the cost of an edge, a copy perhaps; beyond all others where it is closed.
func (j *timedReach) edge(e graph.Edge) uint64 { return uint64(j.w.Costing.Edge(j.g.Original(e))) }

// horizon returns how many milliseconds a path may take, or a wait, that matters to
// what is within reach; ok is false where waiting costs nothing.
func (j *timedReach) horizon() (millis int64, ok bool) {
	clock := j.who.Clock
	if clock.Frozen {
		return 0, true
	}
	if clock.Wait == 0 {
		return 0, false
	}
	return max(int64(j.bound.Millis), int64(j.dearest<<10/clock.Wait)), true
}

// metresASecond is faster than anybody travels.
const metresASecond = 90

// opensAlike reports whether no path that matters comes to an end of the edges that
// the law closes and opens at times, or whose speed limits are higher at the time.
func (j *timedReach) opensAlike(best *overlay.BestTimes) bool {
	if !best.Any() {
		return true
	}
	horizon, ok := j.horizon()
	if !ok || len(best.Open)+len(best.Limits) > mostTimed {
		return false
	}
	for e := range best.Limits {
		usual := j.g.SpeedLimits(e, j.w.Costing.Mode())
		if j.near(e, horizon) && !j.who.Clock.LimitsStay(e, usual, horizon) && j.touchesEnd(e) {
			return false
		}
	}
	for e := range best.Open {
		if j.near(e, horizon) && (!j.who.Clock.Constant(e, horizon) || j.touchesEnd(e)) {
			return false
		}
	}
	return true
}

// near reports whether an edge is so near that the journey may come to it within a time.
func (j *timedReach) near(e graph.Edge, horizon int64) bool {
	if j.who.Clock.Frozen {
		return true
	}
	at := j.g.Position[j.g.ByEdge[j.place[0].Edge].Tail].Point()
	metres := geo.Distance(at, j.g.Position[j.g.ByEdge[e].Tail].Point()) - j.g.EdgeLength(e) - j.g.EdgeLength(j.place[0].Edge)
	return metres <= metresASecond*float64(horizon)/1000
}

func (j *timedReach) touchesEnd(e graph.Edge) bool {
	return j.touches(j.g.ByEdge[e].Tail) || j.reverse && j.touches(j.g.ByEdge[e].Head)
}

// limitsAlike reports whether the speed limits of all that is within reach at no time are as
// usual for as long as matters. Of what is not within reach lower limits change nothing, and
// opensAlike looks at higher ones.
func (j *timedReach) limitsAlike() bool {
	clock := j.who.Clock
	horizon, ok := j.horizon()
	for _, e := range j.g.Timed {
		if !clock.Limited(e) {
			continue
		}
		reached := false
		j.g.EachCopy(e, func(x graph.Edge) { reached = reached || j.isPlace(x) || j.reaches(x) })
		if reached && !(ok && clock.LimitsStay(e, j.g.SpeedLimits(e, j.w.Costing.Mode()), horizon)) {
			return false
		}
	}
	return true
}

// touches reports whether a path that may matter leads over a node.
func (j *timedReach) touches(n graph.Node) (found bool) {
	for out := j.g.FirstOut[n]; out < j.g.FirstOut[n+1] && !found; out++ {
		x := out
		if !j.reverse {
			x = j.g.ByEdge[out].Opposite
		}
		j.g.EachCopy(x, func(e graph.Edge) {
			rest := j.rest.LowerBound(e)
			found = found || j.isPlace(e) || j.reaches(e) || rest != search.Unreachable && rest+j.edge(e) <= j.dearest+j.entered(e)+cch.Tied
		})
	}
	return found
}

// reaches reports whether an edge is within reach at no time.
func (j *timedReach) reaches(e graph.Edge) bool { return j.within.Get(uint32(e)) > 0 }

func (j *timedReach) isPlace(e graph.Edge) bool {
	return slices.ContainsFunc(j.place, func(x search.End) bool { return x.Edge == e })
}

// turn returns the edge, a copy perhaps, that a turn at no time leads to.
func (j *timedReach) turn(e, f graph.Edge) (to graph.Edge, ok bool) {
	c := j.w.Costing
	if to, ok = c.Follow(e, f); !ok || c.Edge(j.g.Original(e)) == profile.Forbidden || c.Edge(f) == profile.Forbidden {
		return to, false
	}
	return to, c.Turn(e, f).Cost != profile.Forbidden
}

// after calls do for the edges that turns from e lead to.
func (j *timedReach) after(e graph.Edge, do func(graph.Edge)) {
	n := j.g.ByEdge[e].Head
	for f := j.g.FirstOut[n]; f < j.g.FirstOut[n+1]; f++ {
		if to, ok := j.turn(e, f); ok {
			do(to)
		}
	}
}

// before calls do for the edges from which turns lead to e.
func (j *timedReach) before(e graph.Edge, do func(graph.Edge)) {
	j.g.EachPredecessor(e, func(x graph.Edge) {
		if to, ok := j.turn(x, j.g.Original(e)); ok && to == e {
			do(x)
		}
	})
}

// leads reports whether a cheapest path at no time may lead from edge e on to edge f,
// to which a turn leads.
func (j *timedReach) leads(e, f graph.Edge) bool {
	least, via, on := j.rest.LowerBound(f), j.rest.LowerBound(e), j.edge(e)
	if j.reverse {
		least, via, on = via, least, j.edge(f)
	}
	turn := j.w.Costing.Turn(e, j.g.Original(f)).Cost
	return via != search.Unreachable && (least == search.Unreachable || least+cch.Tied >= via+uint64(turn)+on)
}

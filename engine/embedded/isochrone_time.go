package embedded

import (
	"context"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/sparse"
)

// reachAtTime is the question what is within reach at a time, by who tells it.
type reachAtTime struct {
	who     *planner
	place   []search.End
	reverse bool
	bound   search.Measure
	add     func([]search.Reached) // hears the answer,
	ranked  func([]search.Reached) // or what of it comes in the order of ranks
}

// treeAtTime gives the edges within reach at a time: by the hierarchy, which knows
// none, where they are the same, else by the clock.
func (e *Engine) treeAtTime(ctx context.Context, q *reachAtTime) error {
	if ok, err := e.treeOfNoTime(ctx, q); ok || err != nil {
		return err
	}
	return e.treeByClock(ctx, q)
}

// treeByClock searches by the clock. Roads that are open to their destinations
// only, at times, are within reach as destinations and not for passing.
func (e *Engine) treeByClock(ctx context.Context, q *reachAtTime) error {
	s := e.timeDependent.Get().(*search.TimeDependent)
	defer e.timeDependent.giveBack(s)
	clock, w := q.who.clock.Clone(), q.who.weights.Weights
	ends := edgesOf(q.place)
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
	isDestination := func(x search.Reached) bool { return clock.DestinationOnly(e.g.Original(x.Edge)) }
	q.add(slices.DeleteFunc(reached, isDestination))
	clock.SetEnds(append(ends, destinations[0])...)
	reached, err = s.Around(ctx, w, clock, q.reverse, q.place, q.bound)
	q.add(slices.DeleteFunc(reached, func(x search.Reached) bool { return !isDestination(x) }))
	return err
}

// treeOfNoTime gives the edges within reach at no time where the time makes no
// difference; ok is false where it may. Most of what a region closes at times lies on
// no cheapest path from a place: then all others are as they were without it.
func (e *Engine) treeOfNoTime(ctx context.Context, q *reachAtTime) (ok bool, err error) {
	clock := q.who.clock
	w := e.metrics.forOptions(q.who.who.options, false)
	timed := func(x search.End) bool { return clock.Timed(graph.None, x.Edge) }
	if w.hierarchy == nil || q.bound.Decimetres > 0 || !q.who.weights.Overlay.Empty() || slices.ContainsFunc(q.place, timed) {
		return false, nil
	}
	x, err := e.metrics.measures(ctx, w)
	if err != nil {
		return false, err
	}
	s := e.ranges.Get().(*cch.RangeQuery)
	defer e.ranges.giveBack(s)
	find := s.From
	if q.reverse {
		find = s.Back
	}
	reached, err := find(ctx, cch.Costs{Costing: w.Costing, Metric: w.hierarchy, Measures: x}, q.place, cch.Within{Bound: q.bound})
	if err != nil {
		return false, err
	}
	j := judged{reachAtTime: q, g: e.g, w: w, rest: cch.NewPotential(e.topology), reached: reached, out: map[graph.Edge]bool{}}
	j.note()
	if !j.opensAlike(e.metrics.openTo(q.who.who)) || !j.closesAlike(ctx) {
		return false, ctx.Err()
	}
	if len(j.out) > 0 {
		reached = slices.DeleteFunc(reached, func(x search.Reached) bool { return j.out[x.Edge] })
	}
	q.ranked(reached)
	q.add(j.in)
	return true, nil
}

// judged is what is within reach at no time, held against what opens and closes.
type judged struct {
	*reachAtTime
	g       *graph.Graph
	w       weights
	rest    *cch.Potential       // from the place or to it
	reached []search.Reached     // at no time
	within  sparse.Table[uint32] // by edge: its number in reached plus 1, 0 where it is not
	dearest uint64               // of the paths within reach, less what all paths there cost
	// What is within reach at no time and not at this one, or by another way.
	out map[graph.Edge]bool
	in  []search.Reached
}

// mostBehindHours is how many edges are looked at by themselves for what opens and
// closes at times.
const mostBehindHours = 10_000

func (j *judged) note() {
	for i := range j.reached {
		x := &j.reached[i]
		*j.within.At(uint32(x.Edge)) = uint32(i) + 1
		cost := x.Cost
		if j.reverse {
			cost += j.edge(x.Edge)
		}
		j.dearest = max(j.dearest, cost-min(cost, j.entered(x.Edge)))
	}
	bound := cch.OfCosting(j.w.Costing, j.w.hierarchy, 1)
	if j.reverse {
		j.rest.To(bound, j.g, j.place)
	} else {
		j.rest.From(bound, j.g, j.place)
	}
}

// entered is the part of the cost of a path to an edge or, in reverse, from it, that every
// other has too: that of entering private roads.
func (j *judged) entered(e graph.Edge) uint64 {
	at := [1]search.End{{Edge: e}}
	if j.reverse {
		return search.Entry(j.w.Costing, at[:], j.place)
	}
	return search.Entry(j.w.Costing, j.place, at[:])
}

// edge is the cost of an edge, a copy perhaps; beyond all others where it is closed.
func (j *judged) edge(e graph.Edge) uint64 { return uint64(j.w.Costing.Edge(j.g.Original(e))) }

// horizon is how many milliseconds a path may take, or somebody wait, that matters to
// what is within reach; ok is false where waiting costs nothing.
func (j *judged) horizon() (millis int64, ok bool) {
	clock := j.who.clock
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
// the law closes and opens at times.
func (j *judged) opensAlike(opens map[graph.Edge]bool) bool {
	horizon, ok := j.horizon()
	if !ok || len(opens) > mostBehindHours {
		return len(opens) == 0
	}
	at := j.g.Position[j.g.ByEdge[j.place[0].Edge].Tail].Point()
	for d := range opens {
		n := j.g.ByEdge[d].Tail
		metres := geo.Distance(at, j.g.Position[n].Point()) - float64(j.g.BySegment[j.g.Segment(d)].Length) - float64(j.g.BySegment[j.g.Segment(j.place[0].Edge)].Length)
		if !j.who.clock.Frozen && metres > metresASecond*float64(horizon)/1000 {
			continue
		}
		if !j.who.clock.Steady(d, horizon) || j.touches(n) || j.reverse && j.touches(j.g.ByEdge[d].Head) {
			return false
		}
	}
	return true
}

// touches reports whether a path that may matter leads over a node.
func (j *judged) touches(n graph.Node) (found bool) {
	for out := j.g.FirstOut[n]; out < j.g.FirstOut[n+1] && !found; out++ {
		x := out
		if !j.reverse {
			x = j.g.ByEdge[out].Opposite
		}
		j.g.EachCopy(x, func(e graph.Edge) {
			rest := j.rest.Rest(e)
			found = found || j.isPlace(e) || j.reaches(e) || rest != search.Unreachable && rest+j.edge(e) <= j.dearest+j.entered(e)+cch.Tied
		})
	}
	return found
}

// reaches reports whether an edge is within reach at no time.
func (j *judged) reaches(e graph.Edge) bool { return j.within.Get(uint32(e)) > 0 }

func (j *judged) isPlace(e graph.Edge) bool {
	return slices.ContainsFunc(j.place, func(x search.End) bool { return x.Edge == e })
}

// turn gives the edge, a copy perhaps, that a turn at no time leads to.
func (j *judged) turn(e, f graph.Edge) (to graph.Edge, ok bool) {
	c := j.w.Costing
	if to, ok = c.Follow(e, f); !ok || c.Edge(j.g.Original(e)) == profile.Forbidden || c.Edge(f) == profile.Forbidden {
		return to, false
	}
	return to, c.Turn(e, f).Cost != profile.Forbidden
}

// after calls do for the edges that turns from e lead to.
func (j *judged) after(e graph.Edge, do func(graph.Edge)) {
	n := j.g.ByEdge[e].Head
	for f := j.g.FirstOut[n]; f < j.g.FirstOut[n+1]; f++ {
		if to, ok := j.turn(e, f); ok {
			do(to)
		}
	}
}

// before calls do for the edges from which turns lead to e.
func (j *judged) before(e graph.Edge, do func(graph.Edge)) {
	j.g.EachBefore(e, func(x graph.Edge) {
		if to, ok := j.turn(x, j.g.Original(e)); ok && to == e {
			do(x)
		}
	})
}

// leads reports whether a cheapest path at no time may lead from edge e on to edge f,
// to which a turn leads.
func (j *judged) leads(e, f graph.Edge) bool {
	least, via, on := j.rest.Rest(f), j.rest.Rest(e), j.edge(e)
	if j.reverse {
		least, via, on = via, least, j.edge(f)
	}
	turn := j.w.Costing.Turn(e, j.g.Original(f)).Cost
	return via != search.Unreachable && (least == search.Unreachable || least+cch.Tied >= via+uint64(turn)+on)
}

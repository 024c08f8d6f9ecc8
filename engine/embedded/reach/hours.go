package reach

import (
	"context"

	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/heap"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// closesAlike reports whether what is closed at times changes nothing but how what lies
// behind it is come to, if at all; it notes that. Roads that are open to their
// destinations only are closed to all other journeys and open to those that end there.
func (j *timedReach) closesAlike(ctx context.Context) bool {
	clock := j.who.Clock.Clone()
	ends := plan.EdgesOf(j.place)
	destinations := clock.Destinations()
	for _, open := range []bool{false, true} {
		if open && len(destinations) == 0 {
			break
		}
		clock.SetEnds(ends...)
		if open {
			clock.SetEnds(append(ends, destinations[0])...)
		}
		b := pastHours{timedReach: j, all: map[graph.Edge]bool{}, shut: map[graph.Edge]bool{}}
		if !b.find(ctx, clock) {
			return false
		}
		for e := range b.all {
			if clock.DestinationOnly(j.g.Original(e)) == open {
				j.out[e] = true
			}
		}
		for _, x := range b.again() {
			if clock.DestinationOnly(j.g.Original(x.Edge)) == open {
				j.in = append(j.in, x)
			}
		}
	}
	return true
}

// pastHours has the edges that are closed at times, together with all to which a cheapest path
// at no time may lead over that. What is not of it is come to as at no time.
type pastHours struct {
	*timedReach
	all   map[graph.Edge]bool
	shut  map[graph.Edge]bool // what is closed at times: whether it is all the time
	queue []graph.Edge
}

func (b *pastHours) add(e graph.Edge) {
	if !b.all[e] {
		b.all[e] = true
		b.queue = append(b.queue, e)
	}
}

// find finds what is behind. ok is false where that is too much, or depends on the
// time of arrival there.
func (b *pastHours) find(ctx context.Context, clock *overlay.Clock) (ok bool) {
	ok = true
	steady := true
	clock.Exceptions(int64(b.bound.Millis), func(x overlay.Exception) bool {
		if x.From == graph.None {
			steady = steady && x.Shut
			b.g.EachCopy(x.To, func(e graph.Edge) {
				b.shut[e] = x.Shut
				ok = ok && (x.Shut || !b.reaches(e))
				if !b.reverse {
					b.add(e)
					return
				}
				// A journey may begin on what is closed.
				b.before(e, func(x graph.Edge) {
					if b.leads(x, e) {
						b.add(x)
					}
				})
			})
		} else if to, leads := b.turn(x.From, x.To); leads && (b.isPlace(x.From) || b.isPlace(x.To) || b.leads(x.From, to)) {
			steady = false
			if b.reverse {
				to = x.From
			}
			b.add(to)
		}
		ok = ok && len(b.all) <= mostTimed
		return ok
	})
	for n := 0; n < len(b.queue) && ok; n++ {
		e := b.queue[n]
		ok = len(b.all) <= mostTimed && (n%64 != 0 || ctx.Err() == nil)
		b.next(e, b.reverse, func(x graph.Edge) {
			if !b.reverse && b.leads(e, x) || b.reverse && b.leads(x, e) {
				b.add(x)
			}
		})
	}
	for e := range b.all {
		b.next(e, !b.reverse, func(x graph.Edge) {
			if !b.all[x] && !b.closes(x, e) {
				ok = ok && !b.isPlace(x) && (steady || !b.reaches(x))
			}
		})
	}
	return ok
}

// closes reports whether what is closed is in the way from one edge to the next or, in
// reverse, to the one before.
func (b *pastHours) closes(from, to graph.Edge) bool {
	if b.reverse {
		return b.shut[from]
	}
	return b.shut[to]
}

// again finds what is within reach of what is behind, by ways that are open.
func (b *pastHours) again() (list []search.Reached) {
	labels := map[graph.Edge]search.Reached{}
	var queue heap.Heap[uint64, graph.Edge]
	travel := func(from search.Reached, e graph.Edge) {
		if b.closes(from.Edge, e) {
			return
		}
		to := b.travelled(from, e)
		if old, known := labels[e]; !known || to.Cost < old.Cost {
			labels[e] = to
			queue.Push(to.Cost, e)
		}
	}
	for e := range b.all {
		b.next(e, !b.reverse, func(x graph.Edge) {
			if b.all[x] {
				return
			}
			from := search.Reached{Edge: x, Cost: b.rest.LowerBound(x), Measure: b.beyond()}
			if at := b.within.Get(uint32(x)); at > 0 {
				from = b.reached[at-1]
			} else if from.Cost == search.Unreachable {
				return
			} else if !b.reverse {
				from.Cost += b.edge(x)
			}
			travel(from, e)
		})
	}
	for len(queue) > 0 {
		top := queue.Pop()
		at := labels[top.Value]
		if at.Cost != top.Key {
			continue
		}
		if at.Within(b.bound) || !b.reverse && at.Minus(at.Own).Within(b.bound) {
			list = append(list, at)
		}
		b.next(at.Edge, b.reverse, func(x graph.Edge) {
			if b.all[x] {
				travel(at, x)
			}
		})
	}
	return list
}

// beyond returns a measure beyond the bound.
func (j *timedReach) beyond() search.Measure {
	return search.Measure{Millis: 2*j.bound.Millis + 1, Decimetres: 1}
}

// travelled returns an edge that is come to from another or, in reverse, from which one
// comes to that.
func (j *timedReach) travelled(from search.Reached, e graph.Edge) search.Reached {
	c := j.w.Costing
	o := j.g.Original(e)
	to := search.Reached{Edge: e, Own: search.MeasureOf(c.Seconds(o), j.g.EdgeLength(o))}
	if j.reverse {
		turn := c.Turn(e, j.g.Original(from.Edge))
		own := search.MeasureOf(c.Seconds(j.g.Original(from.Edge)), j.g.EdgeLength(from.Edge))
		to.Cost = from.Cost + uint64(turn.Cost) + j.edge(from.Edge)
		to.Measure = from.Plus(own).Plus(search.MeasureOf(turn.Seconds, 0))
		return to
	}
	turn := c.Turn(from.Edge, o)
	to.Cost = from.Cost + uint64(turn.Cost) + j.edge(e)
	to.Measure = from.Plus(to.Own).Plus(search.MeasureOf(turn.Seconds, 0))
	return to
}

// next calls do for the edges to which turns lead from an edge or, with back, from
// which they lead to it.
func (j *timedReach) next(e graph.Edge, back bool, do func(graph.Edge)) {
	if back {
		j.before(e, do)
	} else {
		j.after(e, do)
	}
}

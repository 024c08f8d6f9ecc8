package match

import (
	"context"
	"math"
	"math/bits"
)

// limit returns the greatest weight of a path between positions so many metres apart.
func (q *Query) limit(straight float64) float64 {
	if q.o.Excess > 0 {
		return q.longest(straight) + 2*q.local.penalty[180] // having turned round, and at a sharp bend
	}
	return 2*straight + beam*q.o.Beta
}

// longest returns how long a path may be between positions so many metres apart, if
// Options.Excess is set.
func (q *Query) longest(straight float64) float64 { return straight*1.01 + q.o.Excess }

// turnRoundCost returns the cost of turning round on the spot.
func (q *Query) turnRoundCost() float64 { return q.local.penalty[180] / q.o.Beta }

// transition returns the cost of a path: that of the difference between its length and the
// straight line, and that of its turns, which is what weight exceeds metres by.
func (q *Query) transition(metres, weight, straight float64) float64 {
	return (math.Abs(metres-straight) + weight - metres) / q.o.Beta
}

// How many edges are settled, and how many positions matched or placed, between two
// checks of the context: some quarter of a millisecond.
const (
	checkEvery     = 1024
	checkPositions = 32
)

// step works out the costs of the states of layer next from those of layer last;
// ok is false where no path leads to any. The error is the context's.
//
// A path counts where its weight, and what its first state costs more than the
// cheapest, add up to no more than the limit. One search from all states of last
// together, each with that excess as its initial cost, finds for each new state a
// lower bound on the cost of any path to it; the bound is exact where the path is
// not shorter than the straight line. The states for which it is not are found by
// searches from single states, each as far only as it could still better a cost.
func (q *Query) step(ctx context.Context, last, next *layer) (ok bool, err error) {
	from, at := q.trace[last.point], q.trace[next.point]
	straight := q.straight(last.point, next.point)
	next.straight = straight
	if straight > q.o.Breakage {
		return false, nil
	}
	w := transitions{q: q, to: q.states[next.first:next.last], first: int32(next.first), straight: straight, limit: q.limit(straight), best: math.Inf(1), turnRound: q.turnRoundCost(), elapsed: at.Time - from.Time}
	q.local.aim()
	reach := 0.0
	for j := range w.to {
		s := &w.to[j]
		s.cost, s.parent, s.turnedRound = math.Inf(1), -1, false
		q.local.aimAt(s.edge, int32(j))
		reach = max(reach, s.metres)
	}
	w.target = targetAt(at.At, reach)
	order := q.cheapestFirst(last)
	w.least = q.states[order[0]].cost
	open, err := w.searchFromAll(ctx, order)
	for _, i := range order {
		if err != nil {
			return false, err
		}
		if open == 0 {
			break
		}
		if most, _ := w.worstOpen(open); q.states[i].cost >= most {
			break
		}
		err = w.searchFrom(ctx, i, open)
	}
	for j := range w.to {
		s := &w.to[j]
		if s.reverse >= 0 && q.states[s.reverse].cost+w.turnRound < s.cost {
			s.cost, s.turnedRound = q.states[s.reverse].cost+w.turnRound, true
		}
	}
	for j := range w.to {
		ok = ok || !math.IsInf(w.to[j].cost, 1)
		w.to[j].cost += w.to[j].emission
	}
	return ok, err
}

// cheapestFirst returns the states of a layer that a path leads to and the beam keeps, the
// cheapest first.
func (q *Query) cheapestFirst(l *layer) []int32 {
	q.order = q.order[:0]
	for i := l.first; i < l.last; i++ {
		cost := q.states[i].cost
		if math.IsInf(cost, 1) {
			continue
		}
		at := len(q.order)
		q.order = append(q.order, 0)
		for at > 0 && q.states[q.order[at-1]].cost > cost {
			q.order[at] = q.order[at-1]
			at--
		}
		q.order[at] = int32(i)
	}
	n := len(q.order)
	for n > 0 && q.states[q.order[n-1]].cost > q.states[q.order[0]].cost+beam {
		n--
	}
	return q.order[:n]
}

// transitions are the transitions into one layer.
type transitions struct {
	q               *Query
	to              []state
	first           int32 // number of the first of to in Query.states
	straight, limit float64
	least           float64 // cost of the cheapest state of the last layer
	best            float64 // cost of the cheapest of to so far, emission included
	turnRound       float64
	elapsed         float64 // seconds; NaN where unknown
	target          target
}

// initialCost returns how much more a state costs than the cheapest, in metres.
func (w *transitions) initialCost(i int32) float64 {
	return (w.q.states[i].cost - w.least) * w.q.o.Beta
}

// searchLimit returns the greatest key with which a path could better one of the states
// in the set open so far that the beam keeps it, and the state that allows it.
func (w *transitions) searchLimit(open uint64) (limit float64, by int32) {
	most, by := w.worstOpen(open)
	return min(w.limit, w.straight+(most-w.least)*w.q.o.Beta), by
}

// tightened is searchLimit after state done has left open, given what it and best
// were before. Costs have only fallen, so it can be lower only if best is, or if the
// cost of the state that allowed it may have changed.
func (w *transitions) tightened(open uint64, done int32, limit float64, by int32, best float64) (float64, int32) {
	if w.best == best && done != by && w.to[by].reverse != w.first+done {
		return limit, by
	}
	return w.searchLimit(open)
}

// worstOpen returns the greatest cost from which one of the states in the set open could
// still be bettered, and which one has it.
func (w *transitions) worstOpen(open uint64) (most float64, by int32) {
	most = math.Inf(-1)
	for open != 0 {
		j := bits.TrailingZeros64(open)
		open &= open - 1
		s := &w.to[j]
		cost := min(s.cost, w.best+beam-s.emission)
		if s.reverse >= 0 {
			cost = min(cost, w.q.states[s.reverse].cost+w.turnRound)
		}
		if cost > most {
			most, by = cost, int32(j)
		}
	}
	return most, by
}

// searchFromAll searches from all states of the last layer at once. It returns the set of
// states whose costs may still be bettered.
func (w *transitions) searchFromAll(ctx context.Context, order []int32) (open uint64, err error) {
	q, l := w.q, &w.q.local
	for _, i := range order {
		s := &q.states[i]
		n := l.numberOf(s.edge)
		j, ok := l.targetState(n)
		if !ok {
			continue
		}
		// Along the edge itself there is one path only.
		length := l.touched[n].metres
		if ahead := (w.to[j].along - s.along) * length; ahead >= -backwardSigmas*q.o.Sigma && w.initialCost(i)+ahead <= w.limit {
			seconds := l.touched[n].seconds * max(0, ahead) / max(length, 1e-3)
			w.offer(i, j, ahead, ahead, seconds)
		}
	}
	pending := uint64(1)<<len(w.to) - 1
	limit, by := w.searchLimit(pending)
	l.towards(w.target)
	for _, i := range order {
		l.seed(i, q.states[i].edge, q.states[i].along, w.initialCost(i), limit)
	}
	for pending != 0 {
		m, k := l.next()
		if m == nil || m.key > limit {
			return open, nil
		}
		if q.settled++; q.settled%checkEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if j, ok := l.targetState(m.edge); ok && pending&(1<<j) != 0 {
			e, best := &l.touched[m.edge], w.best
			pending &^= 1 << j
			along := w.to[j].along
			part := along * e.metres
			if w.least+(m.key+part-w.straight)/q.o.Beta < w.to[j].cost && m.key+part <= w.limit {
				implausible := !w.offer(m.source, j, m.metres+part, m.weight+part, m.seconds+along*e.seconds)
				if implausible || m.metres+part < w.straight {
					open |= 1 << j
				}
			}
			limit, by = w.tightened(pending, j, limit, by, best)
		}
		l.expand(k, limit)
	}
	return open, nil
}

// searchFrom searches from state i of the last layer to the states in open.
func (w *transitions) searchFrom(ctx context.Context, i int32, open uint64) error {
	q, l := w.q, &w.q.local
	s := &q.states[i]
	limit, by := w.searchLimit(open)
	l.towards(w.target)
	l.seed(i, s.edge, s.along, w.initialCost(i), limit)
	for open != 0 {
		m, k := l.next()
		if m == nil || m.key > limit {
			return nil
		}
		if q.settled++; q.settled%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if j, ok := l.targetState(m.edge); ok && open&(1<<j) != 0 {
			e, best := &l.touched[m.edge], w.best
			open &^= 1 << j
			along := w.to[j].along
			if part := along * e.metres; m.key+part <= w.limit {
				w.offer(i, j, m.metres+part, m.weight+part, m.seconds+along*e.seconds)
			}
			limit, by = w.tightened(open, j, limit, by, best)
		}
		l.expand(k, limit)
	}
	return nil
}

// offer lowers the cost of state j of the layer to that of a path from state i, and returns
// false if the path would be implausibly fast, or too long.
func (w *transitions) offer(i, j int32, metres, weight, seconds float64) bool {
	// Where elapsed is NaN the comparison is false.
	if (metres-backwardSigmas*w.q.o.Sigma)*seconds > tooFast*metres*(w.elapsed+1) && metres > 0 {
		return false
	}
	if w.q.o.Excess > 0 && metres > w.q.longest(w.straight) {
		return false
	}
	s := &w.to[j]
	if cost := w.q.states[i].cost + w.q.transition(metres, weight, w.straight); cost < s.cost {
		s.cost, s.parent = cost, i
		w.best = min(w.best, cost+s.emission)
	}
	return true
}

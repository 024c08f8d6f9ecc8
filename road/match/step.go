package match

import (
	"context"
	"math"
	"math/bits"

	"github.com/waygate/waygate/geo"
)

// limit is the greatest weight of a way between positions so far apart.
func (q *Query) limit(straight float64) float64 {
	if q.o.Excess > 0 {
		return straight*1.01 + q.o.Excess
	}
	return math.Min(detour*straight, straight+q.o.Breakage) + slack
}

// flip is the cost of turning round on the spot.
func (q *Query) flip() float64 { return q.local.penalty[128] / q.o.Beta }

// transition is the cost of a way: how much its length differs from the
// straight line, and its turns.
func (q *Query) transition(metres, weight, straight float64) float64 {
	return (math.Abs(metres-straight) + weight - metres) / q.o.Beta
}

// checkEvery is how many edges are settled between two looks at the context.
const checkEvery = 1024

// step works out the costs of a layer's states from those of the one before
// it; ok is false where no way leads to any. The error is the context's.
//
// The states of the last layer are gone through from the cheapest, and none is
// followed further than it could still better the costs found so far, so that
// the searches are short and the outcome is that of trying all.
func (q *Query) step(ctx context.Context, last, next *layer) (ok bool, err error) {
	to := q.states[next.first:next.last]
	q.targets.clear()
	for j := range to {
		s := &to[j]
		s.cost, s.parent, s.flipped = math.Inf(1), -1, false
		at, _ := q.targets.slot(s.edge)
		q.targets.put(at, s.edge, int32(j))
	}
	w := ways{q: q, to: to, flip: q.flip(), elapsed: math.NaN()}
	w.straight = geo.Distance(q.trace[last.point].At, q.trace[next.point].At)
	w.limit = q.limit(w.straight)
	if w.straight > q.o.Breakage {
		return false, nil
	}
	w.elapsed = q.trace[next.point].Time - q.trace[last.point].Time
	all := uint64(1)<<len(to) - 1
	for _, i := range q.cheapestFirst(last) {
		if q.states[i].cost >= w.worst(all) {
			break
		}
		if err := w.from(ctx, i, all); err != nil {
			return false, err
		}
	}
	for j := range to {
		s := &to[j]
		if s.twin >= 0 && q.states[s.twin].cost+w.flip < s.cost {
			s.cost, s.flipped = q.states[s.twin].cost+w.flip, true
		}
	}
	for j := range to {
		ok = ok || !math.IsInf(to[j].cost, 1)
		to[j].cost += q.emission(&to[j])
	}
	return ok, nil
}

// cheapestFirst gives the states of a layer that some way leads to.
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
	return q.order
}

// ways are the transitions into one layer.
type ways struct {
	q               *Query
	to              []state
	straight, limit float64
	flip            float64
	elapsed         float64 // seconds; NaN where unknown
}

// worst is the greatest cost, of some states of the layer, that is still to be
// bettered.
func (w *ways) worst(open uint64) float64 {
	most := math.Inf(-1)
	for open != 0 {
		j := bits.TrailingZeros64(open)
		open &= open - 1
		cost := w.to[j].cost
		if t := w.to[j].twin; t >= 0 {
			cost = math.Min(cost, w.q.states[t].cost+w.flip)
		}
		most = math.Max(most, cost)
	}
	return most
}

// from follows the ways out of one state.
func (w *ways) from(ctx context.Context, i int32, open uint64) error {
	q := w.q
	s, l := &q.states[i], &q.local
	if at, there := q.targets.slot(s.edge); there {
		j := q.targets.value[at]
		length := q.g.EdgeLength(s.edge)
		if ahead := (w.to[j].along - s.along) * length; ahead >= -slipSigmas*q.o.Sigma {
			w.reach(i, j, ahead, ahead, q.c.Seconds(s.edge)*ahead/math.Max(length, 1e-3))
			open &^= 1 << j
		}
	}
	far := func() float64 { return math.Min(w.limit, w.straight+(w.worst(open)-s.cost)*q.o.Beta) }
	limit := far()
	if open == 0 {
		return nil
	}
	l.reset(s.edge, s.along, limit)
	for open != 0 {
		m, k := l.next()
		if m == nil || m.weight > limit {
			return nil
		}
		if q.settled++; q.settled%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if at, there := q.targets.slot(q.g.Original(m.edge)); there {
			j := q.targets.value[at]
			if part := w.to[j].along * m.length; open&(1<<j) != 0 {
				if m.weight+part <= w.limit {
					w.reach(i, j, m.metres+part, m.weight+part, m.seconds+w.to[j].along*m.pace)
				}
				open &^= 1 << j
				limit = far()
			}
		}
		l.expand(k, limit)
	}
	return nil
}

// reach takes a way from state i to state j of the layer.
func (w *ways) reach(i, j int32, metres, weight, seconds float64) {
	// A comparison with an unknown time is false.
	if metres-slipSigmas*w.q.o.Sigma > tooFast*metres/seconds*(w.elapsed+1) {
		return
	}
	s := &w.to[j]
	if cost := w.q.states[i].cost + w.q.transition(metres, weight, w.straight); cost < s.cost {
		s.cost, s.parent = cost, i
	}
}

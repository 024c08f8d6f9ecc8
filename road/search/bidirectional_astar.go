package search

import (
	"context"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// FineBits is by how many bits the bounds of BidirectionalAStar are finer than milliseconds, so that
// what is scaled is hardly rounded. Paths of up to 2^48 ms have room: 2^18 edges that
// cost the most that one can.
const FineBits = 16

// BidirectionalAStar finds the cheapest path of a request without a clock as Shortest does, from
// both ends at once, led by lower bounds to either (NBA*: Pijls and Post, "A new
// bidirectional search algorithm with shortened postprocessing", 2009). Where bounds
// are loose it settles less than half of what a search from one end does. No edge
// is settled from both ends; one that cannot be on a path cheaper than the best
// known, by what the other end's search has come to, leads no further. Both bounds
// must be given, with FineBits more than milliseconds, and consistent: no edge or turn
// costs less than by how much it lowers them.
func (q *Query) BidirectionalAStar(ctx context.Context, j Request) (f Found, ok bool, err error) {
	q.forward.rest, q.backward.rest, q.fine = j.Potential, j.Begun, FineBits
	q.begin(j.Weights, j.From, j.To)
	for n := 0; len(q.forward.heap) > 0 && len(q.backward.heap) > 0; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return Found{}, false, ctx.Err()
		}
		s, other := &q.forward, &q.backward
		if len(other.heap) < len(s.heap) {
			s, other = other, s
		}
		top := s.heap.Pop()
		if top.Key >= q.best {
			break
		}
		e := top.Value
		l := s.labels.At(uint32(e))
		across := other.labels.Get(uint32(e))
		// A path may come to an edge again on which it began or is to end.
		whole := l.parent != graph.None && (across.state != settled || across.parent != graph.None)
		if l.state == settled || whole && across.state == settled {
			continue
		}
		l.state = settled
		q.Settled++
		cost := l.cost
		switch {
		case whole && q.beyond(e, cost, other):
		case s == &q.forward:
			q.spreadForward(e, cost)
		default:
			q.spreadBackward(e, cost)
		}
	}
	if q.best == unreached {
		return Found{}, false, nil
	}
	return q.found(q.meeting, q.best), true, nil
}

// beyond reports whether no path over an edge that has been travelled whole at a
// cost is cheaper than the best known: the other side's search has not settled the
// edge, so the rest of any path costs what that side is at, less what leads to the
// edge at the least.
func (q *Query) beyond(e graph.Edge, cost uint64, other *side) bool {
	if q.best == unreached || len(other.heap) == 0 {
		return false
	}
	w := q.edge(q.g.Original(e))
	begun := other.rest(e)
	return w != profile.Forbidden && (begun == Unreachable || cost+other.heap[0].Key >= q.best+begun+uint64(w)<<q.fine)
}

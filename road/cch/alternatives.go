package cch

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Alternative is a path besides the cheapest one: the cheapest that leads over Via, an
// original edge. The cheapest path of all has no Via, graph.None.
type Alternative struct {
	search.Found
	Via graph.Edge
}

// meetingsForOne is the number of candidates examined for each alternative wanted.
const meetingsForOne = 24

// Alternatives finds the cheapest path and up to more other good ones, in the
// order of their promise (via nodes: Abraham, Delling, Goldberg, Werneck,
// "Alternative Routes in Road Networks", 2013). Candidates are the ranks at
// which the searches from both ends meet; every path between two parts of the
// network that a separator of the dissection divides has one of them. What makes
// one good is as with search.Query.Alternatives: its cost, what it shares with
// those before it, and a stretch of it that lies on cheapest paths from the start
// and on cheapest paths to the end. The error is the context's.
func (r *Router) Alternatives(ctx context.Context, j Journey, more int) ([]Alternative, error) {
	r.begin(j)
	entry := search.Entry(j.Costing, j.From, j.To)
	all, top := r.q.meetings(entry)
	if top.total >= r.best { // a path of one or two edges needs no hierarchy, and has no meeting
		if r.best == Unreached {
			return nil, ctx.Err()
		}
		return []Alternative{{r.directFound(), graph.None}}, ctx.Err()
	}
	g := r.c.Graph()
	r.q.remember()
	r.path = r.q.Path(r.path[:0], top.rank)
	best := r.unpacked(top.total, j.From, j.To)
	chosen, roads := []Alternative{{best, graph.None}}, []search.Roads{search.RoadsOf(g, best)}
	a := alternatives{router: r, journey: j, seen: []search.Found{best}}
	for _, m := range all[:min(len(all), meetingsForOne*more)] {
		if ctx.Err() != nil || len(chosen) > more {
			break
		}
		found, ok := a.unpack(m)
		if !ok {
			continue
		}
		if own, ok := search.Differs(g, found.Found, roads); ok && a.hasPlateau(&found, best.Cost-min(best.Cost, entry)) {
			chosen, roads = append(chosen, found), append(roads, own)
		}
	}
	return chosen, ctx.Err()
}

// Journey is a request for paths between any of the places From and To, by a costing with
// its metric.
type Journey struct {
	Costing  *profile.Costing
	Metric   *Metric
	From, To []search.End
}

// alternatives judges the candidates of one search.
type alternatives struct {
	router  *Router // with the searches of the journey
	journey Journey
	seen    []search.Found // the paths that were unpacked
	until   []uint64       // of costs
}

// unpack returns the path over a meeting; ok is false where that was unpacked already.
func (a *alternatives) unpack(m meeting) (found Alternative, ok bool) {
	r := a.router
	via := r.q.t.Edge[m.rank]
	if a.leadsOver(via, m.total) {
		return found, false
	}
	r.path = r.q.Path(r.path[:0], m.rank)
	path := r.unpacked(m.total, a.journey.From, a.journey.To)
	a.seen = append(a.seen, path)
	return Alternative{path, r.c.Graph().Original(via)}, true
}

// leadsOver reports whether a path that was unpacked already leads over an edge,
// between those it begins and ends on, at a cost: two meetings on one path have
// the same.
func (a *alternatives) leadsOver(e graph.Edge, cost uint64) bool {
	return slices.ContainsFunc(a.seen, func(f search.Found) bool {
		return f.Cost == cost && slices.Contains(f.Edges[1:len(f.Edges)-1], e)
	})
}

// hasPlateau reports whether a stretch of a path, of at least a tenth of the
// best's cost, is on cheapest paths both from the start and to the end. As the
// path leads over the meeting cheapest from both sides, one that has such a
// stretch has it there.
func (a *alternatives) hasPlateau(f *Alternative, best uint64) bool {
	g := a.router.c.Graph()
	until := a.costs(f.Found)
	last := len(f.Edges) - 2 // the last edge that is travelled to its end
	at := slices.IndexFunc(f.Edges, func(e graph.Edge) bool { return g.Original(e) == f.Via })
	if at < 0 || last < 1 {
		return false
	}
	need := uint64(float64(best) * search.AlternativePlateau)
	// after is the first edge that ends so much after the end of edge i, before
	// the last that ends so much before it.
	after := func(i int, cost uint64) int {
		return min(i+sort.Search(last-i, func(n int) bool { return until[i+n] >= until[i]+cost }), last)
	}
	before := func(i int, cost uint64) int {
		return max(sort.Search(i+1, func(n int) bool { return until[n]+cost > until[i] })-1, 0)
	}
	at = min(at, last)
	for _, w := range [][2]int{{before(at, need/2), after(at, need-need/2)}, {at, after(at, need)}, {before(at, need), at}} {
		x, y := w[0], w[1]
		if until[y]-until[x] >= need && a.cheapestTo(f.Edges[y], until[y]) && a.cheapestFrom(f.Edges[x], f.Cost-until[x]) {
			return true
		}
	}
	return false
}

// costs returns the cost up to the end of each edge of the path unpacked last, except for
// the last edge.
func (a *alternatives) costs(f search.Found) []uint64 {
	r := a.router
	begun, first := r.start(f.From), r.c.Graph().Original(f.Edges[1])
	_, turn, _ := r.turn(f.Edges[0], first)
	a.until = append(a.until[:0], begun, begun+turn+uint64(r.c.Edge(first)))
	until := a.until
	for _, cost := range r.q.unpacker.costs {
		until = append(until, until[len(until)-1]+uint64(cost))
	}
	a.until = until
	return until
}

// cheapestTo reports whether no path from the start gets to the end of an edge
// for less.
func (a *alternatives) cheapestTo(e graph.Edge, cost uint64) bool {
	r := a.router
	for _, s := range a.journey.From {
		if s.Edge == e && r.start(s) < cost {
			return false
		}
	}
	r.judge.reset()
	r.judge.addSource(r.q.t.Rank[e], 0)
	return !r.judge.comesTo(&r.q.forward, upwardSearch{r.q.t, &r.q.m.backward}, cost)
}

// cheapestFrom reports whether no path from the end of an edge gets to the
// journey's end for less.
func (a *alternatives) cheapestFrom(e graph.Edge, cost uint64) bool {
	r := a.router
	r.judge.reset()
	r.judge.addSource(r.q.t.Rank[e], 0)
	return !r.judge.comesTo(&r.q.backward, upwardSearch{r.q.t, &r.q.m.forward}, cost)
}

// upwardSearch is the part of the hierarchy that a search goes up in.
type upwardSearch struct {
	t *Topology
	w *searchgraph.Graph
}

// comesTo reports whether a search meets another, finished one for less than limit.
func (s *side) comesTo(other *side, on upwardSearch, limit uint64) bool {
	less := false
	s.searchUp(on.t, on.w, limit, func(v Rank, depth int32, c uint64) uint64 {
		if f := other.costOf(v, depth); f != Unreached && f+c < limit {
			less, limit = true, 0
		}
		return limit
	})
	return less
}

// meeting is a rank that the searches from both ends visit.
type meeting struct {
	rank   Rank
	total  uint64 // of the cheapest path over it that both found
	shared uint64 // of that, at least so much is on the cheapest path of all
}

// meetings runs the searches from both ends and gives the ranks at which they meet for
// no more than an alternative may cost, the most promising first: those that cost
// little and share little with the cheapest, which is top. entry is what every path costs.
func (q *Query) meetings(entry uint64) (all []meeting, top meeting) {
	limit := uint64(Unreached)
	top = meeting{rank: graph.None, total: Unreached}
	q.forward.searchUp(q.t, &q.m.forward, limit, nil)
	q.backward.searchUp(q.t, &q.m.backward, limit, func(v Rank, depth int32, c uint64) uint64 {
		if f := q.forward.costOf(v, depth); f != Unreached && f+c < limit {
			m := meeting{rank: v, total: f + c}
			all = append(all, m)
			if m.total < top.total {
				top = m
				limit = min(limit, entry+uint64(float64(top.total-min(top.total, entry))*search.AlternativeStretch)+1)
			}
		}
		return limit
	})
	if top.rank == graph.None {
		return nil, top
	}
	all = slices.DeleteFunc(all, func(m meeting) bool { return m.total >= limit })
	forward, backward := q.forward.sharedWith(q.t, top.rank), q.backward.sharedWith(q.t, top.rank)
	for i := range all {
		depth := int32(q.t.Depth[all[i].rank])
		f, _ := q.forward.find(all[i].rank, depth)
		b, _ := q.backward.find(all[i].rank, depth)
		all[i].shared = forward[f] + backward[b]
	}
	slices.SortFunc(all, func(a, b meeting) int {
		return cmp.Or(cmp.Compare(a.total+a.shared, b.total+b.shared), cmp.Compare(a.rank, b.rank))
	})
	return all, top
}

// sharedWith gives, by place, how much of the path to a rank visited that the search
// found is on the path to top.
func (s *side) sharedWith(t *Topology, top Rank) []uint64 {
	shared := make([]uint64, len(s.visits))
	at, _ := s.find(top, int32(t.Depth[top]))
	for ; at != none; at = s.visits[at].parent {
		shared[at] = s.visits[at].cost
	}
	for at := range s.places {
		if x := &s.visits[at]; shared[at] == 0 && x.cost != Unreached && x.parent != none {
			shared[at] = shared[x.parent]
		}
	}
	return shared
}
